import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Stores in folders of their own, until they are disposed of. */
export class OpenStores implements AsyncDisposable {
  readonly #folder: string
  readonly #stores: Closable[] = []

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async create(): Promise<OpenStores> {
    return new OpenStores(await mkdtemp(join(tmpdir(), "sessile-bench-")))
  }

  async open<Opened extends Closable>(kind: { open(folder: string): Promise<Opened> }): Promise<Opened> {
    const folder = join(this.#folder, String(this.#stores.length))
    await mkdir(folder)
    const store = await kind.open(folder)
    this.#stores.push(store)
    return store
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#stores) await store.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

interface Closable {
  close(): Promise<void>
}
