// Adds up the results that the test runners wrote, and fails when one of them wrote none.
import { readFileSync } from "node:fs"

const reports = ["tests", "interop"].map((name) =>
  JSON.parse(readFileSync(new URL(`results/${name}.json`, import.meta.url), "utf8")),
)
const total = (field) => reports.reduce((sum, report) => sum + report[field], 0)
const passed = total("numPassedTests")
const failed = total("numFailedTests")
const skipped = total("numPendingTests") + total("numTodoTests")

for (const { testResults } of reports) {
  for (const { name, status, message } of testResults) {
    if (status === "failed" && message) process.stdout.write(`${name}: ${message}\n`)
  }
}
process.stdout.write(
  `tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
)
process.exitCode = passed > 0 && reports.every((report) => report.success) ? 0 : 1
