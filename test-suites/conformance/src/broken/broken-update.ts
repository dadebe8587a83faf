import { setImmediate as nextTurn } from "node:timers/promises"
import { encodeKey, type Key, KeyLock, type Storage, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"
import { recordExists } from "./record-exists.js"

type Edit = (draft: never) => unknown

/** Faults in updates. */
export const brokenUpdate: readonly BrokenAdapter[] = [
  updateFault(
    "reading and writing an update are two steps",
    [
      "update/concurrent-on-one-key",
      "update/concurrent-on-many-keys",
      "update/beside-writes",
      "update/beside-batches",
      "update/beside-removes",
    ],
    (sound) => (key, edit) => editInTwoSteps(sound, key, edit),
  ),
  updateFault(
    "updates wait for each other, but not for writes, batches and removals",
    ["update/beside-writes", "update/beside-batches", "update/beside-removes"],
    (sound) => {
      const locks = new KeyLock()
      return (key, edit) => locks.exclusive(encodeKey(key), () => editInTwoSteps(sound, key, edit))
    },
  ),
  updateFault(
    "all updates edit the draft that was read first",
    ["update/concurrent-on-many-keys"],
    (sound) => {
      let reading: Promise<unknown> | undefined
      return async (key, edit) => {
        reading ??= sound.read(key)
        const draft = await reading
        edit(draft as never)
        await sound.write(key, draft)
        return draft
      }
    },
  ),
  updateFault(
    "an update of an absent record starts from an empty one",
    ["update/not-found"],
    (sound) => async (key, edit) => {
      if (!(await recordExists(sound, key))) await sound.write(key, {})
      return sound.update(key, edit)
    },
  ),
  updateFault(
    "the editor is asked before the record is looked for",
    ["update/not-found"],
    (sound) => async (key, edit) => {
      if (!(await recordExists(sound, key))) edit({} as never)
      return sound.update(key, edit)
    },
  ),
  updateFault(
    "an update gives the value from before",
    ["update/any-value", "update/gives-what-was-stored"],
    (sound) => async (key, edit) => {
      const before = await sound.read(key)
      await sound.update(key, edit)
      return before
    },
  ),
  updateFault(
    "an update gives the draft",
    ["update/gives-what-was-stored", "update/fresh-copies"],
    (sound) => async (key, edit) => {
      let kept: unknown
      await sound.update(key, (draft) => {
        kept = draft
        return edit(draft as never)
      })
      return kept
    },
  ),
  updateFault(
    "an update of what is no object is refused",
    ["update/any-value"],
    (sound) => async (key, edit) => {
      const value = await sound.read(key)
      if (typeof value !== "object" || value === null)
        throw new StorageError("INVALID_VALUE", "No object", { key })
      return sound.update(key, edit)
    },
  ),
  updateFault(
    "fields that are not known are lost in an update",
    ["update/stores-the-change"],
    (sound) => (key, edit) =>
      sound.update<Record<string, unknown>>(key, (draft) => {
        const result = edit(draft as never)
        delete draft.unknown
        return result
      }),
  ),
  updateFault(
    "changed fields move to the end",
    ["update/stores-the-change"],
    (sound) => (key, edit) =>
      sound.update<Record<string, unknown>>(key, (draft) => {
        const before = { ...draft }
        const result = edit(draft as never)
        for (const [name, value] of Object.entries(draft)) {
          if (before[name] === value) continue
          delete draft[name]
          draft[name] = value
        }
        return result
      }),
  ),
  updateFault(
    "what the editor returns is stored",
    ["update/result-of-editor-ignored"],
    (sound) => (key, edit) =>
      sound.update<object>(key, (draft) => {
        Object.assign(draft, edit(draft as never))
      }),
  ),
  updateFault(
    "the error of an editor is wrapped",
    ["update/error-of-editor"],
    (sound) => (key, edit) =>
      sound.update(key, edit).catch((error: unknown) => {
        throw StorageError.is(error) ? error : new StorageError("IO", "The update failed", { cause: error })
      }),
  ),
  updateFault(
    "the draft is stored even when the editor throws",
    ["update/error-of-editor"],
    (sound) => async (key, edit) => {
      const draft = await sound.read(key)
      try {
        edit(draft as never)
      } finally {
        await sound.write(key, draft)
      }
      return draft
    },
  ),
  updateFault(
    "an update that failed keeps its lock",
    ["update/error-of-editor", "update/invalid-result-refused", "update/asynchronous-editor-refused"],
    (sound) => {
      let locked = false
      return async (key, edit) => {
        if (locked) throw new StorageError("LOCKED", "The record is locked", { key })
        locked = true
        const stored = await sound.update(key, edit)
        locked = false
        return stored
      }
    },
  ),
  updateFault(
    "drafts go through JSON.stringify unchecked",
    ["update/invalid-result-refused"],
    (sound) => async (key, edit) => {
      const draft = await sound.read(key)
      edit(draft as never)
      await sound.write(key, JSON.parse(JSON.stringify(draft)))
      return sound.read(key)
    },
  ),
  updateFault(
    "an asynchronous editor is not waited for",
    ["update/asynchronous-editor-refused"],
    (sound) => (key, edit) =>
      sound.update(key, (draft) => {
        edit(draft as never)
      }),
  ),
]

function updateFault(
  name: string,
  caughtBy: readonly string[],
  replacement: (sound: Storage) => (key: Key, edit: Edit) => Promise<unknown>,
): BrokenAdapter {
  return fault(name, caughtBy, (sound) => {
    const update = replacement(sound)
    return { update: (key, edit) => update(key, edit) as never }
  })
}

async function editInTwoSteps(storage: Storage, key: Key, edit: Edit): Promise<unknown> {
  const draft = await storage.read(key)
  edit(draft as never)
  await nextTurn()
  await storage.write(key, draft)
  return structuredClone(draft)
}
