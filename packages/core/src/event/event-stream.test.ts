import { describe, expect, it } from "vitest"
import { EventBus } from "./event-bus.js"
import { EventOverflowError } from "./event-stream.js"

interface Numbers {
  one: number
  two: number
  three: number
}

describe("a stream of events", () => {
  it("gives the events of its types in order, from the call on", async () => {
    const bus = new EventBus<Numbers>()
    bus.publish("one", 0)
    const stream = bus.stream(["one", "two"])
    bus.publish("two", 1)
    bus.publish("three", 2)
    bus.publish("one", 3)
    expect(await stream.next()).toEqual({ done: false, value: { type: "two", properties: 1 } })
    expect(await stream.next()).toEqual({ done: false, value: { type: "one", properties: 3 } })
  })

  it("gives events to readers that were waiting for them, in the order in which they came to wait", async () => {
    const bus = new EventBus<Numbers>()
    const stream = bus.stream("*")
    const readers = [stream.next(), stream.next(), stream.next()]
    bus.publish("one", 1)
    bus.publish("two", 2)
    bus.publish("three", 3)
    expect((await Promise.all(readers)).map(({ value }) => value?.properties)).toEqual([1, 2, 3])
  })

  it("is over when it is left", async () => {
    const bus = new EventBus<Numbers>()
    const stream = bus.stream("*")
    bus.publish("one", 1)
    for await (const event of stream) {
      expect(event.properties).toBe(1)
      break
    }
    bus.publish("one", 2)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  it("ends for those who wait when the signal aborts, and gives nothing that is left", async () => {
    const bus = new EventBus<Numbers>()
    const waiting = new AbortController()
    const reader = bus.stream("*", { signal: waiting.signal }).next()
    waiting.abort()
    expect(await reader).toEqual({ done: true, value: undefined })

    const full = new AbortController()
    const stream = bus.stream("*", { signal: full.signal })
    bus.publish("one", 1)
    full.abort()
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  it("is empty when the signal has aborted before", async () => {
    const bus = new EventBus<Numbers>()
    const stream = bus.stream("*", { signal: AbortSignal.abort() })
    bus.publish("one", 1)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  it("ends when it is disposed of", async () => {
    const bus = new EventBus<Numbers>()
    const outer = bus.stream("*")
    {
      await using inner = outer
      bus.publish("one", 1)
      expect((await inner.next()).value?.properties).toBe(1)
    }
    bus.publish("one", 2)
    expect(await outer.next()).toEqual({ done: true, value: undefined })
  })

  it("fails after the events that it could hold when a reader falls behind, and then is over", async () => {
    const bus = new EventBus<Numbers>()
    const stream = bus.stream("*", { limit: 2 })
    for (const value of [1, 2, 3]) bus.publish("one", value)
    expect((await stream.next()).value?.properties).toBe(1)
    bus.publish("one", 4)
    expect((await stream.next()).value?.properties).toBe(2)
    await expect(stream.next()).rejects.toThrow(EventOverflowError)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  it("counts only waiting events against its limit", async () => {
    const bus = new EventBus<Numbers>()
    const stream = bus.stream("*", { limit: 1 })
    for (const value of [1, 2, 3]) {
      bus.publish("one", value)
      expect((await stream.next()).value?.properties).toBe(value)
    }
  })
})
