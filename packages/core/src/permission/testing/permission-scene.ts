import { EventBus } from "../../event/event-bus.js"
import { createIdentifiers } from "../../identifier/create-identifiers.js"
import type { PermissionAsk } from "../permission-ask.js"
import { Permissions, type PermissionsOptions } from "../permissions.js"

export function scene(options: Omit<PermissionsOptions, "bus"> = {}) {
  const bus = new EventBus()
  const events: [string, unknown][] = []
  bus.subscribe("*", ({ type, properties }) => events.push([type, properties]))
  const identifiers = createIdentifiers({ clock: () => 1_800_000_000_000 })
  return { bus, events, permissions: new Permissions({ bus, identifiers, ...options }) }
}

export function question(fields: Partial<PermissionAsk> = {}): PermissionAsk {
  return { sessionID: "ses_1", permission: "bash", patterns: ["ls"], ruleset: [], ...fields }
}

export async function waitFor(permissions: Permissions, count = 1): Promise<void> {
  while (permissions.pending().length < count) await new Promise(setImmediate)
}
