// Has a session of a store worked on until somebody kills this process. Tells, a line each, what was stored and which
// calls of tools were begun.
import { writeSync } from "node:fs"
import { JsonStorage } from "@sessile/storage-json"
import { LevelStorage } from "@sessile/storage-level"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { openEngine } from "../open-engine.js"
import type { Told } from "./told.js"
import { countingTool, worker } from "./worker.js"

const adapters = { JsonStorage, LevelStorage, SqliteStorage }
const [adapter, path = "", sessionID = ""] = process.argv.slice(2)
const storage = await adapters[adapter as keyof typeof adapters].open({ path })
const tools = [countingTool((callID) => tell({ callID }))]
const { engine, bus } = openEngine(storage, { driver: worker, tools, settings: { titles: false } })
bus.subscribe("message.updated", ({ properties: { info: message } }) => tell({ message }))
bus.subscribe("message.part.updated", ({ properties: { part, delta } }) => {
  // Of text that grows not every piece is stored at once.
  if (delta === undefined) tell({ part })
})
while (true) await engine.prompt(sessionID, { parts: [{ type: "text", text: "Count, and look around" }] })

function tell(told: Told): void {
  writeSync(1, `${JSON.stringify(told)}\n`)
}
