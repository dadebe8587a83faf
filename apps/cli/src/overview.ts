import type { Project, Session } from "@sessile/core/model"
import type { Key, Storage, StorageError } from "@sessile/core/storage"

/** What a store holds, at a glance. */
export interface Overview {
  readonly projects: readonly Project[]
  /** Newest first. */
  readonly sessions: readonly SessionLine[]
  /** Records that cannot be read. */
  readonly damaged: readonly StorageError[]
}

export interface SessionLine {
  readonly session: Session
  readonly messages: number
  readonly parts: number
}

/** Looks through a store. Only projects and sessions are read; messages and parts are counted by their keys. */
export async function overview(storage: Storage): Promise<Overview> {
  const damaged: StorageError[] = []
  const onCorrupt = (error: StorageError) => damaged.push(error)
  const projects: Project[] = []
  for await (const { value } of storage.scan<Project>(["project"], { onCorrupt })) projects.push(value)

  const messages = idsByOwner(await storage.list(["message"]))
  const parts = idsByOwner(await storage.list(["part"]))
  const sessions: SessionLine[] = []
  for await (const { key, value } of storage.find<Session>("sessions-by-updated", {
    reverse: true,
    onCorrupt,
  })) {
    const owned = messages.get(key[2] as string) ?? []
    const count = owned.reduce((sum, message) => sum + (parts.get(message)?.length ?? 0), 0)
    sessions.push({ session: value, messages: owned.length, parts: count })
  }
  return { projects, sessions, damaged }
}

function idsByOwner(keys: readonly Key[]): Map<string, string[]> {
  const owners = new Map<string, string[]>()
  for (const [, owner, id] of keys) {
    if (owner === undefined || id === undefined) continue
    const owned = owners.get(owner)
    if (owned) owned.push(id)
    else owners.set(owner, [id])
  }
  return owners
}
