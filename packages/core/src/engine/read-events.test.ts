import { describe, expect, it } from "vitest"
import type { DriverEvent } from "./model-driver.js"
import { readEvents } from "./read-events.js"

describe("readEvents", () => {
  const { signal } = new AbortController()

  it("waits where that is wanted, and keeps the order", async () => {
    const order: string[] = []
    await readEvents(
      driver({ type: "start" }, { type: "start-step" }, { type: "finish" }),
      signal,
      ({ type }) => {
        order.push(type)
        return type === "start-step" ? Promise.resolve().then(() => void order.push("waited")) : undefined
      },
    )
    expect(order).toEqual(["start", "start-step", "waited", "finish"])
  })

  it("throws what an event says, what a driver throws and what fails here, and ends the driver", async () => {
    for (const open of [
      () => driver({ type: "error", error: new Error("wrong") }, { type: "finish" }),
      () => driver(new Error("wrong")),
    ]) {
      await expect(readEvents(open(), signal, () => undefined)).rejects.toThrow("wrong")
    }
    let isEnded = false
    const source = ended(() => {
      isEnded = true
    })
    const fail = () => Promise.reject(new Error("here"))
    await expect(readEvents(source, signal, fail)).rejects.toThrow("here")
    expect(isEnded).toBe(true)
  })

  it("ends at once when it is told to, also while nothing comes", async () => {
    const controller = new AbortController()
    const reading = readEvents(silent(), controller.signal, () => undefined)
    controller.abort(new Error("enough"))
    await expect(reading).rejects.toThrow("enough")
    await expect(readEvents(silent(), controller.signal, () => undefined)).rejects.toThrow("enough")
  })

  it("leaves no listener behind", async () => {
    let listeners = 0
    const counted = new AbortController().signal
    counted.addEventListener = () => void listeners++
    counted.removeEventListener = () => void listeners--
    await readEvents(driver({ type: "start" }), counted, () => undefined)
    expect(listeners).toBe(0)
  })
})

async function* driver(...events: (DriverEvent | Error)[]): AsyncGenerator<DriverEvent, void, void> {
  for (const event of events) {
    if (event instanceof Error) throw event
    yield event
  }
}

async function* ended(onEnd: () => void): AsyncGenerator<DriverEvent, void, void> {
  try {
    yield { type: "start" }
  } finally {
    onEnd()
  }
}

async function* silent(): AsyncGenerator<DriverEvent, void, void> {
  await new Promise(() => undefined)
}
