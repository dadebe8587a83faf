import { readSync, writeSync } from "node:fs"
import { JsonStorage } from "../../dist/index.js"

// Begins an update `late` milliseconds ago, prints "in", and stands still inside its editor, heartbeat included,
// until it is sent a byte. Then it is now, and the update ends.
const { path, key, late } = JSON.parse(process.argv[2])
const now = Date.now
Date.now = () => now() - late
const storage = await JsonStorage.open({ path })
try {
  await storage.update(key, (draft) => {
    draft.count += 1
    writeSync(1, "in")
    readSync(0, Buffer.alloc(1))
    Date.now = now
  })
  writeSync(1, " stored")
} catch (error) {
  writeSync(1, ` ${error.code}`)
}
