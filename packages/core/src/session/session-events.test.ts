import { describe, expect, it } from "vitest"
import type { Key } from "../storage/key.js"
import { MemoryStorage } from "../storage/memory-storage.js"
import { Workbench } from "./testing/workbench.js"

describe("events", () => {
  it("come after the change is stored", async () => {
    const eventsWhenStored: number[] = []
    const storage = new WatchedStorage(() => void eventsWhenStored.push(bench.events.length))
    const bench = new Workbench({ storage })
    const { sessionID, answerID } = await bench.conversation()
    bench.events.length = 0
    await bench.sessions.touch(sessionID)
    await bench.sessions.messages.update({ sessionID, id: answerID }, () => undefined)
    expect(eventsWhenStored).toEqual([0, 1])
    expect(bench.events).toHaveLength(2)
  })

  it("of one session come in the order of the changes, however slow the store is", async () => {
    let delay = 1000
    const storage = new WatchedStorage(async () => {
      delay -= 200
      for (let turn = 0; turn < delay; turn++) await null
    })
    const bench = new Workbench({ storage })
    const { id } = await bench.sessions.create({ title: "" })
    bench.events.length = 0
    const append = (letter: string) => (draft: { title: string }) => {
      draft.title += letter
    }
    await Promise.all([..."abcde"].map((letter) => bench.sessions.update(id, append(letter))))
    const titles = bench.events.map(({ properties }) => (properties as Updated).info.title)
    expect(titles).toEqual(["a", "ab", "abc", "abcd", "abcde"])
  })

  it("do not change when the caller alters what it got", async () => {
    const bench = new Workbench()
    const session = await bench.sessions.create({ title: "Right" })
    session.title = "Wrong"
    expect(bench.events[0]?.properties).toMatchObject({ info: { title: "Right" } })
  })
})

/** Calls back when an update has been stored, before the caller hears of it. */
class WatchedStorage extends MemoryStorage {
  readonly #onStored: () => Promise<void> | void

  constructor(onStored: () => Promise<void> | void) {
    super()
    this.#onStored = onStored
  }

  override async update<T>(key: Key, edit: (draft: T) => void): Promise<T> {
    const stored = await super.update(key, edit)
    await this.#onStored()
    return stored
  }
}

interface Updated {
  readonly info: { readonly title: string }
}
