import { isAcceptable, outcomes } from "./judge.js"
import { describeMutation } from "./mutation.js"
import type { LabReport } from "./run-lab.js"

/** How many failures are printed. */
const NAMED = 20

/** A report for people. */
export function formatReport({ subject, seed, counts, failures }: LabReport): string {
  const shown = outcomes.filter((outcome) => counts[outcome] > 0)
  const total = shown.reduce((sum, outcome) => sum + counts[outcome], 0)
  const lines = [
    `${subject}: ${total} mutations, seed ${seed}`,
    ...shown.map((name) => `  ${isAcceptable(name) ? " " : "✗"} ${String(counts[name]).padStart(6)} ${name}`),
    ...failures.slice(0, NAMED).map(({ number, mutation, outcome, detail }) => {
      const [reason = ""] = detail.split("\n")
      return `  #${number} ${describeMutation(mutation)}: ${outcome}${reason === "" ? "" : ` (${reason})`}`
    }),
  ]
  if (failures.length > NAMED) lines.push(`  … and ${failures.length - NAMED} more`)
  return `${lines.join("\n")}\n`
}
