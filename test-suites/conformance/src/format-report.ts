import { styleText } from "node:util"
import type { ConformanceReport, ContractResult, GroupResult } from "./report.js"
import { wrap } from "./wrap.js"

/** How to lay a report out. */
export interface FormatOptions {
  /** Colours for a terminal; none by default. */
  readonly colour?: boolean | undefined
  /** Columns of the terminal; lines are not broken by default. */
  readonly width?: number | undefined
}

const marks = { passed: "✓", failed: "✗", skipped: "○" } as const
const colours = { passed: "green", failed: "red", skipped: "yellow" } as const

const meanings = {
  durable: "survives closing, reopening and kill -9",
  atomicBatch: "a batch happens as a whole or not at all",
  multiProcess: "several processes at once",
  snapshots: "a scan shows one moment",
  checksums: "an altered record is noticed when it is read",
} as const

/** A report as people read it: capabilities on top, then the contracts by group, and failures with what was found. */
export function formatReport(report: ConformanceReport, options: FormatOptions = {}): string {
  const { colour = false, width = Number.POSITIVE_INFINITY } = options
  const paint: Paint = (style, text) => (colour ? styleText(style, text) : text)
  const lines = [
    paint("bold", `Conformance of ${report.harness}`),
    "",
    ...capabilityLines(report, paint),
    ...report.groups.flatMap((group) => ["", ...groupLines(group, paint)]),
    ...failureLines(report, paint),
    "",
    ...verdictLines(report, paint),
    "",
  ]
  return lines.flatMap((line) => wrap(line, width)).join("\n")
}

type Paint = (style: "bold" | "dim" | "green" | "red" | "yellow", text: string) => string

function capabilityLines({ capabilities }: ConformanceReport, paint: Paint): string[] {
  return Object.entries(meanings).map(([name, meaning]) => {
    const declared = capabilities[name as keyof typeof meanings]
    const mark = declared ? paint("green", "yes") : paint("dim", "no ")
    return `  ${mark}  ${name.padEnd(13)} ${paint("dim", meaning)}`
  })
}

function groupLines({ name, contracts }: GroupResult, paint: Paint): string[] {
  const passed = contracts.filter(({ status }) => status === "passed").length
  return [
    paint("bold", `${name}  ${passed}/${contracts.length}`),
    ...contracts.map((result) => contractLine(result, paint)),
  ]
}

function contractLine(result: ContractResult, paint: Paint): string {
  const line = `  ${paint(colours[result.status], marks[result.status])} ${result.title}`
  if (result.status === "skipped") return `${line} ${paint("dim", `– skipped: ${result.reason}`)}`
  return result.status === "failed" ? `${line} ${paint("dim", result.id)}` : line
}

function failureLines({ groups, seed }: ConformanceReport, paint: Paint): string[] {
  const failures = groups.flatMap(({ contracts }) => contracts).filter((result) => result.status === "failed")
  if (failures.length === 0) return []
  return [
    "",
    paint("bold", "What failed"),
    ...failures.flatMap(({ id, title, message }) => [
      "",
      `  ${paint("red", `✗ ${id}`)}: ${title}`,
      ...message.split("\n").map((line) => `    ${line}`),
      paint("dim", `    again: --only ${id} --seed ${seed}`),
    ]),
  ]
}

function verdictLines(report: ConformanceReport, paint: Paint): string[] {
  const counts = `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`
  const seed = paint("dim", `seed ${report.seed}`)
  if (report.conforms) return [`${paint("green", "Conforms")}: ${counts}  ${seed}`]
  return [...report.objections, `${paint("red", "Does not conform")}: ${counts}  ${seed}`]
}
