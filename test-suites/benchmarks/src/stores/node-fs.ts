import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { SampleRecord, SampleSession } from "../sample-records.js"
import { childrenOf, newestOf, type StoreKind } from "./store.js"

/** `node:fs` with the files of the JSON adapter, without locks and without atomic replacement. */
export const nodeFs: StoreKind = {
  name: "node:fs",
  mostSessions: 10_000,
  async open(folder) {
    const path = (key: readonly string[]) => `${join(folder, ...key)}.json`
    const sessions = async () => (await readAll(join(folder, "session"))) as SampleSession[]
    const writeAll = async (records: readonly SampleRecord[]) => {
      for (const { key, value } of records) {
        await mkdir(dirname(path(key)), { recursive: true })
        await writeFile(path(key), JSON.stringify(value, null, 2))
      }
    }
    return {
      write: writeAll,
      async read(keys) {
        for (const key of keys) await readJson(path(key))
      },
      batch: writeAll,
      scanMessages: async () => (await readAll(join(folder, "message"))).length,
      async loadSession(sessionID) {
        let count = 0
        for (const message of await readAll(join(folder, "message", sessionID))) {
          const { id } = message as { readonly id: string }
          count += 1 + (await readAll(join(folder, "part", id))).length
        }
        return count
      },
      addSessions: writeAll,
      newest: async (count) => newestOf(await sessions(), count),
      children: async (parentID) => childrenOf(await sessions(), parentID),
      close: async () => undefined,
    }
  },
}

async function readAll(folder: string): Promise<unknown[]> {
  const values: unknown[] = []
  const files = await readdir(folder, { recursive: true })
  for (const file of files.sort()) {
    if (file.endsWith(".json")) values.push(await readJson(join(folder, file)))
  }
  return values
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, "utf8"))
}
