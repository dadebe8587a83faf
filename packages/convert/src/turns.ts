/** Lets those who use something take turns, in the order in which they asked. */
export class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when one's turn has come, with what ends it. */
  async take(): Promise<() => void> {
    const before = this.#last
    let end = (): void => undefined
    this.#last = new Promise((resolve) => {
      end = resolve
    })
    await before
    return end
  }
}
