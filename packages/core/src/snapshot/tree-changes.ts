/** How one file differs between two trees. */
export interface Change {
  /** The file's name relative to the top, with slashes. */
  readonly file: string
  /** The bytes of the name, one per letter: on Linux a name need not be UTF-8. */
  readonly name: string
  readonly status: "added" | "deleted" | "modified"
  /** Its contents in the first tree, and in the second one; `mode` is 000000 where it is not there. */
  readonly before: Blob
  readonly after: Blob
  /** Counted lines, where they were asked for; `undefined` also for binary files. */
  readonly lines: { readonly additions: number; readonly deletions: number } | undefined
}

interface Blob {
  readonly mode: string
  readonly hash: string
}

/** Reads what `git diff-tree -r -z --raw` prints, with or without `--numstat`. */
export function parseChanges(output: Buffer): Change[] {
  const fields = splitNames(output)
  const changes = new Map<string, Change>()
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as string
    if (field.startsWith(":")) {
      const name = fields[++index] as string
      changes.set(name, parseRaw(field, name))
      continue
    }
    const [, additions, deletions, name] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field) as string[]
    if (additions === "-") continue
    const lines = { additions: Number(additions), deletions: Number(deletions) }
    changes.set(name as string, { ...(changes.get(name as string) as Change), lines })
  }
  return [...changes.values()]
}

/** The names in what git prints with `-z`, as bytes, one per letter. */
export function splitNames(output: Buffer): string[] {
  return output.toString("latin1").split("\0").slice(0, -1)
}

function parseRaw(field: string, name: string): Change {
  const [beforeMode, afterMode, beforeHash, afterHash, letter] = field.slice(1).split(" ") as [
    string,
    string,
    string,
    string,
    string,
  ]
  return {
    file: Buffer.from(name, "latin1").toString(),
    name,
    status: letter === "A" ? "added" : letter === "D" ? "deleted" : "modified",
    before: { mode: beforeMode, hash: beforeHash },
    after: { mode: afterMode, hash: afterHash },
    lines: undefined,
  }
}
