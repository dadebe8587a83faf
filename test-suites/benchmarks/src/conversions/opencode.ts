import { mkdir, symlink } from "node:fs/promises"
import { dirname } from "node:path"
import { OpencodeSandbox } from "@sessile/interop"
import Database from "better-sqlite3"
import { measureProcess } from "../measure-process.js"
import type { Side, SourceStore } from "./side.js"

/** The last release that imports JSON files. */
const VERSION = "1.15.13"

/** Imports by itself when it starts and finds no database, whatever it is asked. */
export const opencode: Side = {
  name: `opencode ${VERSION}`,
  async run(store) {
    await using sandbox = await OpencodeSandbox.create(VERSION)
    await mkdir(dirname(sandbox.storage), { recursive: true })
    await symlink(store.path, sandbox.storage)
    const figures = await measureProcess(sandbox.command("session", "list"))
    checkImport(sandbox.database, store)
    return figures
  },
}

// It says that it is done, and exits with 0, also when it has left records out.
function checkImport(path: string, { counts }: SourceStore): void {
  const database = new Database(path, { readonly: true })
  try {
    for (const table of ["session", "message", "part"] as const) {
      const rows = database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get()
      if (rows !== counts[table]) throw new Error(`opencode imported ${rows} of ${counts[table]} ${table}s`)
    }
  } finally {
    database.close()
  }
}
