import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import type { Entry, Storage } from "@sessile/core/storage"
import { expectSame } from "../assertions.js"
import type { Contract } from "../contract.js"
import type { Lab } from "../lab.js"
import { skipUnlessInFolder } from "./in-folder.js"
import { fillMany } from "./many-records.js"
import { outcomeOf } from "./outcome.js"
import { entriesOf, recordsAt, spacedKeys } from "./records.js"

const kept = recordsAt(spacedKeys(["session", "p"], 10))
const keys = kept.map(({ key }) => key)

/** What holds when somebody moves the store away under its process, as a lost mount does. */
export const folderGone: Contract = {
  id: "failures/folder-gone",
  title:
    "while the folder of the store is gone methods succeed or reject with a StorageError, and nothing is lost",
  needs: { durable: true },
  check: async (lab) => {
    const { storage } = lab
    await fillMany(storage, kept)
    await skipUnlessInFolder(lab)
    const acknowledged = await whileFolderIsGone(lab, async () => {
      for (const [method, { actual, expected }] of Object.entries(readings(storage))) {
        const problem = `${method} gave something else while the folder was gone, without an error`
        await outcomeOf(async () => expectSame(await actual(), expected, problem))
      }
      return changeSome(storage)
    })
    await outcomeOf(() => lab.close())
    const reopened = await lab.reopen()
    const problem = "After its folder came back the store does not hold what was acknowledged"
    expectSame(await entriesOf(reopened.scan(["session"])), kept, problem)
    for (const { key, value } of acknowledged) expectSame(await reopened.read(key), value, problem, key)
  },
}

function readings(storage: Storage): Record<string, { actual: () => Promise<unknown>; expected: unknown }> {
  const { snapshots: snapshot } = storage.capabilities
  return {
    read: { actual: () => storage.read(["session", "p", "000010"]), expected: kept[0]?.value },
    list: { actual: () => storage.list(["session"]), expected: keys },
    scan: { actual: () => entriesOf(storage.scan(["session"])), expected: kept },
    "scan of a snapshot": {
      actual: () => entriesOf(storage.scan(["session"], { snapshot })),
      expected: kept,
    },
    scanMany: { actual: () => entriesOf(storage.scanMany([["session"], ["other"]])), expected: kept },
    find: { actual: () => entriesOf(storage.find("sessions-by-updated")), expected: kept },
  }
}

/** Tries every change, and gives the records that were acknowledged. */
async function changeSome(storage: Storage): Promise<Entry<unknown>[]> {
  const written = { key: ["changed", "write"], value: "written" }
  const batched = { key: ["changed", "batch"], value: "batched" }
  const acknowledged: Entry<unknown>[] = []
  if ((await outcomeOf(() => storage.write(written.key, written.value))) === "done")
    acknowledged.push(written)
  if ((await outcomeOf(() => storage.batch([{ type: "write", ...batched }]))) === "done")
    acknowledged.push(batched)
  await outcomeOf(() => storage.update(["session", "p", "000020"], () => undefined))
  await outcomeOf(() => storage.remove(["absent"]))
  return acknowledged
}

async function whileFolderIsGone<T>({ folder }: Lab, action: () => Promise<T>): Promise<T> {
  const away = `${folder}-away`
  await rename(folder, away)
  try {
    await writeFile(folder, "not a folder")
    return await action()
  } finally {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    await rename(away, folder)
  }
}
