import type { Random } from "./random.js"

// Nothing beyond the basic plane, so that a text cut anywhere holds no half of a character.
const WORDS =
  `the a this that session message storage parser index value type test error build file path module
  function option argument request response cache key record line branch change returns reads writes keeps
  removes fails passes should must can now still before after while without naïve café größer ✓ → 日本語 привет
  "quoted" \`code\` it's 42 1,024 100% e.g. src/index.ts package.json`.split(/\s+/) as [string, ...string[]]

const NAMES = ["items", "result", "options", "entry", "index", "path", "value", "count", "handler"] as const

const STATEMENTS = [
  (name: string, other: string) =>
    `const ${name} = await read${other}({ path: "src/${other}.ts", retries: 3 })`,
  (name: string, other: string) => `if (${name} === undefined) throw new Error(\`No ${other}: \${${name}}\`)`,
  (name: string, other: string) => `return ${name}.map((${other}) => ({ ...${other}, done: true }))`,
  (name: string, other: string) => `// ${name} may be shared, so ${other} is copied\n`,
  (name: string, other: string) => `\tfor (const ${name} of ${other}) write("\\n", ${name})`,
  (name: string, other: string) => `expect(${name}).toEqual(["${other}", 'x\\ty', null])\n`,
] as const

const CORPUS_LENGTH = 1 << 18

/** Texts cut from two long ones, which costs next to nothing however much is asked for. */
export class Texts {
  readonly #random: Random
  readonly #prose: string
  readonly #code: string

  constructor(random: Random) {
    this.#random = random
    this.#prose = fill(() => `${random.pick(WORDS)}${random.chance(0.08) ? ".\n" : " "}`)
    this.#code = fill(() => {
      const indent = "  ".repeat(random.integer(0, 4))
      return `${indent}${random.pick(STATEMENTS)(random.pick(NAMES), random.pick(NAMES))}\n`
    })
  }

  /** What a person or a model writes. */
  prose(length: number): string {
    return this.#cut(this.#prose, length)
  }

  /** What stands in files and comes out of commands. */
  code(length: number): string {
    return this.#cut(this.#code, length)
  }

  /** A few words on one line. */
  title(words: number): string {
    return Array.from({ length: words }, () => this.#random.pick(WORDS)).join(" ")
  }

  #cut(corpus: string, length: number): string {
    let text = ""
    while (text.length < length) {
      const start = this.#random.integer(0, corpus.length - 1)
      text += corpus.slice(start, start + length - text.length)
    }
    return text
  }
}

function fill(piece: () => string): string {
  let text = ""
  while (text.length < CORPUS_LENGTH) text += piece()
  return text
}
