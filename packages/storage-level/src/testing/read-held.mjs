import { LevelStorage } from "../../dist/index.js"

// Reads a store until it is killed.
const storage = await LevelStorage.open({ path: process.argv[2], readonly: true })
process.stdout.write(`${(await storage.list([])).length}\n`)
setInterval(() => undefined, 60_000)
