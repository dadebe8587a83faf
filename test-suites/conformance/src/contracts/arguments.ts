import type { Key } from "@sessile/core/storage"
import { expectSame } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { fill, recordsAt } from "./records.js"
import { selectionArguments } from "./selection-arguments.js"
import { expectContents, expectSuccess } from "./store-contents.js"

const KEYS: readonly Key[] = ["0", "1", "2", "3"].map((name) => ["a", name])

/** Arguments count as they are when a method is called, those of an iteration when its first step is asked for. */
export const methodArguments: ContractGroup = {
  name: "Arguments",
  required: true,
  contracts: [
    {
      id: "arguments/read",
      title: "read takes the key as it is at the call",
      check: async ({ storage }) => {
        const records = recordsAt(KEYS)
        await fill(storage, records)
        const read = await withOneKey((key) => storage.read(key))
        const expected = records.map(({ value }) => value)
        expectSame(read, expected, "read took a key that was changed after the call")
      },
    },
    {
      id: "arguments/write",
      title: "write takes the key and the value as they are at the call",
      check: async ({ storage }) => {
        const value: { readonly at: string[] } = { at: [] }
        await withOneKey((key) => {
          value.at.splice(0, 2, ...key)
          return storage.write(key, value)
        })
        await expectContents(storage, recordsAt(KEYS), "write took what was changed after the call")
      },
    },
    {
      id: "arguments/update",
      title: "update takes the key as it is at the call",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(KEYS))
        const given = await withOneKey((key) =>
          storage.update<Draft>(key, (draft) => draft.at.push("edited")),
        )
        const expected = KEYS.map((key) => ({ at: [...key, "edited"] }))
        expectSame(given, expected, "update took a key that was changed after the call")
      },
    },
    {
      id: "arguments/draft",
      title: "update stores and gives the draft as it is when the editor returns",
      check: async ({ storage }) => {
        const key = ["a"]
        await storage.write(key, { at: key })
        const given = await storage.update<Draft>(key, (draft) => {
          draft.at.push("edited")
          queueMicrotask(() => draft.at.push("spoilt"))
        })
        const expected = { at: ["a", "edited"] }
        expectSame(given, expected, "update gave what was changed after the editor", key)
        expectSame(await storage.read(key), expected, "update stored what was changed after the editor", key)
      },
    },
    {
      id: "arguments/remove",
      title: "remove takes the key as it is at the call",
      check: async ({ storage }) => {
        const kept = [{ key: ["a", "spoilt"], value: "kept" }]
        await fill(storage, [...recordsAt(KEYS), ...kept])
        await withOneKey((key) => storage.remove(key))
        await expectContents(storage, kept, "remove took a key that was changed after the call")
      },
    },
    {
      id: "arguments/batch",
      title: "batch takes its operations as they are at the call",
      check: async ({ storage }) => {
        const kept = recordsAt([["b"], ["c"], ["d"]])
        await fill(storage, [...kept, ...recordsAt([["gone"]])])
        const write = { type: "write" as const, key: ["a"], value: { at: ["a"] } }
        const remove = { type: "remove" as const, key: ["gone"] }
        const operations = [write, remove]
        const done = storage.batch(operations)
        write.value.at[0] = "spoilt"
        write.key[0] = "b"
        remove.key[0] = "c"
        operations.push({ type: "remove", key: ["d"] })
        await done
        const expected = [...recordsAt([["a"]]), ...kept]
        await expectContents(storage, expected, "batch took what was changed after the call")
      },
    },
    ...selectionArguments,
  ],
}

interface Draft {
  readonly at: string[]
}

/** Calls a method for each key at once, with one array that is changed from call to call, and after the last. */
async function withOneKey<T>(call: (key: Key) => Promise<T>): Promise<T[]> {
  const shared = ["a", ""]
  const calls = KEYS.map((key) => {
    shared.splice(0, 2, ...key)
    return call(shared)
  })
  shared[1] = "spoilt"
  return expectSuccess(() => Promise.all(calls), "A call failed whose key was changed after it")
}
