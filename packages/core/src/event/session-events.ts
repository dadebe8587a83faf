import type { FileDiff } from "../model/file-diff.js"
import type { Message } from "../model/message.js"
import type { MessageError } from "../model/message-error.js"
import type { Part } from "../model/part.js"
import type { Session } from "../model/session.js"
import type { Todo } from "../model/todo.js"

/**
 * What happens to sessions, and to the files that they are about, by the name that opencode gives it on the wire, with
 * what each event tells.
 */
export interface SessionEvents {
  "session.created": { readonly info: Session }
  "session.updated": { readonly info: Session }
  "session.deleted": { readonly info: Session }
  /** The files that the session changed, all of them each time. */
  "session.diff": { readonly sessionID: string; readonly diff: readonly FileDiff[] }
  /** Without a session when none can be named. */
  "session.error": { readonly sessionID?: string; readonly error: MessageError }
  "session.status": { readonly sessionID: string; readonly status: SessionStatus }
  /** The loop of the session has ended; follows the `session.status` that says so. */
  "session.idle": { readonly sessionID: string }
  "session.compacted": { readonly sessionID: string }
  "message.updated": { readonly info: Message }
  "message.removed": { readonly sessionID: string; readonly messageID: string }
  /** The part as it now is; `delta` is the text that it has grown by, where it has just grown. */
  "message.part.updated": { readonly part: Part; readonly delta?: string }
  "message.part.removed": { readonly sessionID: string; readonly messageID: string; readonly partID: string }
  /** A file of the worktree, by its absolute path, is there, has changed or is gone, whoever did that. */
  "file.watcher.updated": { readonly file: string; readonly event: "add" | "change" | "unlink" }
  "todo.updated": { readonly sessionID: string; readonly todos: readonly Todo[] }
  "permission.asked": PermissionRequest
  "permission.replied": {
    readonly sessionID: string
    readonly requestID: string
    readonly reply: PermissionReply
  }
}

/** What a session is doing. While it waits to `retry`, `next` is the time of the next attempt. */
export type SessionStatus =
  | { readonly type: "idle" }
  | { readonly type: "busy" }
  | { readonly type: "retry"; readonly attempt: number; readonly message: string; readonly next: number }

/** Somebody must say whether `permission` may be used for `patterns`. */
export interface PermissionRequest {
  readonly id: string
  readonly sessionID: string
  readonly permission: string
  readonly patterns: readonly string[]
  /** What helps to decide, such as the command or the diff. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The patterns that the reply `always` allows from then on. */
  readonly always: readonly string[]
  /** The call that asks. */
  readonly tool?: { readonly messageID: string; readonly callID: string }
}

/** The answer to a request: this time, from now on, or not. */
export type PermissionReply = "once" | "always" | "reject"
