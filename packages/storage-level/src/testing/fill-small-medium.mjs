import { randomBytes } from "node:crypto"
import { LevelStorage } from "../../dist/index.js"

// Fills a small file system with what cannot be compressed, and prints what came of it.
const options = { path: process.argv[2] }
let storage = await LevelStorage.open(options)
const written = []
let refusal
while (refusal === undefined) {
  const key = ["filling", String(written.length).padStart(4, "0")]
  const value = randomBytes(20_000).toString("base64")
  await storage.write(key, value).then(
    () => written.push({ key, value }),
    (error) => {
      refusal = error.code
    },
  )
}
const again = await storage.write(["again"], "x".repeat(50_000)).catch((error) => error.code)
await storage.remove(written[0].key)
await storage.close()
storage = await LevelStorage.open(options)
const kept = []
for await (const entry of storage.scan([])) kept.push(entry)
await storage.close()
const same = JSON.stringify(kept) === JSON.stringify(written.slice(1))
process.stdout.write(JSON.stringify({ refusal, again, some: written.length > 10, same }))
