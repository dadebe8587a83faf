import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { readdir, readFile, rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { text } from "node:stream/consumers"
import type { Reading, ReadingTask, ReadRecord, StoreReader } from "./reading.js"
import { commitOf } from "./sample.js"
import type { Subject } from "./subject.js"

/** Exit codes of `sessile convert` that a damaged source may lead to. */
const FINE = 0
const DAMAGE_REPORTED = 8

/** Where the program is, and where it may write. */
export interface ProgramReaderOptions {
  readonly program: string
  readonly timeLimit: number
  /** For the converted store. */
  readonly output: string
  readonly temporary: string
}

/** Reads stores by `sessile convert` into JSON files: what counts is what is in those files. */
export class ProgramReader implements StoreReader {
  readonly #subject: Subject
  readonly #options: ProgramReaderOptions

  constructor(subject: Subject, options: ProgramReaderOptions) {
    this.#subject = subject
    this.#options = options
  }

  async read({ folder }: ReadingTask): Promise<Reading | "crash" | "hang"> {
    const address = this.#subject.address?.(folder)
    if (address === undefined) throw new Error(`${this.#subject.name} has no address for the program`)
    const { output } = this.#options
    try {
      const run = await this.#run(["convert", address, `json:${output}`, "--json"])
      return typeof run === "string" ? run : await readingOf(run, output)
    } finally {
      await rm(output, { recursive: true, force: true })
      await rm(`${output}.set-aside`, { recursive: true, force: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Every run has ended.
  }

  async #run(commandLine: readonly string[]): Promise<Run | "crash" | "hang"> {
    const { program, temporary, timeLimit } = this.#options
    const child = spawn(process.execPath, [program, ...commandLine], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let hangs = false
    const timer = setTimeout(() => {
      hangs = true
      child.kill("SIGKILL")
    }, timeLimit)
    const exit = new Promise<number | null>((resolve) => child.on("close", resolve))
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    const code = await exit
    clearTimeout(timer)
    if (hangs) return "hang"
    return code === null ? "crash" : { code, stdout, stderr }
  }
}

interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Report {
  readonly error?: { readonly code: string; readonly message: string }
  readonly records?: readonly { readonly key: readonly string[]; readonly outcome: string }[]
}

async function readingOf(run: Run, output: string): Promise<Reading> {
  const report = parseReport(run.stdout)
  const problem = problemOf(run, report)
  const invalid = (report?.records ?? []).filter(({ outcome }) => outcome === "setAside")
  return {
    records: await convertedRecords(output),
    invalid: invalid.map(({ key }) => JSON.stringify(key)),
    findings: run.code === DAMAGE_REPORTED ? ["The program reported damage"] : [],
    error: problem,
  }
}

/** What is wrong with the way the program ended; an error without a code if it must not end so. */
function problemOf({ code, stderr }: Run, report: Report | undefined): Reading["error"] {
  if (report === undefined) return { code: undefined, message: `no JSON on stdout; ${stderr}` }
  if (/\n\s+at .+:\d+:\d+/.test(stderr)) return { code: undefined, message: stderr }
  if (code === FINE || code === DAMAGE_REPORTED) return undefined
  const { error } = report
  const isTyped = error !== undefined && error.code !== "FAILED"
  return { code: isTyped ? error.code : undefined, message: `exit code ${code}; ${error?.message ?? stderr}` }
}

function parseReport(stdout: string): Report | undefined {
  try {
    return JSON.parse(stdout)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function convertedRecords(folder: string): Promise<Record<string, ReadRecord>> {
  const records: Record<string, ReadRecord> = {}
  for (const path of await recordFiles(folder)) {
    const bytes = await readFile(path)
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    records[relative(folder, path)] = { sha256, commit: commitOf(JSON.parse(bytes.toString())) }
  }
  return records
}

async function recordFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    return files.map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
}
