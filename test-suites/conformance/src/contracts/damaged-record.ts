import { encodeKey, isTextStorage, type Storage, StorageError, type TextEntry } from "@sessile/core/storage"
import { alterFiles } from "../alter-files.js"
import { expectRejection, expectSame, expectThat, gather } from "../assertions.js"
import { type Contract, ContractSkip } from "../contract.js"
import type { Lab } from "../lab.js"
import { entriesOf } from "./records.js"

const UNIQUE = "unique-0123456789-abcdefghij"

const before = { key: ["record", "a"], value: { text: "before" } }
const damaged = { key: ["record", "b"], value: { text: UNIQUE } }
const after = { key: ["record", "c"], value: { text: "after" } }
const keys = [before, damaged, after].map(({ key }) => key)

/** What holds of the neighbours of a record that was damaged outside of the store. */
export const damagedRecord: Contract = {
  id: "failures/damaged-record",
  title: "a record that was damaged outside of the store rejects with CORRUPT, and its neighbours come",
  needs: { durable: true },
  check: async (lab) => {
    const storage = await reopenDamaged(lab)
    if (storage === undefined) return
    await expectRejection(
      () => storage.read(damaged.key),
      "CORRUPT",
      "A damaged record was read",
      damaged.key,
    )
    await expectRejection(() => gather(storage.scan([])), "CORRUPT", "A scan passed over a damaged record")
    const errors: StorageError[] = []
    const found = await entriesOf(storage.scan([], { onCorrupt: (error) => errors.push(error) }))
    expectSame(found, [before, after], "A scan that hears of damaged records gave other records")
    const codes = errors.map(({ code }) => code)
    expectSame(codes, ["CORRUPT"], "A scan did not report the damaged record once, as CORRUPT", damaged.key)
    expectSame(await storage.list([]), keys, "A list does not have the damaged record")
    await storage.write(damaged.key, damaged.value)
    expectSame(
      await storage.read(damaged.key),
      damaged.value,
      "A damaged record cannot be replaced",
      damaged.key,
    )
  },
}

/** The same for bulk methods. */
export const damagedNeighbours: Contract = {
  id: "bulk/damaged-neighbours",
  title:
    "a damaged record has its position among those that are read together, is never replaced, and spoils no other",
  needs: { durable: true },
  check: async (lab) => {
    const storage = await reopenDamaged(lab)
    if (storage === undefined) return
    if (!isTextStorage(storage)) throw new ContractSkip("the store has no bulk methods")
    const encoded = [after, damaged, before].map(({ key }) => encodeKey(key))
    const read = () => storage.readTexts(encoded)
    expectNeighbours(await read(), "Records that are read together")
    expectNeighbours((await gather(storage.scanTexts())).flat().reverse(), "A bulk scan")
    const present = await storage.addTexts(encoded.map((key) => ({ key, text: '"added"' })))
    expectNeighbours(present, "What is in the way of added records")
    expectNeighbours(await read(), "After adding, records that are read together")
  },
}

function expectNeighbours(entries: readonly (TextEntry | undefined)[], what: string): void {
  const found = entries.map((entry) => (entry && "text" in entry ? parsed(entry.text) : undefined))
  const problem = `${what}: not the damaged record and its neighbours, each in its position`
  expectSame(found, [after.value, undefined, before.value], problem)
  const [, middle] = entries
  expectThat(middle !== undefined, `${what}: the damaged record counts as absent`, damaged.key)
  if ("error" in middle)
    expectSame(middle.error.code, "CORRUPT", `${what}: another error than CORRUPT`, damaged.key)
}

/** Opens the store with a damaged record in it; `undefined` where it is refused as `CORRUPT` as a whole. */
async function reopenDamaged(lab: Lab): Promise<Storage | undefined> {
  for (const { key, value } of [after, damaged, before]) await lab.storage.write(key, value)
  await lab.close()
  // A line break in the place of the quote: no JSON any more, and as long as before.
  if (!(await alterFiles(lab.folder, `${UNIQUE}"`, `${UNIQUE}\n`))) {
    throw new ContractSkip("the store keeps no plain text in its folder")
  }
  try {
    return await lab.reopen()
  } catch (error) {
    if (StorageError.is(error, "CORRUPT")) return undefined
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
