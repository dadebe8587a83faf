import type { StoreKind } from "./store-kind.js"

/** A folder with a LevelDB database. */
export const levelKind: StoreKind = {
  description: "a folder with a LevelDB database",
  medium: "folder",
  threads: 0,
  recognises: async ({ names }) =>
    names?.includes("CURRENT") === true && names.some((name) => name.startsWith("MANIFEST-")),
  openForReading: async (path) => (await engine()).LevelStorage.open({ path, readonly: true }),
  openForWriting: async (path) => ({ storage: await (await engine()).LevelStorage.open({ path }) }),
  repair: async (path) => (await engine()).LevelStorage.repair(path),
  describe: async () => ({ layout: "LevelDB database of Sessile" }),
}

// Whoever does not use it need not wait for it, nor have it built.
const engine = () => import("@sessile/storage-level")
