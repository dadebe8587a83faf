import type { PermissionRuleset } from "../model/permission.js"

/** What somebody wants to do. */
export interface PermissionQuestion {
  readonly permission: string
  /** What it is wanted for, such as commands or paths; `*` when there are none. */
  readonly patterns: readonly string[]
  /** What helps to decide, such as the command or the diff. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The patterns that the reply `always` allows from then on; `patterns` when not given. */
  readonly always?: readonly string[]
}

/** The question of one call, with whatever decides it before anybody is asked. */
export interface PermissionAsk extends PermissionQuestion {
  readonly sessionID: string
  readonly ruleset: PermissionRuleset
  readonly tool?: { readonly messageID: string; readonly callID: string }
  /** Withdraws the question. */
  readonly signal?: AbortSignal
}
