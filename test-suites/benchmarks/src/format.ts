/** A time in milliseconds, as a table shows it. */
export function duration(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`
}

/** How many times something is something else. */
export function multiple(figure: number): string {
  return `${figure < 0.1 ? figure.toPrecision(1) : figure.toFixed(figure < 10 ? 2 : 0)} ×`
}

export function megabytes(figure: number): string {
  return `${figure.toFixed(0)} MB`
}

/** Text to the left, figures to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd()
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)]
}
