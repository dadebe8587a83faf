// A process of its own, on the build: opens a store with some indexes, and does what it is told, line by line.
import { createInterface } from "node:readline"
import { SqliteStorage } from "../../dist/index.js"

const [path, indexes] = process.argv.slice(2)
const storage = await SqliteStorage.open({ path, indexes: JSON.parse(indexes) })
process.stdout.write("open\n")
for await (const line of createInterface({ input: process.stdin })) {
  const [verb, ...parameters] = JSON.parse(line)
  if (verb === "write") for (const [key, value] of parameters) await storage.write(key, value)
  if (verb === "remove") for (const key of parameters) await storage.remove(key)
  const ids = []
  if (verb === "find") for await (const { key } of storage.find(parameters[0])) ids.push(key.at(-1))
  process.stdout.write(`${JSON.stringify(ids)}\n`)
}
await storage.close()
