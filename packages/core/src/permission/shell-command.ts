/** A command without operators: a program and its arguments. */
export interface SimpleCommand {
  /** As it was written. */
  readonly text: string
  /** Its words without their quotes. */
  readonly words: readonly string[]
  /** Whether the name of the program is written out, so that it is known what runs. */
  readonly isPlain: boolean
}

/**
 * The simple commands of which a command line for a POSIX shell consists: what stands between `;`, `|`, `&` and line
 * breaks. `undefined` when more may run than can be seen: substitutions, subshells, redirections other than to
 * `/dev/null` or between descriptors, comments, here documents, and quotes that do not end.
 *
 * It errs on the side of `undefined`: what a shell parses otherwise must not pass for a simple command.
 */
export function parseShellCommand(command: string): SimpleCommand[] | undefined {
  if (command.length > LONGEST || CONTROL_CHARACTER.test(command)) return undefined
  const commands: SimpleCommand[] = []
  let start = 0
  let words: Word[] = []
  let word: Word | undefined
  const endWord = () => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  const endCommand = (end: number) => {
    endWord()
    if (words.length > 0) commands.push(simpleCommand(command.slice(start, end).trim(), words))
    words = []
  }
  for (let position = 0; position < command.length; ) {
    const character = command[position] as string
    if (character === "#" && word === undefined) return undefined
    if (character === " " || character === "\t") {
      endWord()
      position++
      continue
    }
    const harmless = matchAt(HARMLESS_REDIRECTION, command, position)
    if (harmless !== undefined) {
      position += harmless.length
      continue
    }
    if (OPERATORS.includes(character)) {
      endCommand(position)
      start = ++position
      continue
    }
    const piece = readPiece(command, position)
    if (piece === undefined) return undefined
    word = { text: (word?.text ?? "") + piece.text, isLiteral: (word?.isLiteral ?? true) && piece.isLiteral }
    position += piece.length
  }
  endCommand(command.length)
  return commands.length > 0 ? commands : undefined
}

interface Word {
  readonly text: string
  /** Nothing in it is expanded. */
  readonly isLiteral: boolean
}

interface Piece extends Word {
  /** How many characters it takes in the command. */
  readonly length: number
}

/** Longer ones are for people to look at. */
const LONGEST = 100_000

const OPERATORS = ";|&\n"
// biome-ignore lint/suspicious/noControlCharactersInRegex: shells treat them in ways of their own.
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b-\u001f\u007f]/
const HARMLESS_REDIRECTION = /(?:&>>?|>>?)[ \t]*\/dev\/null(?=[\s;|&]|$)|>&[0-9](?=[\s;|&]|$)/y
const SINGLE_QUOTED = /'([^']*)'/y
// Inside of double quotes a backslash keeps its meaning only before these.
const DOUBLE_QUOTED = /"((?:[^"\\$`]|\\[^\n]|\$[A-Za-z0-9_@*?#!-]|\$(?=["\s]))*)"/y
const ESCAPED = /\\([^\n])/y
const VARIABLE = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*?#!-])/y
const ORDINARY = /[^\s'"\\$`()<>;|&]/uy

function readPiece(command: string, position: number): Piece | undefined {
  const single = SINGLE_QUOTED.exec(at(SINGLE_QUOTED, command, position))
  if (single !== null) return { text: single[1] as string, isLiteral: true, length: single[0].length }
  const double = DOUBLE_QUOTED.exec(at(DOUBLE_QUOTED, command, position))
  if (double !== null) {
    const content = double[1] as string
    const text = content.replaceAll(/\\(["\\$`])/g, "$1")
    return { text, isLiteral: !/(?<!\\)\$/.test(content), length: double[0].length }
  }
  const escaped = ESCAPED.exec(at(ESCAPED, command, position))
  if (escaped !== null) return { text: escaped[1] as string, isLiteral: true, length: 2 }
  const variable = matchAt(VARIABLE, command, position)
  if (variable !== undefined) return { text: variable, isLiteral: false, length: variable.length }
  const ordinary = matchAt(ORDINARY, command, position)
  if (ordinary === undefined) return undefined
  return { text: ordinary, isLiteral: true, length: ordinary.length }
}

function at(expression: RegExp, text: string, position: number): string {
  expression.lastIndex = position
  return text
}

function matchAt(expression: RegExp, text: string, position: number): string | undefined {
  return expression.exec(at(expression, text, position))?.[0]
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/
const PROGRAM = /^[\w@%+.,:/-]+$/
const RESERVED = new Set(
  "if then elif else fi do done case esac while until for select function time coproc".split(" "),
)

function simpleCommand(text: string, words: readonly Word[]): SimpleCommand {
  const program = words.find((word) => !ASSIGNMENT.test(word.text))
  const isPlain =
    program === undefined || (program.isLiteral && PROGRAM.test(program.text) && !RESERVED.has(program.text))
  return { text, words: words.map((word) => word.text), isPlain }
}

/** A simple command without the variables set for it, with the program by its name alone. */
export function programCall({ words }: SimpleCommand): string {
  const first = words.findIndex((word) => !ASSIGNMENT.test(word))
  const [program = "", ...rest] = first < 0 ? [] : words.slice(first)
  return [program.slice(program.lastIndexOf("/") + 1), ...rest].join(" ")
}
