import { crc32c, masked } from "./crc32c.js"
import type { FileWindow } from "./file-window.js"

/** A log, and so a MANIFEST, is a sequence of blocks; no record header crosses the border between two. */
const BLOCK_BYTES = 32 * 1024

const HEADER_BYTES = 7

const FULL = 1
const FIRST = 2
const LAST = 4

/** What a log holds, in order. */
export type LogItem =
  /** One record, in pieces that are valid until the next item. */
  | { readonly type: "record"; readonly pieces: readonly Buffer[] }
  /** Bytes that no process leaves behind, however it ends. */
  | { readonly type: "damaged"; readonly bytes: number }
  /** A record at the very end that was not written to its end, as a process that was killed leaves it. */
  | { readonly type: "torn"; readonly bytes: number }

/**
 * Reads a log to its end, whatever is in between: after damage it goes on at the next record that is intact. Without
 * `keepsRecords` the records come without their pieces, so that they need no memory.
 */
export async function* readLog(file: FileWindow, keepsRecords = true): AsyncGenerator<LogItem, void, void> {
  let record: { readonly pieces: Buffer[]; bytes: number } | undefined
  let tail = 0
  let isTorn = true
  for await (const part of fragments(file)) {
    if (part.type === "gap") {
      tail += part.bytes
      isTorn &&= part.isAsTorn
      continue
    }
    const { kind, payload } = part
    if (tail > 0) {
      // What follows shows that the process went on after it.
      yield { type: "damaged", bytes: tail + (record?.bytes ?? 0) }
      record = undefined
      tail = 0
      isTorn = true
    }
    const isStart = kind === FULL || kind === FIRST
    if (isStart === (record !== undefined)) yield { type: "damaged", bytes: record?.bytes ?? payload.length }
    if (isStart) record = { pieces: [], bytes: 0 }
    if (record === undefined) continue
    if (kind === FULL || kind === LAST) {
      yield { type: "record", pieces: [...record.pieces, payload] }
      record = undefined
    } else {
      record.bytes += payload.length
      if (keepsRecords) record.pieces.push(Buffer.from(payload))
    }
  }
  const bytes = tail + (record?.bytes ?? 0)
  if (bytes > 0) yield { type: isTorn ? "torn" : "damaged", bytes }
}

type Fragment =
  | { readonly type: "fragment"; readonly kind: number; readonly payload: Buffer }
  | { readonly type: "gap"; readonly bytes: number; readonly isAsTorn: boolean }

async function* fragments(file: FileWindow): AsyncGenerator<Fragment, void, void> {
  for (let start = 0; start < file.size; start += BLOCK_BYTES) {
    const block = await file.some(start, BLOCK_BYTES)
    yield* fragmentsOf(block, start + block.length >= file.size)
  }
}

function* fragmentsOf(block: Buffer, isLast: boolean): Generator<Fragment, void, void> {
  let offset = 0
  while (block.length - offset >= HEADER_BYTES) {
    const end = endOfFragment(block, offset)
    if (end !== undefined) {
      const kind = block.readUInt8(offset + 6)
      yield { type: "fragment", kind, payload: block.subarray(offset + HEADER_BYTES, end) }
      offset = end
      continue
    }
    const next = nextFragment(block, offset + 1) ?? block.length
    const isCut = isLast && next === block.length && isCutFragment(block, offset)
    // Some file systems have zeros at the end of a file after a power failure.
    const isAsTorn = isCut || block.subarray(offset, next).every((byte) => byte === 0)
    yield { type: "gap", bytes: next - offset, isAsTorn }
    offset = next
  }
  // Before another block, so few bytes are filling.
  if (isLast && block.length < BLOCK_BYTES && offset < block.length) {
    yield { type: "gap", bytes: block.length - offset, isAsTorn: true }
  }
}

/** Whether a fragment may have begun at an offset that the file is too short for. */
function isCutFragment(block: Buffer, offset: number): boolean {
  return isKind(block.readUInt8(offset + 6)) && offset + lengthAt(block, offset) > block.length
}

/** Where the fragment at an offset ends; `undefined` where there is none that is intact. */
function endOfFragment(block: Buffer, offset: number): number | undefined {
  const end = offset + lengthAt(block, offset)
  if (!isKind(block.readUInt8(offset + 6)) || end > block.length) return undefined
  return masked(crc32c(block, offset + 6, end)) === block.readUInt32LE(offset) ? end : undefined
}

function nextFragment(block: Buffer, from: number): number | undefined {
  for (let offset = from; offset + HEADER_BYTES <= block.length; offset++) {
    if (endOfFragment(block, offset) !== undefined) return offset
  }
  return undefined
}

function isKind(byte: number): boolean {
  return byte >= FULL && byte <= LAST
}

function lengthAt(block: Buffer, offset: number): number {
  return HEADER_BYTES + block.readUInt16LE(offset + 4)
}
