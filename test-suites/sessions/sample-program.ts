import { execFile } from "node:child_process"
import { symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"

const run = promisify(execFile)

/** All blocks of code of a language, one after the other. */
export function blocks(markdown: string, language: string): string {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code)
    .join("")
}

/**
 * Compiles a program in a folder of its own, runs it there, and gives what it printed.
 *
 * @param suite the folder of the package whose dependencies the program may import
 */
export async function runSample(source: string, suite: URL): Promise<string> {
  await using folder = await temporaryFolder()
  const modules = fileURLToPath(new URL("node_modules", suite))
  await symlink(modules, join(folder.path, "node_modules"))
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ type: "module" }))
  await writeFile(join(folder.path, "sample.ts"), source)
  const base = fileURLToPath(new URL("../../tsconfig.base.json", import.meta.url))
  await writeFile(join(folder.path, "tsconfig.json"), JSON.stringify({ extends: base, files: ["sample.ts"] }))
  await run(process.execPath, [join(modules, "typescript/bin/tsc"), "-p", folder.path]).catch((error) => {
    throw new Error(error.stdout)
  })
  const { stdout } = await run(process.execPath, [join(folder.path, "sample.js")], { cwd: folder.path })
  return stdout
}
