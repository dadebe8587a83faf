import { StorageError } from "@sessile/core/storage"
import type { OpencodeSchema, OpencodeStorage } from "@sessile/opencode-db"
import { isVacant, lookAt } from "./findings.js"
import { isSessile, isSqlite } from "./sqlite-kind.js"
import type { StoreKind, Target } from "./store-kind.js"

/** The database of opencode 1.2 to 1.18, with the files beside it. */
export const opencodeKind: StoreKind = {
  description: "opencode's own database, with the files beside it",
  medium: "file",
  newFile: /(^|[/\\])opencode\.db$/i,
  isSourceIfPresent: true,
  threads: 1,
  altersRecords: true,
  // What is there is what opencode works with.
  onConflict: "skip",
  recognises: async ({ path, header }) => {
    if (header === undefined || !isSqlite(header) || isSessile(header)) return false
    const { kind } = await (await engine()).detectOpencodeDatabase(path)
    return kind.startsWith("opencode")
  },
  load: () => engine(),
  openForReading: async (path) => (await engine()).OpencodeStorage.open({ path, readonly: true }),
  openForWriting: async (path, onLockWait) => {
    const isNew = isVacant(await lookAt(path))
    const storage = await (await engine()).OpencodeStorage.open({ path, create: true, onLockWait })
    const target = await targetOf(storage, path)
    return isNew ? target : { ...target, backUp: () => storage.backup() }
  },
  preview: async (path) =>
    targetOf(await (await engine()).OpencodeStorage.open({ path, create: true, readonly: true }), path),
  describe: async (path) => {
    await using storage = await (await engine()).OpencodeStorage.open({ path, readonly: true })
    return { layout: `database of opencode ${storage.schema.era}`, schema: storage.schema }
  },
  lookCommand: () => "opencode session list, in the folder of a project",
}

// Whoever does not use it need not wait for it, nor have it built.
const engine = () => import("@sessile/opencode-db")

async function targetOf(storage: OpencodeStorage, path: string): Promise<Target> {
  const { obstacle } = storage.schema
  if (obstacle === undefined) return { storage, warnings: warningsAbout(storage.schema) }
  await storage.close()
  throw new StorageError("UNSUPPORTED", obstacle, { path })
}

function warningsAbout({ era, takenOverBy2 }: OpencodeSchema): string[] {
  if (takenOverBy2) {
    return [
      "opencode 2.x has already imported this database, which it does only once: opencode 1.x will show what is added now, 2.x will not.",
    ]
  }
  if (era === "1.x") return []
  return [
    "When opencode 2.x starts for the first time, it imports the sessions of this database, once: it will show what is added now, but nothing that is added later.",
  ]
}
