import { Sessions } from "@sessile/core/session"
import { MemoryStorage } from "@sessile/core/storage"
import { project } from "./sample-records.js"

const DELTAS = 10_000

/** What storing a text that came in pieces took. */
export interface StreamedText {
  readonly deltas: number
  /** The bytes that the store was given to write. */
  readonly written: number
  /** The bytes of the part in the end. */
  readonly size: number
}

/** Streams a text while the time to store it has always come: the most that can be written for it. */
export async function streamText(): Promise<StreamedText> {
  const storage = new CountingStorage()
  let due: (() => void) | undefined
  const timer = (callback: () => void) => {
    due = callback
    return () => undefined
  }
  const sessions = new Sessions({ storage, project, timer })
  const { id } = await sessions.create()
  const model = { providerID: "example", modelID: "large" }
  const { info } = await sessions.messages.add(id, { role: "user", agent: "build", model })
  const part = await sessions.parts.add(info, { type: "text", text: "" })
  const writer = await sessions.parts.write(part)
  for (let index = 0; index < DELTAS; index++) {
    writer.append("word ")
    due?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await writer.end()
  const size = Buffer.byteLength(JSON.stringify(await storage.read(["part", info.id, part.id])))
  return { deltas: DELTAS, written: storage.written, size }
}

/** Counts the bytes that are written for parts. */
class CountingStorage extends MemoryStorage {
  written = 0

  protected override async _write(key: string, text: string): Promise<void> {
    if (key.startsWith("part\0")) this.written += Buffer.byteLength(text)
    await super._write(key, text)
  }
}
