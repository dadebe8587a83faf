import type { Storage } from "@sessile/core/storage"
import { ContractFailure, expectRejection, expectSame, expectThat } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { invalidValues } from "./sample-values.js"
import { expectContents, expectSuccess } from "./store-contents.js"
import { concurrentUpdates } from "./update-concurrently.js"

const KEY = ["counter"]

export const update: ContractGroup = {
  name: "Update",
  required: true,
  contracts: [
    {
      id: "update/stores-the-change",
      title: "what the editor makes of the value is stored, and the rest stays, in its order",
      check: async ({ storage }) => {
        const value = { unknown: { z: 1, a: [null] }, count: 1, title: "a", 5: "five" }
        await storage.write(KEY, value)
        await storage.write(["neighbour"], value)
        let given: unknown
        await storage.update<typeof value & { added?: number }>(KEY, (draft) => {
          given = structuredClone(draft)
          draft.count = 2
          draft.unknown.a.push(null)
          draft.added = 3
        })
        expectSame(given, value, "The editor got another value than is stored", KEY)
        const expected = { ...value, unknown: { z: 1, a: [null, null] }, count: 2, added: 3 }
        expectSame(await storage.read(KEY), expected, "read does not show what the editor made", KEY)
        const contents = [
          { key: KEY, value: expected },
          { key: ["neighbour"], value },
        ]
        await expectContents(storage, contents, "scan does not show what the editor made")
      },
    },
    {
      id: "update/any-value",
      title: "arrays can be edited, and values that cannot be stay as they are",
      check: async ({ storage }) => {
        await storage.write(KEY, [1, 2])
        const list = await storage.update<number[]>(KEY, (draft) => {
          draft.push(3)
        })
        expectSame(list, [1, 2, 3], "An edited array was not given back", KEY)
        expectSame(await storage.read(KEY), [1, 2, 3], "An edited array was not stored", KEY)
        for (const value of [null, false, 0, "", "text", 1]) {
          await storage.write(KEY, value)
          const attempt = () => storage.update(KEY, () => undefined)
          const given = await expectSuccess(attempt, "A value that is no object could not be updated", KEY)
          expectSame(given, value, "An update that changes nothing gave another value", KEY)
          expectSame(await storage.read(KEY), value, "An update that changes nothing changed the value", KEY)
        }
      },
    },
    {
      id: "update/gives-what-was-stored",
      title: "an update gives the value as it was stored",
      check: async ({ storage }) => {
        await storage.write<Loose>(KEY, { count: 1, gone: true })
        const given = await storage.update<Loose>(KEY, (draft) => {
          draft.count = -0
          draft.gone = undefined
          draft.added = { a: undefined, b: 1 }
        })
        const expected = { count: 0, added: { b: 1 } }
        expectSame(given, expected, "update gave something else than a later read would", KEY)
        expectSame(await storage.read(KEY), expected, "read gave something else than was stored", KEY)
      },
    },
    {
      id: "update/fresh-copies",
      title: "neither the draft nor the result of an update is tied to the store",
      check: async ({ storage }) => {
        await storage.write<Loose>(KEY, { count: 1, list: [1] })
        let kept: Loose = {}
        const given = await storage.update<Loose>(KEY, (draft) => {
          kept = draft
          draft.count = 2
        })
        Reflect.set(kept.list as unknown[], 0, "spoilt")
        Reflect.set(kept, "count", "spoilt")
        const expected = { count: 2, list: [1] }
        expectSame(given, expected, "Changing the draft afterwards changed the result", KEY)
        expectSame(await storage.read(KEY), expected, "Changing the draft afterwards changed the record", KEY)
        Reflect.set(given.list as unknown[], 0, "spoilt")
        expectSame(await storage.read(KEY), expected, "Changing the result changed the record", KEY)
      },
    },
    {
      id: "update/result-of-editor-ignored",
      title: "what the editor returns plays no part",
      check: async ({ storage }) => {
        await storage.write(KEY, { count: 1 })
        const given = await storage.update<Counter>(KEY, (draft) => {
          draft.count++
          return { count: 99 }
        })
        expectSame(given, { count: 2 }, "update gave what the editor returned", KEY)
        expectSame(await storage.read(KEY), { count: 2 }, "update stored what the editor returned", KEY)
      },
    },
    {
      id: "update/not-found",
      title: "updating a key without a record rejects with NOT_FOUND and creates nothing",
      check: async ({ storage }) => {
        await storage.write(["a", "b"], {})
        for (const key of [["a"], ["a", "b", "c"], ["other"]]) {
          let called = false
          const attempt = () =>
            storage.update<Loose>(key, () => {
              called = true
            })
          await expectRejection(
            attempt,
            "NOT_FOUND",
            "There was nothing to update, and it did not reject",
            key,
          )
          expectThat(!called, "The editor was called without a value to edit", key)
        }
        expectSame(await storage.list([]), [["a", "b"]], "Updating absent keys created records")
      },
    },
    {
      id: "update/error-of-editor",
      title: "when the editor throws, its own error comes through and nothing changes",
      check: async ({ storage }) => {
        await storage.write(KEY, { count: 1 })
        // Errors of files and engines have codes too, which must not be taken for the store's own.
        const thrown = Object.assign(new Error("the editor changed its mind"), { code: "ENOENT" })
        const failure = await rejectionOf(() =>
          storage.update<Counter>(KEY, (draft) => {
            draft.count = 99
            throw thrown
          }),
        )
        if (failure !== thrown) {
          const problem = "Another error than the one that the editor threw came through"
          throw new ContractFailure({ problem, key: KEY, expected: thrown, actual: failure })
        }
        await expectStillUpdates(storage, "an editor that threw")
      },
    },
    {
      id: "update/invalid-result-refused",
      title: "a draft that is no longer JSON is refused with INVALID_VALUE and nothing changes",
      check: async ({ storage }) => {
        await storage.write(KEY, { count: 1 })
        for (const value of invalidValues.flatMap(({ values }) => values())) {
          const attempt = () =>
            storage.update<Loose>(KEY, (draft) => {
              draft.count = 99
              draft.list = [value]
            })
          await expectRejection(attempt, "INVALID_VALUE", "A draft that is not JSON was not refused", KEY)
        }
        await expectStillUpdates(storage, "invalid drafts")
      },
    },
    {
      id: "update/asynchronous-editor-refused",
      title: "an asynchronous editor is refused with INVALID_ARGUMENT and nothing changes",
      check: async ({ storage }) => {
        await storage.write(KEY, { count: 1 })
        const attempt = () =>
          storage.update<Counter>(KEY, async (draft) => {
            draft.count = 99
          })
        await expectRejection(attempt, "INVALID_ARGUMENT", "An asynchronous editor was not refused", KEY)
        await expectStillUpdates(storage, "an asynchronous editor")
      },
    },
    ...concurrentUpdates,
  ],
}

interface Counter {
  count: number
}

type Loose = Record<string, unknown>

async function expectStillUpdates(storage: Storage, cause: string): Promise<void> {
  expectSame(await storage.read(KEY), { count: 1 }, `After ${cause} the record had changed`, KEY)
  const next = () => storage.update<Counter>(KEY, increment)
  const given = await expectSuccess(next, `After ${cause} the next update failed`, KEY)
  expectSame(given, { count: 2 }, `After ${cause} the next update went wrong`, KEY)
}

async function rejectionOf(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return { resolvedWith: await action() }
  } catch (error) {
    return error
  }
}

function increment(draft: Counter): void {
  draft.count++
}
