import { type FSWatcher, lstatSync, readdirSync, type WatchEventType, watch } from "node:fs"
import { join, sep } from "node:path"
import { setImmediate } from "node:timers/promises"
import type { SessionEvents } from "../event/session-events.js"

/** What to watch, and whom to tell. */
export interface FileWatcherOptions {
  readonly folder: string
  readonly onChange: (change: SessionEvents["file.watcher.updated"]) => void
  /** Nothing is watched any more, such as because the system cannot watch so many folders. */
  readonly onError: (error: unknown) => void
}

/** Folders with what tools make, which nobody edits. */
const IGNORED = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  ".venv",
  "__pycache__",
  ".cache",
  ".next",
  ".turbo",
  "build",
  "coverage",
  "dist",
  "out",
  "target",
])

/**
 * Tells of the files that are added, changed and removed in a folder, and in those below it, until it is closed. It
 * keeps no process alive.
 *
 * Each folder is watched by itself: a recursive watch would also look through the ignored ones.
 */
export class FileWatcher {
  /** When all folders are watched; the topmost is from the beginning. */
  readonly started: Promise<void>
  readonly #options: FileWatcherOptions
  readonly #folders = new Map<string, FSWatcher>()
  readonly #files = new Set<string>()
  #isClosed = false

  constructor(options: FileWatcherOptions) {
    this.#options = options
    this.started = this.#walk(options.folder, (file) => this.#files.add(file))
  }

  close(): void {
    this.#isClosed = true
    for (const watcher of this.#folders.values()) watcher.close()
    this.#folders.clear()
  }

  async #walk(topmost: string, onFile: (file: string) => void): Promise<void> {
    const folders = [topmost]
    // The list grows while it is walked.
    for (const folder of folders) {
      folders.push(...this.#enter(folder, onFile))
      // A large worktree must not hold up everything else.
      await setImmediate()
      if (this.#isClosed) return
    }
  }

  /** Watches a folder, and gives those in it. Between watching and reading nothing is awaited, so nothing is missed. */
  #enter(folder: string, onFile: (file: string) => void): string[] {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => this.#notice(folder, event, name))
      watcher.on("error", (error) => this.#fail(folder, error))
      this.#folders.get(folder)?.close()
      this.#folders.set(folder, watcher)
      const entries = readdirSync(folder, { withFileTypes: true })
      for (const entry of entries) if (!entry.isDirectory()) onFile(join(folder, entry.name))
      const inner = entries.filter((entry) => entry.isDirectory() && !IGNORED.has(entry.name))
      return inner.map(({ name }) => join(folder, name))
    } catch (error) {
      this.#fail(folder, error)
      return []
    }
  }

  #notice(folder: string, event: WatchEventType, name: string | null): void {
    if (name === null || this.#isClosed) return
    const path = join(folder, name)
    // What happens in a folder, its own watcher tells.
    if (event === "change" && this.#folders.has(path)) return
    try {
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found?.isDirectory() === false) this.#see(path)
      else this.#forget(path)
      if (found?.isDirectory() && !IGNORED.has(name)) void this.#walk(path, (file) => this.#see(file))
    } catch (error) {
      this.#fail(path, error)
    }
  }

  #see(file: string): void {
    const isKnown = this.#files.has(file)
    // It may have taken the place of a folder.
    if (!isKnown) this.#forget(file)
    this.#files.add(file)
    this.#options.onChange({ file, event: isKnown ? "change" : "add" })
  }

  #forget(path: string): void {
    if (this.#files.delete(path)) this.#options.onChange({ file: path, event: "unlink" })
    if (!this.#folders.has(path)) return
    const isGone = (each: string) => each === path || each.startsWith(path + sep)
    for (const [folder, watcher] of this.#folders) {
      if (!isGone(folder)) continue
      watcher.close()
      this.#folders.delete(folder)
    }
    for (const file of this.#files) {
      if (!isGone(file)) continue
      this.#files.delete(file)
      this.#options.onChange({ file, event: "unlink" })
    }
  }

  #fail(path: string, error: unknown): void {
    const { code } = error as NodeJS.ErrnoException
    // What is gone, or not ours to look at, has nothing to tell.
    const isHarmless = ["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(code ?? "")
    if (this.#isClosed || (isHarmless && path !== this.#options.folder)) return
    this.close()
    this.#options.onError(error)
  }
}
