import { encodeKey } from "@sessile/core/storage"
import { JsonStorage } from "../../dist/index.js"

// Adds a text of its own under every key, in small lots, and prints what each key holds by then.
const { path, keys, text } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path })
const seen = []
for (let start = 0; start < keys.length; start += 7) {
  const records = keys.slice(start, start + 7).map((key) => ({ key: encodeKey(key), text }))
  const present = await storage.addTexts(records)
  seen.push(...present.map((entry) => entry?.text ?? text))
}
await storage.close()
process.stdout.write(JSON.stringify(seen))
