import { ByteReader } from "../files/byte-reader.js"
import { Damage } from "../files/damage.js"
import { FileWindow } from "../files/file-window.js"
import { readLog } from "../files/log-file.js"
import type { Salvaged } from "./salvaged.js"

/** A sequence number of 8 bytes, and how many entries follow. */
const BATCH_HEADER_BYTES = 12

const VALUE = 1

/** The entries of a log that are still readable, batch by batch. */
export async function* salvageLog(path: string): AsyncGenerator<Salvaged, void, void> {
  await using file = await FileWindow.open(path)
  for await (const item of readLog(file)) {
    if (item.type === "torn") yield { type: "lost", what: "the last change is incomplete" }
    else if (item.type === "damaged") yield { type: "lost", what: `${item.bytes} bytes are damaged` }
    else yield* salvageBatch(Buffer.concat(item.pieces))
  }
}

function salvageBatch(bytes: Buffer): Salvaged[] {
  try {
    return parseBatch(bytes)
  } catch (error) {
    if (!(error instanceof Damage)) throw error
    return [{ type: "lost", what: "a change is damaged" }]
  }
}

function parseBatch(bytes: Buffer): Salvaged[] {
  const reader = new ByteReader(bytes)
  let sequence = Number(reader.bytes(BATCH_HEADER_BYTES).readBigUInt64LE())
  const entries: Salvaged[] = []
  while (!reader.isAtEnd) {
    const hasValue = reader.bytes(1).readUInt8() === VALUE
    const key = reader.prefixedBytes()
    entries.push({
      type: "entry",
      key,
      sequence: sequence++,
      value: hasValue ? reader.prefixedBytes() : undefined,
    })
  }
  return entries
}
