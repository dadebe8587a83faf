import { execFile } from "node:child_process"
import { readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"

const run = promisify(execFile)

test("the sample of the README compiles as it stands, and does what it says", async () => {
  const [, sample = ""] =
    /<!-- example: sessions.ts -->\n```ts\n(.*?)```/s.exec(await readCore("README.md")) ?? []
  const [said, ...titles] = (await runSample(sample)).trimEnd().split("\n")
  expect(said).toBe("Why does it fail?")
  // Both may be of the same millisecond.
  expect(titles.toSorted()).toEqual(["Fix the login", "Fix the login (fork #1)"])
})

test("the pieces of the guide are a program that compiles, and prints what the guide shows", async () => {
  const guide = await readCore("src/session/README.md")
  expect(await runSample(blocks(guide, "ts"))).toBe(blocks(guide, "text"))
})

function readCore(name: string): Promise<string> {
  return readFile(new URL(`../../packages/core/${name}`, import.meta.url), "utf8")
}

/** All blocks of code of a language, one after the other. */
function blocks(markdown: string, language: string): string {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code)
    .join("")
}

/** Compiles a program in a folder of its own, runs it there, and gives what it printed. */
async function runSample(source: string): Promise<string> {
  await using folder = await temporaryFolder()
  await symlink(path("node_modules"), join(folder.path, "node_modules"))
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ type: "module" }))
  await writeFile(join(folder.path, "sample.ts"), source)
  const config = { extends: path("../../tsconfig.base.json"), files: ["sample.ts"] }
  await writeFile(join(folder.path, "tsconfig.json"), JSON.stringify(config))
  await run(process.execPath, [path("node_modules/typescript/bin/tsc"), "-p", folder.path]).catch((error) => {
    throw new Error(error.stdout)
  })
  const { stdout } = await run(process.execPath, [join(folder.path, "sample.js")], { cwd: folder.path })
  return stdout
}

function path(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
