import type { Key } from "@sessile/core/storage"
import { formatCount } from "./figures.js"

/** Cells in columns, each of which leans to one side. */
export function table(
  rows: readonly (readonly (string | number)[])[],
  sides: readonly ("left" | "right")[],
): string[] {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "number" ? formatCount(cell) : cell)))
  const widths = sides.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const aligned = (cell: string, column: number) => {
    const width = widths[column] ?? 0
    return sides[column] === "right" ? cell.padStart(width) : cell.padEnd(width)
  }
  return cells.map((row) => row.map(aligned).join("  ").trimEnd())
}

/** Breaks a text between words so that its lines fit. A word that is longer stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line !== "" && longer.length > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/** A key as people read it. */
export function formatKey(key: Key): string {
  return key.join("/")
}

/** The reason for something about a record, without its key, which stands beside it already. */
export function formatReason(reason: string, key: Key): string {
  return reason.replace(` [${key.join("/")}]`, "")
}
