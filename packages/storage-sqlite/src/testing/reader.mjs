// A process of its own, on the build: reads a database untouched, and ends in the middle of it.
import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { setImmediate } from "node:timers/promises"
import { SqliteStorage } from "../../dist/index.js"

const [path, manner] = process.argv.slice(2)
const opening = SqliteStorage.open({ path, untouched: true })
if (manner === "exits while copying") {
  while (readdirSync(tmpdir()).length === 0) await setImmediate()
  process.exit()
}
const storage = await opening
await storage.read(["k", "0"])
process.kill(process.pid, "SIGKILL")
