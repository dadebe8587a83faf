import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { emptyRepository } from "../../project/testing/repository.js"
import { GitSnapshots } from "../git-snapshots.js"

/** A new repository with a folder for its snapshots beside it; gone when disposed of. */
export class Worktree implements AsyncDisposable {
  readonly path: string
  readonly folder: string

  private constructor(top: string) {
    this.path = join(top, "worktree")
    this.folder = join(top, "snapshots")
  }

  static async create(): Promise<Worktree> {
    const worktree = new Worktree(await realpath(await mkdtemp(join(tmpdir(), "sessile-snapshot-"))))
    await emptyRepository(worktree.path)
    return worktree
  }

  open(): Promise<GitSnapshots> {
    return GitSnapshots.open({ worktree: this.path, folder: this.folder })
  }

  absolute(...files: string[]): string[] {
    return files.map((file) => join(this.path, file))
  }

  async write(file: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
    const path = join(this.path, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    await chmod(path, mode)
  }

  read(file: string): Promise<string> {
    return readFile(join(this.path, file), "utf8")
  }

  async remove(...files: string[]): Promise<void> {
    for (const file of files) await rm(join(this.path, file), { recursive: true })
  }

  /** Every file but git's: its kind and executable bit, and its content, byte for byte. */
  async files(): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    for (const entry of await readdir(this.path, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name)
      if (relative(this.path, path).split("/").includes(".git")) continue
      if (entry.isSymbolicLink()) found[relative(this.path, path)] = `link ${await readlink(path)}`
      if (entry.isFile()) found[relative(this.path, path)] = await this.#describe(path)
    }
    return found
  }

  async #describe(path: string): Promise<string> {
    const executable = ((await lstat(path)).mode & 0o100) !== 0
    return `${executable ? "program" : "file"} ${(await readFile(path)).toString("latin1")}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(dirname(this.path), { recursive: true, force: true })
  }
}
