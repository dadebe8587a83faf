/**
 * The ids under which the calls of one assistant message are stored. Models use an id twice, now and then; each call
 * has one of its own here, so that none takes the result of another.
 */
export class CallIDs {
  /** By the ids of the model, in the order of the calls. */
  readonly #stored = new Map<string, string[]>()
  /** Those that are announced, and not called yet. */
  readonly #announced = new Map<string, string>()

  /** The id for a call whose input begins; `undefined` when it has begun already. */
  announce(id: string): string | undefined {
    if (this.#announced.has(id)) return undefined
    const callID = this.#create(id)
    this.#announced.set(id, callID)
    return callID
  }

  /** The id for a call, announced or not. */
  call(id: string): string {
    const callID = this.#announced.get(id) ?? this.#create(id)
    this.#announced.delete(id)
    return callID
  }

  /** The ids of all calls that the model gave this one. */
  of(id: string): readonly string[] {
    return this.#stored.get(id) ?? []
  }

  #create(id: string): string {
    const earlier = this.#stored.get(id) ?? []
    const callID = earlier.length === 0 ? id : this.#free(id, earlier.length + 1)
    this.#stored.set(id, [...earlier, callID])
    return callID
  }

  #free(id: string, number: number): string {
    const callID = `${id}-${number}`
    return this.#stored.has(callID) ? this.#free(id, number + 1) : callID
  }
}
