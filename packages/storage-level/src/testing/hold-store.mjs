import { LevelStorage } from "../../dist/index.js"

// Holds the store until it is killed.
const storage = await LevelStorage.open(JSON.parse(process.argv[2]))
await storage.write(["held"], true)
process.stdout.write("held\n")
setInterval(() => undefined, 60_000)
