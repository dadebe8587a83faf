import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fingerprint } from "./fingerprint.js"
import { isAcceptable, judge, type Verdict } from "./judge.js"
import { LibraryReader } from "./library-reader.js"
import { applyMutation, damageableFiles, type Mutation } from "./mutation.js"
import { ProgramReader } from "./program-reader.js"
import type { Reading, StoreReader } from "./reading.js"
import type { Subject } from "./subject.js"

/** How the stores on a bench are read. */
export interface BenchOptions {
  readonly program: string | undefined
  readonly timeLimit: number
}

/** The undamaged store, and room for one damaged copy at a time. */
export class Bench implements AsyncDisposable {
  readonly #subject: Subject
  readonly #folders: Folders
  readonly #reader: StoreReader
  readonly #isProgram: boolean
  #before: Reading = { records: {}, invalid: [], findings: [] }
  #usualLitter: readonly string[] = []
  /** The files that can be damaged, with their sizes. */
  files: ReadonlyMap<string, number> = new Map()

  private constructor(subject: Subject, folders: Folders, { program, timeLimit }: BenchOptions) {
    const { output, temporary } = folders
    this.#subject = subject
    this.#folders = folders
    this.#isProgram = program !== undefined
    this.#reader =
      program === undefined
        ? new LibraryReader(subject, { timeLimit, temporary })
        : new ProgramReader(subject, { program, timeLimit, output, temporary })
  }

  /** Makes the undamaged store and reads it. */
  static async open(subject: Subject, options: BenchOptions): Promise<Bench> {
    const root = await mkdtemp(join(tmpdir(), "sessile-lab-"))
    const bench = new Bench(subject, foldersIn(root), options)
    try {
      await bench.#prepare()
      return bench
    } catch (error) {
      await bench[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Damages a copy of the store, and reads it: for reading only, then by a program that could write. */
  async try(mutation: Mutation): Promise<Verdict> {
    const { intact, damaged } = this.#folders
    await cp(intact, damaged, { recursive: true, preserveTimestamps: true })
    try {
      await applyMutation(damaged, mutation)
      const untouched = await fingerprint(damaged)
      const verdict = await this.#judge(mutation, { readonly: true })
      if (!isAcceptable(verdict.outcome)) return verdict
      if ((await fingerprint(damaged)) !== untouched) return { outcome: "touched", detail: verdict.detail }
      if (this.#isProgram) return verdict
      const writable = await this.#judge(mutation, { readonly: false })
      return isAcceptable(writable.outcome)
        ? verdict
        : { ...writable, detail: `opened for writing: ${writable.detail}` }
    } finally {
      await rm(damaged, { recursive: true, force: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader[Symbol.asyncDispose]()
    await rm(this.#folders.root, { recursive: true, force: true })
  }

  async #prepare(): Promise<void> {
    const { intact, temporary } = this.#folders
    await mkdir(intact)
    await mkdir(temporary)
    await this.#subject.prepare(intact)
    this.files = await damageableFiles(intact)
    const before = await this.#reader.read({ folder: intact, readonly: true })
    if (typeof before === "string" || before.error !== undefined || before.findings.length > 0)
      throw new Error(
        `The undamaged store of ${this.#subject.name} cannot be read: ${JSON.stringify(before)}`,
      )
    this.#before = before
    // Loading TypeScript leaves a cache behind.
    this.#usualLitter = await readdir(temporary)
  }

  async #judge(mutation: Mutation, { readonly }: { readonly readonly: boolean }): Promise<Verdict> {
    const after = await this.#reader.read({ folder: this.#folders.damaged, readonly })
    const litter = await this.#removeLitter()
    if (typeof after === "string") return { outcome: after, detail: "" }
    const verdict = judge(this.#subject, mutation, this.#before, after)
    if (litter.length === 0 || !isAcceptable(verdict.outcome)) return verdict
    return { outcome: "litter", detail: litter.join(", ") }
  }

  async #removeLitter(): Promise<string[]> {
    const { temporary } = this.#folders
    const litter = (await readdir(temporary)).filter((name) => !this.#usualLitter.includes(name))
    for (const name of litter) await rm(join(temporary, name), { recursive: true, force: true })
    return litter
  }
}

interface Folders {
  readonly root: string
  readonly intact: string
  readonly damaged: string
  readonly output: string
  readonly temporary: string
}

function foldersIn(root: string): Folders {
  return {
    root,
    intact: join(root, "intact"),
    damaged: join(root, "damaged"),
    output: join(root, "output"),
    temporary: join(root, "temporary"),
  }
}
