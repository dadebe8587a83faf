import type { Key } from "./key.js"
import { StorageError } from "./storage-error.js"

/** How deep a value may nest. SQL engines read JSON no deeper, and it stops values that contain themselves. */
export const MAX_DEPTH = 1000

/**
 * The JSON text of a value. What JSON would drop or alter without a word is refused: functions, symbols,
 * bigints, NaN and infinities, dates, maps and other class instances, holes and `undefined` in arrays, values
 * that contain themselves or nest deeper than {@link MAX_DEPTH}. As in JSON, properties that are `undefined`
 * or named by symbols are left out, and minus zero becomes zero.
 *
 * @throws StorageError `INVALID_VALUE`
 */
export function encodeValue(value: unknown, key: Key, indent?: number): string {
  const path: string[] = [] // innermost name first
  const reason = flaw(value, path, 0)
  if (reason !== undefined) {
    const place = path.length === 0 ? "The value" : `The value at ${path.toReversed().slice(0, 8).join(".")}`
    throw new StorageError("INVALID_VALUE", `${place} cannot be stored as JSON: ${reason}`, { key })
  }
  return JSON.stringify(value, undefined, indent)
}

/**
 * The value of a JSON text. A byte order mark in front, which some editors leave, is passed over.
 *
 * @throws StorageError `CORRUPT`. Neither its message nor its cause quotes the text, which may be secret.
 */
export function decodeValue<T>(text: string, key: Key, path?: string): T {
  try {
    return JSON.parse(withoutMark(text))
  } catch {
    throw new StorageError("CORRUPT", `The record is ${corruption(text)}`, { key, path })
  }
}

/**
 * The value of a text that every store can keep, or what is wrong with it. That does not quote the text, which
 * may be secret.
 */
export function parseText(text: string): { readonly value: unknown } | { readonly flaw: string } {
  let value: unknown
  try {
    value = JSON.parse(withoutMark(text))
  } catch {
    return { flaw: corruption(text) }
  }
  const tooDeep = text.length > 2 * MAX_DEPTH && nestsDeeper(value, MAX_DEPTH)
  return tooDeep ? { flaw: `nested deeper than ${MAX_DEPTH} levels` } : { value }
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((child) => nestsDeeper(child, levels - 1))
}

function flaw(value: unknown, path: string[], depth: number): string | undefined {
  if (value === null) return undefined
  if (typeof value === "string" || typeof value === "boolean") return undefined
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${value} is not a JSON number`
  if (typeof value !== "object") return `${typeof value} is not a JSON type`
  if (depth >= MAX_DEPTH) return `it contains itself, or nests deeper than ${MAX_DEPTH} levels`
  if (Array.isArray(value)) return flawInArray(value, path, depth)
  return flawInObject(value as Record<string, unknown>, path, depth)
}

function flawInArray(array: readonly unknown[], path: string[], depth: number): string | undefined {
  for (let index = 0; index < array.length; index++) {
    const reason = flaw(array[index], path, depth + 1)
    if (reason !== undefined) return locate(reason, String(index), path)
  }
  return undefined
}

function flawInObject(object: Record<string, unknown>, path: string[], depth: number): string | undefined {
  if (!isPlain(object)) return `an instance of ${nameOfClass(object)} is not plain data`
  for (const name of Object.keys(object)) {
    const property = object[name]
    const reason = property === undefined ? undefined : flaw(property, path, depth + 1)
    if (reason !== undefined) return locate(reason, name, path)
  }
  return undefined
}

// Objects of another realm have another Object.prototype, but it too inherits from nothing.
function isPlain(object: Record<string, unknown>): boolean {
  if (typeof object.toJSON === "function") return false
  const prototype = Object.getPrototypeOf(object)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

// Not `object.constructor`, which may be a property with content.
function nameOfClass(object: object): string {
  return Object.getPrototypeOf(object).constructor?.name ?? "a class"
}

function locate(reason: string, name: string, path: string[]): string {
  path.push(name)
  return reason
}

function corruption(text: string): string {
  if (text === "") return "empty"
  if (/^\0+$/.test(text)) return `nothing but ${text.length} NUL bytes`
  return `not valid JSON (${text.length} characters)`
}
