import { MarkedError } from "../error/marked-error.js"

/** Git failed, or could not be started. The message has the line in which git said why. */
export class GitError extends MarkedError {
  static override readonly type = "GitError"
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
  }
}

function describe(args: readonly string[], folder: string, code: unknown, said: string): string {
  if (code === "ENOENT") return `Cannot run git in ${folder}; is git installed?`
  const command = args.find((argument) => !argument.startsWith("-"))
  const lines = said.split("\n")
  const reason = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines[0]
  return `git ${command} failed in ${folder}: ${reason || code}`
}
