// Removes or forks a session of a store, and dies on the way: by its own hand before a certain record is changed, or
// by that of whoever started it, who is told when the work begins.
import { writeSync } from "node:fs"
import { Sessions } from "@sessile/core/session"
import { JsonStorage } from "@sessile/storage-json"
import { LevelStorage } from "@sessile/storage-level"
import { SqliteStorage } from "@sessile/storage-sqlite"

const { kind, path, project, action, sessionID, dieBefore } = JSON.parse(process.argv[2])
const storage = await { JsonStorage, SqliteStorage, LevelStorage }[kind].open({ path })
let changes = 0
for (const name of ["_write", "_remove"]) {
  const change = storage[name].bind(storage)
  storage[name] = (...parameters) => {
    if (++changes === dieBefore) process.kill(process.pid, "SIGKILL")
    return change(...parameters)
  }
}
const batch = storage._batch.bind(storage)
storage._batch = (operations) => {
  writeSync(1, "begin\n")
  return batch(operations)
}
await new Sessions({ storage, project })[action](sessionID)
