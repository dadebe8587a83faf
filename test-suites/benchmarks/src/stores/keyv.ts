import { join as joinPath } from "node:path"
import KeyvSqlite from "@keyv/sqlite"
import { Keyv } from "keyv"
import type { SampleRecord, SampleSession } from "../sample-records.js"
import { childrenOf, newestOf, type StoreKind } from "./store.js"

/** Keyv on SQLite, with the engine and the settings of the others: better-sqlite3, WAL, synchronous NORMAL. */
export const keyvSqlite: StoreKind = {
  name: "@keyv/sqlite",
  mostSessions: 10_000,
  async open(folder) {
    const uri = `sqlite://${joinPath(folder, "store.db")}`
    const engine = new KeyvSqlite({ uri, driver: "better-sqlite3", wal: true, iterationLimit: 1_000 })
    const keyv = new Keyv({ store: engine, throwOnErrors: true })
    const setAll = async (records: readonly SampleRecord[]) => {
      await keyv.setMany(records.map(({ key, value }) => ({ key: join(key), value })))
    }
    // It lists by namespace alone, so what lies below a prefix is found by looking at everything.
    const below = async (prefix: string) => {
      const entries: [string, unknown][] = []
      for await (const entry of keyv.iterator()) {
        const [key, value] = entry as [string, unknown]
        if (key.startsWith(prefix)) entries.push([key, value])
      }
      return entries
    }
    const sessions = async () => (await below("session:")).map(([, value]) => value as SampleSession)
    return {
      async write(records) {
        for (const { key, value } of records) await keyv.set(join(key), value)
      },
      async read(keys) {
        for (const key of keys) if ((await keyv.get(join(key))) === undefined) throw new Error(`no ${key}`)
      },
      batch: setAll,
      scanMessages: async () => (await below("message:")).length,
      async loadSession(sessionID) {
        const entries = await below("")
        const messages = entries.filter(([key]) => key.startsWith(`message:${sessionID}:`))
        const ids = new Set(messages.map(([key]) => key.split(":")[2]))
        const parts = entries.filter(([key]) => key.startsWith("part:") && ids.has(key.split(":")[1]))
        return messages.length + parts.length
      },
      addSessions: setAll,
      newest: async (count) => newestOf(await sessions(), count),
      children: async (parentID) => childrenOf(await sessions(), parentID),
      close: () => keyv.disconnect(),
    }
  },
}

function join(key: readonly string[]): string {
  return key.join(":")
}
