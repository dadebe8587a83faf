import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { sample } from "../testing/sample.js"
import { filesOf } from "../testing/tree.js"

const adapter = ["--adapter", testing("file-adapter.mjs")]
const interrupting = ["--adapter", testing("interrupting-adapter.mjs")]

test("an adapter's store can be target and source, verified and inspected", async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  const dry = await sessile(["convert", sample, "adapter:store.json", "--dry-run", ...adapter], { cwd })
  expect(dry.code).toBe(0)
  expect(await readdir(cwd)).toEqual([])
  const there = await sessile(["convert", sample, "adapter:store.json", ...adapter], { cwd })
  expect(there).toMatchObject({ code: 0, stderr: "" })
  expect((await sessile(["verify", sample, "adapter:store.json", ...adapter], { cwd })).code).toBe(0)
  expect((await sessile(["inspect", "adapter:store.json", ...adapter], { cwd })).stdout).toMatch(
    /session +6 /,
  )
  expect((await sessile(["convert", "adapter:store.json", "json:back", ...adapter], { cwd })).code).toBe(0)
  expect(await filesOf(join(cwd, "back"))).toEqual(await filesOf(join(sample, "storage")))
})

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])("%s stops after the records at hand, and the same command goes on", async (signal, expected) => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  // Records of an adapter come in pages of 200.
  const { openStorage } = await import("../testing/file-adapter.mjs" as string)
  const many = openStorage(join(cwd, "many.json"), { readonly: false })
  const operations = Array.from({ length: 500 }, (_, index) => ({
    type: "write",
    key: ["k", `${index}`],
    value: index,
  }))
  await many.batch(operations)

  const source = `adapter:none ${join(cwd, "many.json")}`
  const target = `adapter:${signal} ${join(cwd, "store.json")}`
  const command = ["convert", source, target, ...interrupting]
  const { code, stdout, stderr } = await sessile(command, { cwd })
  expect(code).toBe(expected)
  expect(stdout).toContain("200 found = 200 written + 0 already there + 0 set aside")
  expect(stderr).toContain("Run the same command again")
  const again = await sessile(["convert", source, target.replace(signal, "none"), ...interrupting], { cwd })
  expect(again.code).toBe(0)
  expect(again.stdout).toContain("500 found = 300 written + 200 already there + 0 set aside")
})

test("a second signal ends at once", async () => {
  await using folder = await temporaryFolder()
  const target = `adapter:twice SIGINT ${join(folder.path, "store.json")}`
  const { code, stdout } = await sessile(["convert", sample, target, ...interrupting], { cwd: folder.path })
  expect({ code, stdout }).toEqual({ code: 130, stdout: "" })
})

test("a module without openStorage is refused", async () => {
  const { code, stderr } = await sessile(["inspect", "adapter:x", "--adapter", testing("no-adapter.mjs")])
  expect(code).toBe(2)
  expect(stderr).toContain("openStorage(address, { readonly })")
})

function testing(name: string): string {
  return fileURLToPath(new URL(`../testing/${name}`, import.meta.url))
}
