const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
}

const quoted = /^"((?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*)"$/s

/**
 * A file name as it is on disk, from the way git prints it: in quotes, with backslashes before what is special and
 * the bytes of other scripts in octal. A name that is not quoted is given back as it is.
 *
 * @example
 * ```ts
 * decodeGitPath('"caf\\303\\251"') // "café"
 * ```
 */
export function decodeGitPath(name: string): string {
  const content = quoted.exec(name)?.[1]
  if (content === undefined) return name
  // One letter per byte, since the bytes of a letter may be escaped one by one.
  const bytes = Buffer.from(content).toString("latin1")
  const plain = bytes.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    String.fromCharCode(escapes[code] ?? Number.parseInt(code, 8)),
  )
  return Buffer.from(plain, "latin1").toString()
}
