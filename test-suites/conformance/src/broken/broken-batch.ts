import { encodeKey, type Operation, type Storage, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"

/** Faults in what batches do, and when. */
export const brokenBatch: readonly BrokenAdapter[] = [
  fault("a batch forgets its removals", ["batch/writes-and-removes", "batch/in-order"], (sound) => ({
    batch: (operations, options) =>
      sound.batch(
        operations.filter(({ type }) => type === "write"),
        options,
      ),
  })),
  fault("a batch writes first and removes afterwards", ["batch/in-order"], (sound) => ({
    batch: (operations, options) => {
      const rank = ({ type }: Operation) => (type === "write" ? 0 : 1)
      return sound.batch(
        operations.toSorted((a, b) => rank(a) - rank(b)),
        options,
      )
    },
  })),
  fault("of several writes to one key the first one stays", ["batch/last-write-wins"], (sound) => ({
    batch: (operations, options) => {
      const names = operations.map(({ key }) => encodeKey(key))
      return sound.batch(
        operations.filter((_, position) => names.indexOf(names[position] as string) === position),
        options,
      )
    },
  })),
  fault("an empty batch is an error", ["batch/empty"], (sound) => ({
    batch: async (operations, options) => {
      if (operations.length === 0) throw new StorageError("IO", 'near ")": syntax error')
      await sound.batch(operations, options)
    },
  })),
  fault(
    "a batch is a series of single operations",
    [
      "batch/invalid-key",
      "batch/invalid-value",
      "batch/unknown-operation",
      "batch/concurrent",
      "batch/seen-as-a-whole",
    ],
    (sound) => ({ batch: (operations) => oneByOne(sound, operations) }),
  ),
  fault("an unknown operation is a removal", ["batch/unknown-operation"], (sound) => ({
    batch: (operations, options) => {
      const known = operations.map((operation) =>
        operation.type === "write" ? operation : ({ type: "remove", key: operation.key } as const),
      )
      return sound.batch(known, options)
    },
  })),
  fault("a batch takes no more than 999 operations", ["batch/many-operations"], (sound) => ({
    batch: async (operations, options) => {
      if (operations.length > 999) throw new StorageError("IO", "too many SQL variables")
      await sound.batch(operations, options)
    },
  })),
  fault(
    "a batch is checked and carried out by 1,000 operations at a time",
    ["batch/thousands-refused", "batch/thousands-read-as-a-whole", "batch/thousands-seen-as-a-whole"],
    (sound) => ({
      batch: async (operations, options) => {
        if (operations.length === 0) return sound.batch(operations, options)
        for (let start = 0; start < operations.length; start += 1_000) {
          await sound.batch(operations.slice(start, start + 1_000), options)
        }
      },
    }),
  ),
  fault("an atomic batch is refused though it is declared", ["batch/atomic-demand-granted"], (sound) => ({
    batch: async (operations, options) => {
      if (options?.atomic) throw new StorageError("UNSUPPORTED", "This store cannot give an atomic batch")
      await sound.batch(operations, options)
    },
  })),
  fault(
    "an atomic batch is carried out though it is not declared",
    ["batch/atomic-demand-refused"],
    (sound) => ({
      capabilities: { ...sound.capabilities, atomicBatch: false },
    }),
  ),
  fault("an atomic batch is refused when it is done", ["batch/atomic-demand-refused"], (sound) => ({
    capabilities: { ...sound.capabilities, atomicBatch: false },
    batch: async (operations, options) => {
      await sound.batch(operations)
      if (options?.atomic) throw new StorageError("UNSUPPORTED", "This store cannot give an atomic batch")
    },
  })),
  fault("unknown options of a batch are passed over", ["batch/invalid-options"], (sound) => ({
    batch: (operations, options) => sound.batch(operations, { atomic: options?.atomic }),
  })),
]

async function oneByOne(sound: Storage, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    if (operation.type === "write") await sound.write(operation.key, operation.value)
    else if (operation.type === "remove") await sound.remove(operation.key)
    else throw new StorageError("INVALID_ARGUMENT", "There is no such operation")
  }
}
