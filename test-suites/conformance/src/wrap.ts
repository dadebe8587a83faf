import { stripVTControlCharacters } from "node:util"

/** Breaks a line between words where it is wider than a terminal; what follows is indented further. */
export function wrap(line: string, width: number): string[] {
  const visible = (text: string) => stripVTControlCharacters(text).length
  if (visible(line) <= width) return [line]
  const indent = " ".repeat(line.length - line.trimStart().length + 2)
  const lines: string[] = []
  let current = line.slice(0, line.length - line.trimStart().length)
  for (const word of line.trimStart().split(" ")) {
    if (current.trim() === "") current += word
    else if (visible(current) + 1 + visible(word) <= width) current += ` ${word}`
    else {
      lines.push(current)
      current = indent + word
    }
  }
  return [...lines, current]
}
