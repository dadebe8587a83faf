import { describe, expect, it } from "vitest"
import type { TextPart } from "../model/content-part.js"
import { MemoryStorage } from "../storage/memory-storage.js"
import type { PartWriter } from "./part-writer.js"
import { Workbench } from "./testing/workbench.js"

describe("PartWriter", () => {
  it("tells of each piece at once, and stores them later", async () => {
    const { bench, writer, stored } = await writing()
    bench.events.length = 0
    writer.append("Hel")
    writer.append("lo")
    expect(bench.events.map(({ properties }) => properties)).toMatchObject([
      { part: { text: "Hel" }, delta: "Hel" },
      { part: { text: "Hello" }, delta: "lo" },
    ])
    expect(await stored()).toBe("")
    await writer.flush()
    expect(await stored()).toBe("Hello")
  })

  it("stores when the time has come, even if no further piece does", async () => {
    const { bench, writer, stored } = await writing()
    writer.append("Hello")
    bench.runTimers()
    await settled()
    expect(await stored()).toBe("Hello")
  })

  it("writes at most three times the final size, for 10,000 pieces and however often the time has come", async () => {
    for (const every of [1, 7, 100, 20_000]) {
      const storage = new ByteCounter()
      const { bench, writer, reference, stored } = await writing(storage)
      storage.written = 0
      for (let index = 1; index <= 10_000; index++) {
        writer.append(index % 3 === 0 ? "wörter " : "word ")
        if (index % every !== 0) continue
        bench.runTimers()
        await settled()
      }
      if (every <= 100) expect((await stored()).length / writer.part.text.length).toBeGreaterThan(0.4)
      await writer.end()
      const size = Buffer.byteLength(JSON.stringify(await bench.sessions.parts.get(reference)))
      expect(storage.written / size).toBeLessThanOrEqual(3)
      expect(storage.written / size).toBeGreaterThanOrEqual(1)
    }
  })

  it("ends with what an edit makes of the whole text, and tells of it", async () => {
    const { bench, writer, stored } = await writing()
    writer.append("Hello \n")
    const part = await writer.end((draft) => {
      draft.text = draft.text.trimEnd()
    })
    expect(part.text).toBe("Hello")
    expect(await stored()).toBe("Hello")
    expect(bench.events.at(-1)).toEqual({ type: "message.part.updated", properties: { part } })
    expect(() => writer.append("more")).toThrow(expect.objectContaining({ code: "ENDED" }))
    await expect(writer.end()).rejects.toMatchObject({ code: "ENDED" })
  })

  it("loses nothing when storing fails, and can be ended again", async () => {
    const storage = new ByteCounter()
    const { bench, writer, stored } = await writing(storage)
    writer.append("Hello")
    storage.isFailing = true
    bench.runTimers()
    await settled()
    await expect(writer.flush()).rejects.toThrow("disk")
    await expect(writer.end()).rejects.toThrow("disk")
    storage.isFailing = false
    writer.append(" again")
    await writer.end()
    expect(await stored()).toBe("Hello again")
  })

  it("gives all of the text to whoever reads through the same sessions", async () => {
    const { bench, writer, reference } = await writing()
    writer.append("Hello")
    const { sessions } = bench
    expect(await sessions.parts.get(reference)).toMatchObject({ text: "Hello" })
    const messages = await sessions.messages.load(reference.sessionID)
    expect(messages.at(-1)?.parts).toMatchObject([{ text: "Hello" }])
    const fork = await sessions.fork(reference.sessionID)
    expect((await sessions.messages.load(fork.id)).at(-1)?.parts).toMatchObject([{ text: "Hello" }])
  })

  it("keeps its pieces when the part is updated meanwhile, and events never go back", async () => {
    const { bench, writer, reference, stored } = await writing()
    writer.append("a")
    const update = bench.sessions.parts.update<TextPart>(reference, (draft) => {
      draft.synthetic = true
    })
    while (writer.part.synthetic === undefined) {
      writer.append("b")
      await null
    }
    await update
    writer.append("c")
    await writer.end()
    const texts = bench.events.flatMap(({ type, properties }) =>
      type === "message.part.updated" && "part" in properties ? [(properties.part as TextPart).text] : [],
    )
    const growing = texts.slice(texts.indexOf("a"))
    for (const [index, text] of growing.entries())
      expect(text.startsWith(growing[index - 1] ?? "")).toBe(true)
    expect(await stored()).toMatch(/^ab*c$/)
    expect(await bench.sessions.parts.get(reference)).toMatchObject({ synthetic: true })
  })

  it("does not bring back a part that was removed", async () => {
    const { bench, writer, reference } = await writing()
    writer.append("Hello")
    await bench.sessions.remove(reference.sessionID)
    expect(() => writer.append("more")).toThrow(expect.objectContaining({ code: "ENDED" }))
    await writer.flush()
    await bench.sessions.flush()
    expect(await bench.records()).toEqual({})
  })

  it("stores everything when the sessions are closed", async () => {
    const { bench, writer, stored } = await writing()
    writer.append("Hello")
    await bench.sessions.close()
    expect(await stored()).toBe("Hello")
    expect(() => writer.append("more")).toThrow(expect.objectContaining({ code: "ENDED" }))
  })

  it("is one per part, and for parts with text alone", async () => {
    const { bench, reference } = await writing()
    const { parts } = bench.sessions
    await expect(parts.write(reference)).rejects.toMatchObject({ code: "EXISTS" })
    const { sessionID, messageID } = reference
    const step = await parts.add({ sessionID, id: messageID }, { type: "step-start" })
    await expect(parts.write(step)).rejects.toMatchObject({ code: "INVALID_RECORD" })
    await expect(parts.write({ ...reference, id: "prt_unknown" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
  })
})

interface Writing {
  readonly bench: Workbench
  readonly writer: PartWriter
  readonly reference: { readonly id: string; readonly messageID: string; readonly sessionID: string }
  stored(): Promise<string>
}

async function writing(storage = new MemoryStorage()): Promise<Writing> {
  const bench = new Workbench({ storage })
  const { sessionID, answerID, textID } = await bench.conversation()
  const reference = { id: textID, messageID: answerID, sessionID }
  const stored = async () => (await storage.read<TextPart>(["part", answerID, textID])).text
  return { bench, writer: await bench.sessions.parts.write(reference), reference, stored }
}

/** Waits until whatever timers have started is done: a store in memory needs no other turn of the event loop. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Counts the bytes of all values that are written for parts. */
class ByteCounter extends MemoryStorage {
  written = 0
  isFailing = false

  protected override async _write(key: string, text: string): Promise<void> {
    if (!key.startsWith("part\0")) return super._write(key, text)
    if (this.isFailing) throw new Error("The disk is on fire")
    this.written += Buffer.byteLength(text)
    await super._write(key, text)
  }
}
