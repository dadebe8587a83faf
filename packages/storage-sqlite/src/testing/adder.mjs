// A process of its own, on the build: adds records, and prints what it is told of each.
import { SqliteStorage } from "../../dist/index.js"

const [path, name, count] = process.argv.slice(2)
const storage = await SqliteStorage.open({ path })
const outcomes = []
for (let start = 0; start < Number(count); start += 50) {
  const records = Array.from({ length: 50 }, (_, index) => ({
    key: `session\0p\0ses_${String(start + index).padStart(4, "0")}`,
    text: JSON.stringify({ title: name }, undefined, 2),
  }))
  const present = await storage.addTexts(records)
  outcomes.push(...present.map((entry) => entry?.text ?? null))
}
await storage.close()
process.stdout.write(JSON.stringify(outcomes))
