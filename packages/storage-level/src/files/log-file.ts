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

/** Reads a log to its end, whatever is in between: after damage it goes on at the next record that is intact. */
export async function* readLog(file: FileWindow): AsyncGenerator<LogItem, void, void> {
  let pieces: Buffer[] | undefined
  let tail = 0
  let isTorn = true
  for await (const part of fragments(file)) {
    if (part.type === "gap") {
      tail += part.bytes
      isTorn &&= part.isAsTorn
      continue
    }
    // What follows shows that the process went on after it.
    if (tail > 0) yield { type: "damaged", bytes: tail + sizeOf(pieces) }
    if (tail > 0) pieces = undefined
    tail = 0
    isTorn = true
    const isStart = part.kind === FULL || part.kind === FIRST
    if (isStart === (pieces !== undefined)) yield { type: "damaged", bytes: sizeOf(pieces ?? [part.payload]) }
    if (isStart) pieces = []
    if (pieces === undefined) continue
    if (part.kind === FULL || part.kind === LAST) {
      yield { type: "record", pieces: [...pieces, part.payload] }
      pieces = undefined
    } else pieces.push(Buffer.from(part.payload))
  }
  const bytes = tail + sizeOf(pieces)
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
    const isCut = isLast && next === block.length && offset + lengthAt(block, offset) > block.length
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

/** Where the fragment at an offset ends; `undefined` where there is none that is intact. */
function endOfFragment(block: Buffer, offset: number): number | undefined {
  const kind = block.readUInt8(offset + 6)
  const end = offset + lengthAt(block, offset)
  if (kind < FULL || kind > LAST || end > block.length) return undefined
  return masked(crc32c(block, offset + 6, end)) === block.readUInt32LE(offset) ? end : undefined
}

function nextFragment(block: Buffer, from: number): number | undefined {
  for (let offset = from; offset + HEADER_BYTES <= block.length; offset++) {
    if (endOfFragment(block, offset) !== undefined) return offset
  }
  return undefined
}

function lengthAt(block: Buffer, offset: number): number {
  return HEADER_BYTES + block.readUInt16LE(offset + 4)
}

function sizeOf(pieces: readonly Buffer[] | undefined): number {
  return (pieces ?? []).reduce((sum, { length }) => sum + length, 0)
}
