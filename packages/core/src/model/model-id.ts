import { z } from "zod"

/** `global`, or the root commit of a repository; other tools choose other names. */
export const ProjectID = z.string().min(1)
export type ProjectID = z.output<typeof ProjectID>

/** Starts with `ses_`. What follows is not checked, here and below: ids made by other tools vary in length. */
export const SessionID = idWithPrefix("ses_")
export type SessionID = z.output<typeof SessionID>

/** Starts with `msg_`. */
export const MessageID = idWithPrefix("msg_")
export type MessageID = z.output<typeof MessageID>

/** Starts with `prt_`. */
export const PartID = idWithPrefix("prt_")
export type PartID = z.output<typeof PartID>

// Not startsWith(), which puts a format that validators do not know into the JSON Schema.
function idWithPrefix(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}`), `Invalid id: must start with "${prefix}"`)
}
