import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A new folder; gone when disposed of. */
export class Folder implements AsyncDisposable {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async create(files: Readonly<Record<string, string>> = {}): Promise<Folder> {
    const folder = new Folder(await realpath(await mkdtemp(join(tmpdir(), "sessile-engine-"))))
    for (const [file, text] of Object.entries(files)) await folder.write(file, text)
    return folder
  }

  join(...names: string[]): string {
    return join(this.path, ...names)
  }

  async write(file: string, text: string): Promise<void> {
    const path = join(this.path, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}
