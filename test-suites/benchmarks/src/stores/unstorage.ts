import { createStorage, type StorageValue } from "unstorage"
import fsDriver from "unstorage/drivers/fs"
import type { SampleRecord, SampleSession } from "../sample-records.js"
import { childrenOf, newestOf, type StoreKind } from "./store.js"

/** unstorage on files, as it comes: no atomic replacement, no locks. */
export const unstorage: StoreKind = {
  name: "unstorage",
  mostSessions: 10_000,
  async open(folder) {
    const storage = createStorage({ driver: fsDriver({ base: folder }) })
    const setAll = async (records: readonly SampleRecord[]) => {
      await storage.setItems(
        records.map(({ key, value }) => ({ key: join(key), value: value as StorageValue })),
      )
    }
    const below = async (prefix: string) => storage.getItems(await storage.getKeys(prefix))
    const sessions = async () =>
      (await below("session")).map(({ value }) => value as unknown as SampleSession)
    return {
      async write(records) {
        for (const { key, value } of records) await storage.setItem(join(key), value as StorageValue)
      },
      async read(keys) {
        for (const key of keys) if ((await storage.getItem(join(key))) === null) throw new Error(`no ${key}`)
      },
      batch: setAll,
      scanMessages: async () => (await below("message")).length,
      async loadSession(sessionID) {
        // getKeys walks the whole folder whatever it is asked for, so it is asked once.
        const keys = await storage.getKeys()
        const messages = keys.filter((key) => key.startsWith(`message:${sessionID}:`))
        const ids = new Set(messages.map((key) => key.split(":")[2]))
        const parts = keys.filter((key) => key.startsWith("part:") && ids.has(key.split(":")[1]))
        return (await storage.getItems(messages)).length + (await storage.getItems(parts)).length
      },
      addSessions: setAll,
      newest: async (count) => newestOf(await sessions(), count),
      children: async (parentID) => childrenOf(await sessions(), parentID),
      close: () => storage.dispose(),
    }
  },
}

function join(key: readonly string[]): string {
  return key.join(":")
}
