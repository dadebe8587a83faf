import type { Entry, Storage } from "@sessile/core/storage"
import { expectSame, expectThat, gather } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { recordsAt } from "./records.js"
import { expectAbsent, expectContents } from "./store-contents.js"
import { valueContracts } from "./values.js"

const SESSION = ["session", "project", "ses_1"]

export const readWrite: ContractGroup = {
  name: "Read and write",
  required: true,
  contracts: [
    {
      id: "read-write/not-found",
      title: "reading a key without a record rejects with NOT_FOUND, whatever lies above or below it",
      check: async ({ storage }) => {
        await expectAbsent(storage, ["a"], "An empty store gave a record")
        await storage.write(["a", "b", "c"], {})
        for (const key of [["a"], ["a", "b"], ["a", "b", "c", "d"], ["a", "b", "cc"], ["c"]]) {
          await expectAbsent(storage, key, "A key that was never written gave a record")
        }
      },
    },
    {
      id: "read-write/overwrite",
      title: "a write replaces the whole value that was there",
      check: async ({ storage }) => {
        const key = ["a", "b"]
        const values = [
          { a: 1, b: { c: 2 } },
          { b: { d: 3 } },
          "x".repeat(10_000),
          "y",
          [1, 2, 3],
          [4],
          null,
          {},
        ]
        for (const value of values) {
          await storage.write(key, value)
          expectSame(await storage.read(key), value, "read gave something else than was last written", key)
        }
        await expectContents(storage, [{ key, value: {} }], "Writing a key again left more than one record")
      },
    },
    ...valueContracts,
    {
      id: "read-write/fresh-copies",
      title: "values come back as copies: changing one changes neither the store nor another copy",
      check: async ({ storage }) => {
        const written = sample()
        await storage.write(SESSION, written)
        spoil(written)
        await expectUnspoilt(storage, "Changing a value after it was written changed the record")
        const batched = sample()
        await storage.batch([{ type: "write", key: SESSION, value: batched }])
        spoil(batched)
        await expectUnspoilt(storage, "Changing a value after its batch changed the record")

        for (const [method, copies] of Object.entries(copiesFrom(storage))) {
          const [first, second] = [await copies(), await copies()]
          expectThat(first !== second, `${method} gave the same object twice, not copies`, SESSION)
          spoil(first)
          expectSame(second, sample(), `Changing what ${method} gave changed what it gave before`, SESSION)
          await expectUnspoilt(storage, `Changing what ${method} gave changed the record`)
        }
      },
    },
    {
      id: "read-write/concurrent-writes",
      title: "writes to many keys at once all take place",
      check: async ({ storage }) => {
        const names = Array.from({ length: 200 }, (_, number) => String(number).padStart(3, "0"))
        const records = recordsAt(names.map((name) => ["folder", name.slice(0, 2), name]))
        await Promise.all(records.map(({ key, value }) => storage.write(key, value)))
        await expectContents(storage, records, "Of writes at once, some were lost or mixed up")
      },
    },
    {
      id: "read-write/no-mixtures",
      title: "whoever reads a key while it is written gets one of the values, whole",
      check: async ({ storage }) => {
        const filledWith = (letter: string) => ({ letter, text: letter.repeat(50_000), end: letter })
        await storage.write(SESSION, filledWith("a"))
        for (const letters of ["abcde", "fghij", "klmno"]) {
          const writes = [...letters].map((letter) => storage.write(SESSION, filledWith(letter)))
          const reads = Array.from({ length: 10 }, () => storage.read<Letters>(SESSION))
          const scans = Array.from({ length: 5 }, () => gather(storage.scan<Letters>(["session"])))
          const [scanned, read] = await Promise.all([Promise.all(scans), Promise.all(reads), ...writes])
          for (const value of [...read, ...scanned.flat().map((entry) => entry.value)]) {
            expectSame(value, filledWith(value.letter), "A read showed a mixture of two writes", SESSION)
          }
          const last = await storage.read<Letters>(SESSION)
          expectSame(last, filledWith(last.letter), "Writes at once left a mixture behind", SESSION)
          expectThat(letters.includes(last.letter), "Writes at once left an older value behind", SESSION)
        }
      },
    },
  ],
}

interface Letters {
  readonly letter: string
}

interface Sample {
  readonly a: { readonly b: number[] }
}

function sample(): Sample {
  return { a: { b: [1] } }
}

// Not by assignment, which throws when a store gives frozen values.
function spoil(value: Sample): void {
  Reflect.set(value.a.b, 0, "spoilt")
  Reflect.set(value, "a", "spoilt")
}

async function expectUnspoilt(storage: Storage, problem: string): Promise<void> {
  for (const copy of Object.values(copiesFrom(storage))) expectSame(await copy(), sample(), problem, SESSION)
}

function copiesFrom(storage: Storage): Record<string, () => Promise<Sample>> {
  const only = async (entries: AsyncIterable<Entry<Sample>>) => (await gather(entries))[0]?.value as Sample
  return {
    read: () => storage.read<Sample>(SESSION),
    scan: () => only(storage.scan<Sample>(["session"])),
    scanMany: () => only(storage.scanMany<Sample>([["session"]])),
    find: () => only(storage.find<Sample>("sessions-by-updated")),
  }
}
