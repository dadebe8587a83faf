import type { PermissionRuleset } from "../model/permission.js"
import type { PermissionMatching } from "./matching.js"

/** What somebody wants to do. */
export interface PermissionQuestion {
  readonly permission: string
  /** What it is wanted for, such as commands or paths, letter for letter; everything when there are none. */
  readonly patterns: readonly string[]
  /** What `patterns` are; by default what the permission is known for, such as commands for `bash`. */
  readonly matching?: PermissionMatching
  /** What helps to decide, such as the command or the diff. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The patterns, with wildcards, that the reply `always` allows; by default just what is asked for. */
  readonly always?: readonly string[]
}

/** The question of one call, with whatever decides it before anybody is asked. */
export interface PermissionAsk extends PermissionQuestion {
  readonly sessionID: string
  readonly ruleset: PermissionRuleset
  /** Further rulesets, such as those of callers: what one of them does not allow, `ruleset` cannot allow. */
  readonly limits?: readonly PermissionRuleset[]
  /** Where relative paths begin; the working folder of the process when not given. */
  readonly folder?: string
  readonly tool?: { readonly messageID: string; readonly callID: string }
  /** Withdraws the question. */
  readonly signal?: AbortSignal
}
