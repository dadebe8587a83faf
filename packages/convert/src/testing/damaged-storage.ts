import { MemoryStorage } from "@sessile/core/storage"

/** A store whose check finds something, or cannot be made. */
export class DamagedStorage extends MemoryStorage {
  readonly #finding: string | Error

  constructor(finding: string | Error) {
    super()
    this.#finding = finding
  }

  protected override async _check(): Promise<string[]> {
    if (typeof this.#finding !== "string") throw this.#finding
    return [this.#finding]
  }
}
