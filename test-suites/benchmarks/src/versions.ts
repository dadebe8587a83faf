import { readFile } from "node:fs/promises"
import { arch, cpus, platform } from "node:os"
import Database from "better-sqlite3"

const PACKAGES = ["better-sqlite3", "classic-level", "unstorage", "keyv", "@keyv/sqlite", "ai", "zod"]

/** What the figures were measured on. */
export interface Machine {
  readonly platform: string
  readonly cpu: string
  readonly cores: number
}

export function machine(): Machine {
  const cores = cpus()
  return { platform: `${platform()} ${arch()}`, cpu: cores[0]?.model ?? "unknown", cores: cores.length }
}

/** The versions of what was measured, as installed. */
export async function versions(): Promise<Record<string, string>> {
  const found: Record<string, string> = { node: process.versions.node, sqlite: sqliteVersion() }
  for (const name of PACKAGES) found[name] = await installedVersion(name)
  return found
}

function sqliteVersion(): string {
  const database = new Database(":memory:")
  const version = database.prepare<[], string>("SELECT sqlite_version()").pluck().get()
  database.close()
  return version ?? "unknown"
}

// Not every package exports its package.json, so it is looked for above the package's entry.
async function installedVersion(name: string): Promise<string> {
  let folder = new URL(".", import.meta.resolve(name))
  while (!folder.pathname.endsWith(`/${name}/`)) folder = new URL("..", folder)
  const manifest: { version: string } = JSON.parse(await readFile(new URL("package.json", folder), "utf8"))
  return manifest.version
}
