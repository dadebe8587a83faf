import { readSync, writeSync } from "node:fs"
import { JsonStorage } from "../../dist/index.js"

// Begins an update and stands still inside its editor, heartbeat included, until it is sent a byte. By its clock
// that took `standstill` milliseconds. Then it ends the update, and lives until its input ends.
const { path, key, standstill } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path })
try {
  await storage.update(key, (draft) => {
    draft.count += 1
    writeSync(1, "in the editor")
    readSync(0, Buffer.alloc(1))
    const now = Date.now
    Date.now = () => now() + standstill
  })
  writeSync(1, "stored")
} catch (error) {
  writeSync(1, error.code)
}
process.stdin.resume()
