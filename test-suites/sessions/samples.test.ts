import { execFile } from "node:child_process"
import { readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"

const run = promisify(execFile)

test("the sample of the README compiles as it stands, and does what it says", async () => {
  await using folder = await temporaryFolder()
  const readme = await readFile(new URL("../../packages/core/README.md", import.meta.url), "utf8")
  const [, sample = ""] = /<!-- example: sessions.ts -->\n```ts\n(.*?)```/s.exec(readme) ?? []
  await symlink(path("node_modules"), join(folder.path, "node_modules"))
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ type: "module" }))
  await writeFile(join(folder.path, "sessions.ts"), sample)
  const config = { extends: path("../../tsconfig.base.json"), files: ["sessions.ts"] }
  await writeFile(join(folder.path, "tsconfig.json"), JSON.stringify(config))
  await run(process.execPath, [path("node_modules/typescript/bin/tsc"), "-p", folder.path]).catch((error) => {
    throw new Error(error.stdout)
  })
  const { stdout } = await run(process.execPath, [join(folder.path, "sessions.js")], { cwd: folder.path })
  const [said, ...titles] = stdout.trimEnd().split("\n")
  expect(said).toBe("Why does it fail?")
  // Both may be of the same millisecond.
  expect(titles.toSorted()).toEqual(["Fix the login", "Fix the login (fork #1)"])
})

function path(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
