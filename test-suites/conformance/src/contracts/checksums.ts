import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Key, type Storage, StorageError } from "@sessile/core/storage"
import { ContractFailure, expectRejection, expectSame, gather } from "../assertions.js"
import { type ContractGroup, ContractSkip } from "../contract.js"
import type { Lab } from "../lab.js"

const altered: Key = ["session", "p", "altered"]
const beside: Key = ["session", "p", "beside"]

/** Short enough that no engine compresses it, and nothing else: it is found in the files of a store. */
const TEXT = "q7Zk2XvB9"

/** The same text after the damage, for adapters that are broken on purpose. */
export const ALTERED_TEXT = "q7Zk2XvC9"

/** What a store notices of a record that was altered outside of it. */
export const checksums: ContractGroup = {
  name: "Checksums",
  required: false,
  contracts: [
    {
      id: "checksums/altered-value",
      title:
        "a value in which a bit was flipped at rest is CORRUPT in every way of reading, never wrong data",
      needs: { durable: true, checksums: true },
      check: async (lab) => {
        const storage = await openAltered(lab)
        if (storage === undefined) return
        const readings: Record<string, () => Promise<unknown>> = {
          read: () => storage.read(altered),
          update: () => storage.update(altered, () => undefined),
          scan: () => gather(storage.scan(["session"])),
          scanMany: () => gather(storage.scanMany([["session"]])),
          find: () => gather(storage.find("sessions-by-project")),
        }
        for (const [method, reading] of Object.entries(readings)) {
          await expectRejection(reading, "CORRUPT", `${method} did not notice an altered record`, altered)
        }
      },
    },
    {
      id: "checksums/undeclared",
      title: "a store that does not declare checksums gives an altered value as it is",
      needs: { durable: true, checksums: false },
      check: async (lab) => {
        const storage = await openAltered(lab)
        const problem = "The store notices an altered record, and does not declare checksums"
        if (storage === undefined) throw new ContractFailure({ problem })
        const found = await storage.read(altered).catch((error: unknown) => {
          if (StorageError.is(error, "CORRUPT")) throw new ContractFailure({ problem, key: altered })
          throw error
        })
        expectSame(
          found,
          { text: ALTERED_TEXT },
          "A value that was altered is neither altered nor refused",
          altered,
        )
      },
    },
  ],
}

/** Flips a bit in a record of a closed store, and opens it again; `undefined` where opening it is refused as CORRUPT. */
async function openAltered(lab: Lab): Promise<Storage | undefined> {
  await lab.storage.write(altered, { text: TEXT })
  await lab.storage.write(beside, { text: "beside" })
  await lab.close()
  if (!(await alterFiles(lab.folder))) {
    throw new ContractSkip("the store does not keep its values as they are in its folder")
  }
  try {
    return await lab.reopen()
  } catch (error) {
    if (StorageError.is(error, "CORRUPT")) return undefined
    throw error
  }
}

async function alterFiles(folder: string): Promise<boolean> {
  let isAltered = false
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    for (let at = content.indexOf(TEXT); at !== -1; at = content.indexOf(TEXT, at + 1)) {
      content.write(ALTERED_TEXT, at)
      await writeFile(path, content)
      isAltered = true
    }
  }
  return isAltered
}
