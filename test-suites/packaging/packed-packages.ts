import { execFile } from "node:child_process"
import { cp, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"

const run = promisify(execFile)

/** The folders of all packages that are published. */
export const publishedFolders = [
  "packages/core",
  "packages/convert",
  "packages/storage-json",
  "packages/storage-sqlite",
  "packages/storage-level",
  "packages/opencode-db",
  "packages/ai-sdk",
  "apps/cli",
  "test-suites/conformance",
  "test-suites/fault-lab",
] as const

/** What `npm publish` would upload: the packages, packed, and a project outside the workspace that installed them. */
export interface PackedPackages extends AsyncDisposable {
  /** The names of the files in each tarball, by folder of the package. */
  readonly files: Readonly<Record<string, readonly string[]>>
  /** The project that uses them. */
  readonly project: string
}

/** Packs every published package and installs all of them into a new project with npm. */
export async function packPackages(): Promise<PackedPackages> {
  const folder = await temporaryFolder()
  const tarballs = await Promise.all(publishedFolders.map((name) => pack(name, folder.path)))
  const files: Record<string, string[]> = {}
  for (const [index, name] of publishedFolders.entries())
    files[name] = await filesIn(tarballs[index] as string)
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
  await run("npm", ["install", ...options, ...tarballs], { cwd: folder.path })
  await bringEngine(folder.path)
  return { files, project: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

export function workspacePath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

async function filesIn(tarball: string): Promise<string[]> {
  const { stdout } = await run("tar", ["-tzf", tarball])
  return stdout.split("\n").filter(Boolean)
}

// Compiling the engine of SQLite takes over a minute, and was done for the workspace already.
async function bringEngine(project: string): Promise<void> {
  const { resolve } = createRequire(workspacePath("packages/storage-sqlite/package.json"))
  const built = join(dirname(resolve("better-sqlite3/package.json")), "build")
  await cp(built, join(project, "node_modules", "better-sqlite3", "build"), { recursive: true })
}

// pnpm packs, as it would publish: npm leaves `workspace:` and `catalog:` versions as they are.
async function pack(folder: string, destination: string): Promise<string> {
  const { packageManager } = JSON.parse(await readFile(workspacePath("package.json"), "utf8"))
  const { stdout } = await run(
    "npx",
    ["--yes", packageManager, "pack", "--json", "--pack-destination", destination],
    { cwd: workspacePath(folder) },
  )
  return JSON.parse(stdout).filename
}
