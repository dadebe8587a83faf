import { readSync, writeSync } from "node:fs"
import { JsonStorage } from "../../dist/index.js"

// Begins an update and stands still inside its editor, without a sign of life, until it is sent a byte. Then it ends the
// update, prints what became of it, and lives until its input ends.
const { path, key } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path })
try {
  await storage.update(key, (draft) => {
    draft.count += 1
    writeSync(1, "in the editor")
    readSync(0, Buffer.alloc(1))
  })
  writeSync(1, "stored")
} catch (error) {
  writeSync(1, error.code)
}
process.stdin.resume()
