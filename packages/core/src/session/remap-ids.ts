import type { Part } from "../model/part.js"
import type { MessageWithParts } from "./message-with-parts.js"

/**
 * New ids for whatever a copy of messages contains: the messages, their parts, and the files that tools attached,
 * which are parts that are stored within another.
 */
export function newIds(
  messages: readonly MessageWithParts[],
  create: (entity: "message" | "part") => string,
): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { info, parts } of messages) {
    ids.set(info.id, create("message"))
    for (const part of parts) {
      for (const { id } of [part, ...attachmentsOf(part)]) ids.set(id, create("part"))
    }
  }
  return ids
}

/**
 * A copy in which every field that holds an id, and nothing but it, names the copy instead of the original. What a
 * model gave to a tool stays as it was said.
 */
export function remapIds<T>(value: T, ids: ReadonlyMap<string, string>): T {
  return remapped(value) as T

  function remapped(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(remapped)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, remappedField(name, field)]),
    )
  }

  function remappedField(name: string, field: unknown): unknown {
    if (typeof field === "string") return isIdField(name) ? (ids.get(field) ?? field) : field
    return name === "input" ? structuredClone(field) : remapped(field)
  }
}

function isIdField(name: string): boolean {
  return /^id$|I[Dd]$|_id$/.test(name)
}

function attachmentsOf(part: Part): readonly { readonly id: string }[] {
  if (part.type !== "tool" || part.state?.status !== "completed") return []
  return part.state.attachments ?? []
}
