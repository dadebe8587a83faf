import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { EventBus } from "./event-bus.js"

interface Numbers {
  one: { readonly sessionID: string; readonly value: number }
  two: { readonly sessionID: string; readonly value: number }
}

describe("EventBus", () => {
  it("delivers to the listeners of the type and of all types, before publish returns", () => {
    const { bus, log, record } = scene()
    bus.subscribe("one", record("one"))
    bus.subscribe("two", record("two"))
    bus.subscribe("*", record("all"))
    bus.publish("one", { sessionID: "s", value: 1 })
    expect(log).toEqual(["one: one 1", "all: one 1"])
  })

  it("shows every listener the order of publishing, also of what listeners publish", () => {
    const { bus, log, record } = scene()
    bus.subscribe("one", ({ properties }) => {
      if (properties.value < 3) bus.publish("one", { sessionID: "s", value: properties.value + 1 })
      bus.publish("two", { sessionID: "s", value: properties.value })
    })
    bus.subscribe("*", record("all"))
    bus.publish("one", { sessionID: "s", value: 1 })
    expect(log).toEqual(
      ["one 1", "one 2", "two 1", "one 3", "two 2", "two 3"].map((event) => `all: ${event}`),
    )
  })

  it("stops calling a listener that has unsubscribed, also amid a delivery", () => {
    const { bus, log, record } = scene()
    bus.subscribe("one", () => unsubscribe())
    const unsubscribe = bus.subscribe("one", record("gone"))
    bus.subscribe("one", record("stays"))
    bus.publish("one", { sessionID: "s", value: 1 })
    unsubscribe()
    bus.publish("one", { sessionID: "s", value: 2 })
    expect(log).toEqual(["stays: one 1", "stays: one 2"])
  })

  it("keeps two subscriptions of one listener apart", () => {
    const { bus, log, record } = scene()
    const listener = record("twice")
    const unsubscribe = bus.subscribe("one", listener)
    bus.subscribe("one", listener)
    unsubscribe()
    bus.publish("one", { sessionID: "s", value: 1 })
    expect(log).toEqual(["twice: one 1"])
  })

  it("shows a listener only what is published after it subscribed, also when that happens amid a delivery", () => {
    const { bus, log, record } = scene()
    const unsubscribe = bus.subscribe("one", () => {
      unsubscribe()
      bus.publish("two", { sessionID: "s", value: 2 })
      bus.subscribe("*", record("late"))
      bus.publish("two", { sessionID: "s", value: 3 })
    })
    bus.publish("one", { sessionID: "s", value: 1 })
    expect(log).toEqual(["late: two 3"])
  })

  it("reports what a listener throws or rejects with, and harms neither publisher nor other listeners", async () => {
    const reports: unknown[] = []
    const { bus, log, record } = scene((error, type) => reports.push([error, type]))
    const rejection = Promise.reject(new Error("rejected"))
    bus.subscribe("one", () => {
      throw new Error("thrown")
    })
    bus.subscribe("one", () => rejection)
    bus.subscribe("one", record("other"))
    bus.publish("one", { sessionID: "s", value: 1 })
    bus.publish("one", { sessionID: "s", value: 2 })
    expect(log).toEqual(["other: one 1", "other: one 2"])
    await rejection.catch(() => undefined)
    const thrown = [new Error("thrown"), "one"]
    const rejected = [new Error("rejected"), "one"]
    expect(reports).toEqual([thrown, thrown, rejected, rejected])
  })

  it("goes on delivering when the report of a failure fails", async () => {
    const { bus, log, record } = scene(() => {
      throw new RangeError("no reports today")
    })
    bus.subscribe("one", () => {
      throw new Error("thrown")
    })
    bus.subscribe("one", record("other"))
    const warning = once(process, "warning")
    bus.publish("one", { sessionID: "s", value: 1 })
    bus.publish("one", { sessionID: "s", value: 2 })
    expect(log).toEqual(["other: one 1", "other: one 2"])
    expect(String((await warning)[0])).toContain("RangeError")
  })

  it("warns of a failing listener without telling what it was given", async () => {
    const { bus } = scene()
    bus.subscribe("one", ({ properties }) => {
      throw new TypeError(`cannot show ${properties.sessionID}`)
    })
    const warning = once(process, "warning")
    bus.publish("one", { sessionID: "secret", value: 1 })
    const [{ message, code }] = await warning
    expect(code).toBe("SESSILE_LISTENER_ERROR")
    expect(message).toMatch(/one events.*TypeError/)
    expect(message).not.toContain("secret")
  })

  it("types the events of opencode by their names", () => {
    const bus = new EventBus()
    const titles: string[] = []
    bus.subscribe("*", (event) => {
      if (event.type === "session.deleted") titles.push(event.properties.info.title)
    })
    const info = { id: "ses_1", title: "Gone", version: "1", time: { created: 1, updated: 1 } }
    bus.publish("session.deleted", { info })
    // @ts-expect-error: a status that does not exist
    bus.publish("session.status", { sessionID: "ses_1", status: { type: "asleep" } })
    expect(titles).toEqual(["Gone"])
  })
})

function scene(onListenerError?: (error: unknown, type: string) => void) {
  const log: string[] = []
  const bus = new EventBus<Numbers>(onListenerError && { onListenerError })
  const record = (name: string) => (event: { type: string; properties: { value: number } }) => {
    log.push(`${name}: ${event.type} ${event.properties.value}`)
  }
  return { bus, log, record }
}
