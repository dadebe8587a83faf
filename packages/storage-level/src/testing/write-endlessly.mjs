import { randomBytes } from "node:crypto"
import { LevelStorage } from "../../dist/index.js"

// Replaces a few large records over and over, so that LevelDB is always busy with its files, and prints each number
// that is stored.
const [path, first] = process.argv.slice(2)
const storage = await LevelStorage.open({ path })
for (let number = Number(first); ; number++) {
  const session = { title: randomBytes(60_000).toString("base64"), number, time: { updated: number } }
  await storage.write(["session", "p", String(number % 40)], session)
  process.stdout.write(`${number}\n`)
}
