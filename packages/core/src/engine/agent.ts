import type { ModelReference } from "../model/model-reference.js"
import type { PermissionRuleset } from "../model/permission.js"
import type { ProviderOptions } from "../session/model-message.js"

/** A role in which a model works. */
export interface Agent {
  readonly name: string
  /** What it is good for, so that others can choose it. */
  readonly description?: string
  /** Whether people talk to it, or other agents give it tasks, or both. */
  readonly mode: "primary" | "subagent" | "all"
  /** Not offered to people or models: it works behind the scenes. */
  readonly hidden?: boolean
  /** Takes the place of the provider's prompt. */
  readonly prompt?: string
  readonly model?: ModelReference
  readonly temperature?: number
  readonly topP?: number
  /** After this many steps it must come to an end. */
  readonly steps?: number
  readonly permission: PermissionRuleset
  /** Further rulesets: what one of them does not allow, `permission` cannot allow. */
  readonly limits?: readonly PermissionRuleset[]
  readonly options?: ProviderOptions
}
