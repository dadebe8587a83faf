import { execFile } from "node:child_process"
import { cp, readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"

const program = fileURLToPath(new URL("../bin/sessile.js", import.meta.url))
const sample = fileURLToPath(new URL("../sample/storage", import.meta.url))

test("without a store it shows the sample, newest session first", async () => {
  const { stdout, code } = await sessile()
  expect(code).toBe(0)
  expect(stdout).toContain("1 projects, 6 sessions, 12 messages, 33 parts")
  expect(stdout.indexOf("Attachments")).toBeLessThan(stdout.indexOf("With children"))
})

test("a missing store is an error with exit code 3 that names the path", async () => {
  await using folder = await temporaryFolder()
  const missing = join(folder.path, "missing")
  expect(await sessile(missing)).toEqual({ stdout: "", stderr: expect.stringContaining(missing), code: 3 })
})

test("an unknown option prints the usage with exit code 2", async () => {
  expect(await sessile("--verbose")).toEqual({
    stdout: "",
    stderr: expect.stringContaining("Usage:"),
    code: 2,
  })
})

test("damaged sessions are named beside the others, and titles cannot steer the terminal", async () => {
  await using folder = await temporaryFolder()
  await cp(sample, folder.path, { recursive: true })
  const project = join(folder.path, "session", "a08918a10ff26f65d55fc0bead5534907d8df481")
  await writeFile(join(project, "ses_empty.json"), "")
  await writeFile(join(project, "ses_odd.json"), JSON.stringify({ title: "\u001b[2Jodd" }))
  const { stdout, code } = await sessile(folder.path)
  expect(code).toBe(0)
  expect(stdout).toContain(join(project, "ses_empty.json"))
  expect(stdout).toMatch(/unknown .*�\[2Jodd/)
  expect(stdout).toContain("Attachments")
})

test("nothing in the store changes", async () => {
  await using folder = await temporaryFolder()
  await cp(sample, folder.path, { recursive: true })
  const before = await snapshot(folder.path)
  await sessile(folder.path)
  expect(await snapshot(folder.path)).toEqual(before)
})

async function sessile(...commandLine: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  try {
    return { ...(await promisify(execFile)(process.execPath, [program, ...commandLine])), code: 0 }
  } catch (error) {
    return error instanceof Error && "stdout" in error ? pick(error as never) : Promise.reject(error)
  }
}

function pick({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) {
  return { stdout, stderr, code }
}

async function snapshot(folder: string): Promise<Record<string, number>> {
  const names = ["", ...(await readdir(folder, { recursive: true }))]
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).mtimeMs])),
  )
}
