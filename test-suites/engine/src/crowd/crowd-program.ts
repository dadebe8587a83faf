// Has a crowd work on a store, and prints what its sessions told where that differs.
import { writeSync } from "node:fs"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { runCrowd } from "./crowd.js"

const [path = "", ...names] = process.argv.slice(2)
await using storage = await SqliteStorage.open({ path })
const told = new Set(await runCrowd(storage, names))
writeSync(1, JSON.stringify([...told]))
