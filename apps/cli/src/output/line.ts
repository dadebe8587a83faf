import { wrap } from "./layout.js"

/** A kind of emphasis, on terminals. */
export type Style = "bold" | "dim" | "green" | "red" | "yellow"

/** One line for people, emphasised or not. */
export type Line = string | { readonly style: Style; readonly text: string }

export function styled(style: Style, text: string): Line {
  return { style, text }
}

export function lineText(line: Line): string {
  return typeof line === "string" ? line : line.text
}

const COMMAND =
  /^(?:\S[^:]*:| ) +(?:cd|sessile|sqlite3|opencode|git|printf|\(cd|Set-Content|Remove-Item|Copy-Item) /

/** A line as lines that fit into the width; a command that can be pasted stays in one piece. */
export function fold(line: Line, width: number): Line[] {
  const text = lineText(line)
  if (text.length <= width || COMMAND.test(text)) return [line]
  const indentation = " ".repeat(text.length - text.trimStart().length)
  const [first = "", ...rest] = wrap(text.trimStart(), width - indentation.length - 2)
  const lines = [indentation + first, ...rest.map((words) => `${indentation}  ${words}`)]
  return typeof line === "string" ? lines : lines.map((folded) => styled(line.style, folded))
}
