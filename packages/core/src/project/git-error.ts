const marker = Symbol.for("sessile.GitError")

/** Git failed, or could not be started. The message has the line in which git said why. */
export class GitError extends Error {
  override readonly name = "GitError"
  /** Git's exit code; `undefined` when it did not run to its end. */
  readonly exitCode: number | undefined
  /** All that git said, in English. */
  readonly said: string

  constructor(args: readonly string[], folder: string, cause: unknown) {
    const { code, stderr } = cause as { code?: unknown; stderr?: Buffer }
    const said = stderr?.toString().trim() ?? ""
    super(describe(args, folder, code, said), { cause })
    this.exitCode = typeof code === "number" ? code : undefined
    this.said = said
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises these errors by a marker, so that two copies of this package understand each other. */
  static is(error: unknown): error is GitError {
    return typeof error === "object" && error !== null && marker in error
  }
}

function describe(args: readonly string[], folder: string, code: unknown, said: string): string {
  if (code === "ENOENT") return `Cannot run git in ${folder}; is git installed?`
  const command = args.find((argument) => !argument.startsWith("-"))
  const lines = said.split("\n")
  const reason = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines[0]
  return `git ${command} failed in ${folder}: ${reason || code}`
}
