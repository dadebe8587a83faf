import { isUtf8, constants as limits } from "node:buffer"
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { decodeKey, StorageError, type TextEntry } from "@sessile/core/storage"
import { hasCode, storageFault } from "./storage-fault.js"

/** Larger files are read without holding anybody up. */
const LARGE = 1024 * 1024

/** Where small files are read to, which most records are. */
const scratch = Buffer.allocUnsafe(64 * 1024)

// A pipe in the place of a record must not bring the process to a halt. Windows knows no such flag.
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * The exact text of a record's file, byte order mark included; `undefined` when there is none. Small files are read
 * synchronously: a trip through the thread pool takes many times as long as the reading.
 *
 * @throws StorageError `CORRUPT` for what is not UTF-8, or larger than a string can be; `DENIED`, `IO`
 */
export function readText(key: string, path: string): string | undefined | Promise<string | undefined> {
  try {
    const content = readUnlessLarge(key, path)
    return content === undefined ? readLargeText(key, path) : decode(content, key, path)
  } catch (error) {
    return noneOrThrow(error, key, path)
  }
}

/** What reading a record's file gives, with the reason in place of a text that cannot be had. */
export function readEntry(key: string, file: string): TextEntry | undefined | Promise<TextEntry | undefined> {
  try {
    const reading = readText(key, file)
    if (reading instanceof Promise) return toEntry(key, file, reading)
    return reading === undefined ? undefined : { key, text: reading }
  } catch (error) {
    if (StorageError.is(error)) return { key, error, file }
    throw error
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

async function readLargeText(key: string, path: string): Promise<string | undefined> {
  try {
    return decode(await readFile(path), key, path)
  } catch (error) {
    return noneOrThrow(error, key, path)
  }
}

function decode(content: Buffer, key: string, path: string): string {
  if (!isUtf8(content)) throw corrupt("The record is not UTF-8", key, path)
  return content.toString("utf8")
}

function noneOrThrow(error: unknown, key: string, path: string): undefined {
  if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR")) return undefined
  throw storageFault("read the record", error, path, decodeKey(key))
}

function readUnlessLarge(key: string, path: string): Buffer | undefined {
  const file = openSync(path, FLAGS)
  try {
    const length = readSync(file, scratch, 0, scratch.length, 0)
    if (length < scratch.length) return scratch.subarray(0, length)
    const { size } = fstatSync(file)
    if (size > limits.MAX_STRING_LENGTH) throw corrupt(`The record is too large (${size} bytes)`, key, path)
    return size > LARGE ? undefined : readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function corrupt(message: string, key: string, path: string): StorageError {
  return new StorageError("CORRUPT", message, { key: decodeKey(key), path })
}
