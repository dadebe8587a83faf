import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { conversionLimits } from "./conversions/limits.js"
import { raceOnStores } from "./conversions/race-on-stores.js"
import { engineLimits } from "./engine/limits.js"
import { raceOnSteps } from "./engine/race-on-steps.js"
import { importTimes } from "./import-time.js"
import { enginesBehind, holds, limitsOf } from "./limits.js"
import type { Row } from "./measure.js"
import { asJson, asText, type Report } from "./report.js"
import { partsNamed } from "./selection.js"
import { streamText } from "./streamed-text.js"
import { machine, versions } from "./versions.js"
import { raceOnOneSession } from "./workloads/one-session.js"
import { raceOnRecords } from "./workloads/records.js"
import { raceOnSessionLists } from "./workloads/session-lists.js"
import { raceOnFork } from "./workloads/sessions-fork.js"
import { raceOnSessionsLists } from "./workloads/sessions-lists.js"
import { raceOnMessages } from "./workloads/sessions-messages.js"

const { only } = parseArgs({ options: { only: { type: "string" } } }).values
const parts = partsNamed(only)
const rows: Row[] = []
for (const measure of [
  raceOnRecords,
  raceOnOneSession,
  raceOnSessionLists,
  raceOnMessages,
  raceOnSessionsLists,
  raceOnFork,
])
  rows.push(...(await measure(parts)))
const texts = parts.has("deltas") ? [await streamText()] : []
const imports = parts.has("imports") ? await importTimes() : []
const engineRuns = await raceOnSteps(parts)
const conversions = await raceOnStores(parts)
const limits = [
  ...limitsOf(rows, imports, texts),
  ...engineLimits(engineRuns),
  ...conversionLimits(conversions),
]
const report: Report = {
  machine: machine(),
  versions: await versions(),
  rows,
  engineRuns,
  conversions,
  limits,
  enginesBehind: enginesBehind(rows),
}

// A part of a run must not replace the results of a whole one.
if (only === undefined) {
  await writeFile(fileURLToPath(new URL("../results.json", import.meta.url)), asJson(report))
}
process.stdout.write(asText(report))
process.exitCode = limits.every(holds) ? 0 : 1
