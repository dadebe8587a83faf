import { writeSync } from "node:fs"
import { JsonStorage } from "../../dist/index.js"

// Counts a record up, over and over, and prints a dot for each update that was acknowledged.
const { path, key } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path })
for (;;) {
  await storage.update(key, (draft) => {
    draft.count += 1
  })
  writeSync(1, ".")
}
