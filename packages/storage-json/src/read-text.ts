import { isUtf8, constants as limits } from "node:buffer"
import { closeSync, lstatSync, read, readSync } from "node:fs"
import { promisify } from "node:util"
import { decodeKey, decodeUtf8, Shelf, StorageError, type TextEntry, Utf8Record } from "@sessile/core/storage"
import { openRegular } from "./regular-file.js"
import { hasCode, storageFault } from "./storage-fault.js"
import type { StoreBounds } from "./store-bounds.js"

/** Larger files are read without holding anybody up. */
const LARGE = 1024 * 1024

/** Files smaller than this, which most records are, are read to a shelf. */
const SMALL = 64 * 1024

const ownShelf = new Shelf()

/** A single call reads no more than 2 GB. */
const LONGEST_READ = 2 ** 30

const readAsync = promisify(read)

/**
 * The exact text of a record's file, byte order mark included; `undefined` when there is none. Small files are read
 * synchronously: a trip through the thread pool takes many times as long as the reading.
 *
 * @throws StorageError `CORRUPT` for what is not UTF-8, or larger than a string can be; `DENIED`, `IO`
 */
export function readText(
  key: string,
  path: string,
  bounds?: StoreBounds,
): string | undefined | Promise<string | undefined> {
  const content = readUtf8(key, path, ownShelf, bounds)
  return content instanceof Promise ? content.then(textOf) : textOf(content)
}

/** What reading a record's file gives, with the reason in place of a text that cannot be had. */
export function readEntry(
  key: string,
  file: string,
  bounds?: StoreBounds,
  shelf = ownShelf,
): TextEntry | undefined | Promise<TextEntry | undefined> {
  try {
    const content = readUtf8(key, file, shelf, bounds)
    if (content instanceof Promise) return toEntry(key, file, content)
    if (content === undefined) return undefined
    if (content.length < SMALL) shelf.keep(content.length)
    return new Utf8Record(key, content)
  } catch (error) {
    return unreadable(key, file, error)
  }
}

/**
 * The content of a record's file, kept on a shelf; `undefined` for a file that takes a closer look.
 *
 * @throws whatever the system says
 */
export function readPlain(path: string, shelf: Shelf): Buffer | undefined {
  const { descriptor, size } = openRegular(path)
  try {
    const content = size < SMALL ? readSmall(descriptor, shelf) : undefined
    if (content === undefined || content.length === 0 || !isUtf8(content)) return undefined
    shelf.keep(content.length)
    return content
  } finally {
    closeSync(descriptor)
  }
}

/** What a reading that is under way gives, with the reason in place of a text that cannot be had. */
export async function toEntry(
  key: string,
  file: string,
  reading: Promise<string | Buffer | undefined>,
): Promise<TextEntry | undefined> {
  try {
    const content = await reading
    if (typeof content === "string") return { key, text: content }
    return content && new Utf8Record(key, content)
  } catch (error) {
    return unreadable(key, file, error)
  }
}

/** The entry of a record that cannot be read. Its file is named only where it is one that may be opened. */
function unreadable(key: string, file: string, error: unknown): TextEntry {
  if (!StorageError.is(error)) throw error
  return isRegular(file) ? { key, error, file } : { key, error }
}

function isRegular(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function textOf(content: Buffer | undefined): string | undefined {
  return content && decodeUtf8(content)
}

/** The content of a file; on the shelf it is there until the next one is read, unless it is kept. */
function readUtf8(
  key: string,
  path: string,
  shelf: Shelf,
  bounds: StoreBounds | undefined,
): Buffer | undefined | Promise<Buffer | undefined> {
  try {
    bounds?.requireInside(path, "read", decodeKey(key))
    const { descriptor, size } = openRegular(path, bounds, decodeKey(key))
    // Whoever brings a shelf reads in bulk, and would only copy the content there.
    const isBulk = shelf !== ownShelf
    if (size > LARGE && !isBulk) return readLarge(descriptor, size, key, path)
    try {
      refuseTooLarge(size, key, path)
      const content = size < SMALL ? readSmall(descriptor, shelf) : undefined
      if (content !== undefined) return checked(content, key, path)
      return checked(isBulk ? readOnto(shelf, descriptor, size) : readWhole(descriptor, size), key, path)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return noneOrThrow(error, key, path)
  }
}

async function readLarge(
  descriptor: number,
  size: number,
  key: string,
  path: string,
): Promise<Buffer | undefined> {
  try {
    refuseTooLarge(size, key, path)
    const content = Buffer.allocUnsafe(size)
    let length = 0
    for (let part = -1; part !== 0 && length < size; length += part) {
      const wanted = Math.min(size - length, LONGEST_READ)
      part = (await readAsync(descriptor, content, length, wanted, length)).bytesRead
    }
    return checked(content.subarray(0, length), key, path)
  } catch (error) {
    return noneOrThrow(error, key, path)
  } finally {
    closeSync(descriptor)
  }
}

function refuseTooLarge(size: number, key: string, path: string): void {
  if (size > limits.MAX_STRING_LENGTH) throw corrupt(`The record is too large (${size} bytes)`, key, path)
}

function readWhole(descriptor: number, size: number): Buffer {
  const content = Buffer.allocUnsafe(size)
  let length = 0
  for (let part = -1; part !== 0 && length < size; length += part) {
    part = readSync(descriptor, content, length, size - length, length)
  }
  return content.subarray(0, length)
}

function readSmall(file: number, shelf: Shelf): Buffer | undefined {
  const room = shelf.roomFor(SMALL)
  const length = readSync(file, room, shelf.offset, SMALL, 0)
  return length < SMALL ? room.subarray(shelf.offset, shelf.offset + length) : undefined
}

/** Reads a file of a known size to a shelf, and keeps it there. */
function readOnto(shelf: Shelf, file: number, size: number): Buffer {
  const room = shelf.roomFor(size)
  const start = shelf.offset
  let length = 0
  for (let count = -1; length < size && count !== 0; length += count) {
    count = readSync(file, room, start + length, size - length, length)
  }
  shelf.keep(length)
  return room.subarray(start, start + length)
}

function checked(content: Buffer, key: string, path: string): Buffer {
  if (!isUtf8(content)) throw corrupt("The record is not UTF-8", key, path)
  return content
}

function noneOrThrow(error: unknown, key: string, path: string): undefined {
  if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined
  throw storageFault("read the record", error, path, decodeKey(key))
}

function corrupt(message: string, key: string, path: string): StorageError {
  return new StorageError("CORRUPT", message, { key: decodeKey(key), path })
}
