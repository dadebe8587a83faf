import { inspect } from "node:util"

const LONGEST = 300

/** A value in one short line, as a report shows it. */
export function show(value: unknown): string {
  if (value instanceof Error) return `${value.name}${codeOf(value)}: ${shorten(value.message)}`
  return shorten(
    inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY, maxStringLength: LONGEST }),
  )
}

function codeOf(error: Error): string {
  return "code" in error ? ` ${String(error.code)}` : ""
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}
