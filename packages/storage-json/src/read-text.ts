import { isUtf8, constants as limits } from "node:buffer"
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { decodeKey, decodeUtf8, Shelf, StorageError, type TextEntry, Utf8Record } from "@sessile/core/storage"
import { hasCode, storageFault } from "./storage-fault.js"

/** Larger files are read without holding anybody up. */
const LARGE = 1024 * 1024

/** Files smaller than this, which most records are, are read to a shelf. */
const SMALL = 64 * 1024

const ownShelf = new Shelf()

// A pipe in the place of a record must not bring the process to a halt. Windows knows no such flag.
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * The exact text of a record's file, byte order mark included; `undefined` when there is none. Small files are read
 * synchronously: a trip through the thread pool takes many times as long as the reading.
 *
 * @throws StorageError `CORRUPT` for what is not UTF-8, or larger than a string can be; `DENIED`, `IO`
 */
export function readText(key: string, path: string): string | undefined | Promise<string | undefined> {
  const content = readUtf8(key, path, ownShelf)
  return content instanceof Promise ? content.then(textOf) : textOf(content)
}

/** What reading a record's file gives, with the reason in place of a text that cannot be had. */
export function readEntry(
  key: string,
  file: string,
  shelf = ownShelf,
): TextEntry | undefined | Promise<TextEntry | undefined> {
  try {
    const content = readUtf8(key, file, shelf)
    if (content instanceof Promise) return toEntry(key, file, content.then(textOf))
    if (content === undefined) return undefined
    if (content.length < SMALL) shelf.keep(content.length)
    return new Utf8Record(key, content)
  } catch (error) {
    if (StorageError.is(error)) return { key, error, file }
    throw error
  }
}

/**
 * The content of a record's file, kept on a shelf; `undefined` for a file that takes a closer look.
 *
 * @throws whatever the system says
 */
export function readPlain(path: string, shelf: Shelf): Buffer | undefined {
  const file = openSync(path, FLAGS)
  try {
    const content = readSmall(file, shelf)
    if (content === undefined || content.length === 0 || !isUtf8(content)) return undefined
    shelf.keep(content.length)
    return content
  } finally {
    closeSync(file)
  }
}

/** What a reading that is under way gives, with the reason in place of a text that cannot be had. */
export async function toEntry(
  key: string,
  file: string,
  reading: Promise<string | undefined>,
): Promise<TextEntry | undefined> {
  try {
    const text = await reading
    return text === undefined ? undefined : { key, text }
  } catch (error) {
    if (StorageError.is(error)) return { key, error, file }
    throw error
  }
}

function textOf(content: Buffer | undefined): string | undefined {
  return content && decodeUtf8(content)
}

/** The content of a file; on the shelf it is there until the next one is read, unless it is kept. */
function readUtf8(key: string, path: string, shelf: Shelf): Buffer | undefined | Promise<Buffer | undefined> {
  try {
    const content = readUnlessLarge(key, path, shelf)
    return content === undefined ? readLarge(key, path) : checked(content, key, path)
  } catch (error) {
    return noneOrThrow(error, key, path)
  }
}

async function readLarge(key: string, path: string): Promise<Buffer | undefined> {
  try {
    return checked(await readFile(path), key, path)
  } catch (error) {
    return noneOrThrow(error, key, path)
  }
}

function readUnlessLarge(key: string, path: string, shelf: Shelf): Buffer | undefined {
  const file = openSync(path, FLAGS)
  try {
    const content = readSmall(file, shelf)
    if (content !== undefined) return content
    const { size } = fstatSync(file)
    if (size > limits.MAX_STRING_LENGTH) throw corrupt(`The record is too large (${size} bytes)`, key, path)
    return size > LARGE ? undefined : readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function readSmall(file: number, shelf: Shelf): Buffer | undefined {
  const room = shelf.roomFor(SMALL)
  const length = readSync(file, room, shelf.offset, SMALL, 0)
  return length < SMALL ? room.subarray(shelf.offset, shelf.offset + length) : undefined
}

function checked(content: Buffer, key: string, path: string): Buffer {
  if (!isUtf8(content)) throw corrupt("The record is not UTF-8", key, path)
  return content
}

function noneOrThrow(error: unknown, key: string, path: string): undefined {
  if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR")) return undefined
  throw storageFault("read the record", error, path, decodeKey(key))
}

function corrupt(message: string, key: string, path: string): StorageError {
  return new StorageError("CORRUPT", message, { key: decodeKey(key), path })
}
