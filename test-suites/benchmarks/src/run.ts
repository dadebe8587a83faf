import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { arch, cpus, platform, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { importTimes } from "./import-time.js"
import { compareJsonFiles } from "./json-files.js"
import { printReport, type Report } from "./report.js"

const folder = await mkdtemp(join(tmpdir(), "sessile-bench-"))
try {
  const report: Report = {
    machine: {
      node: process.version,
      platform: `${platform()} ${arch()}`,
      cpu: cpus()[0]?.model ?? "unknown",
    },
    comparisons: await compareJsonFiles(folder),
    imports: await importTimes(),
  }
  const path = fileURLToPath(new URL("../results.json", import.meta.url))
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`)
  process.exitCode = printReport(report) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
