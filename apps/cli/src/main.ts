import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { StorageError } from "@sessile/core/storage"
import { JsonStorage } from "@sessile/storage-json"
import { formatOverview } from "./format-overview.js"
import { overview } from "./overview.js"

const sample = fileURLToPath(new URL("../sample/storage", import.meta.url))

const usage = `Usage: sessile [STORE]

Shows what an opencode JSON store holds: its projects, and its sessions, newest first.
STORE is the folder of the store; without it, a small sample is shown.
The store is opened for reading only: nothing in it is changed.
`

/** Runs the program and gives its exit code. */
export async function main(commandLine: readonly string[]): Promise<number> {
  if (commandLine.includes("--help") || commandLine.includes("-h")) {
    process.stdout.write(usage)
    return 0
  }
  if (commandLine.length > 1 || commandLine[0]?.startsWith("-")) {
    process.stderr.write(usage)
    return 2
  }
  const path = resolve(commandLine[0] ?? sample)
  try {
    await using storage = await JsonStorage.open({ path, readonly: true })
    process.stdout.write(formatOverview(path, await overview(storage)))
    return 0
  } catch (error) {
    if (!StorageError.is(error)) throw error
    process.stderr.write(`sessile: ${error.message}\n`)
    return error.code === "NOT_FOUND" ? 3 : 1
  }
}
