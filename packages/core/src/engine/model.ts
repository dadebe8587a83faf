import type { ModelReference } from "../model/model-reference.js"
import type { ProviderOptions } from "../session/model-message.js"
import type { ModelLimit } from "../session/overflow.js"
import type { ModelCost } from "../session/usage.js"
import type { ModelDriver } from "./model-driver.js"

/** A model as the engine needs to know it. */
export interface Model extends ModelReference {
  /** The provider's own name for it, by which its family is told; `modelID` when not given. */
  readonly apiID?: string
  readonly limit: ModelLimit
  /** A model without prices costs nothing. */
  readonly cost?: ModelCost
  /** Passed on to the driver with every request. */
  readonly options?: ProviderOptions
}

/** A model, and what speaks to it. */
export interface ReachableModel {
  readonly model: Model
  readonly driver: ModelDriver
}

/** Where the engine finds its models. */
export interface Models {
  /** The model for sessions and agents that name none. */
  readonly default: ModelReference
  /** The model for titles; the one at hand when not given. */
  readonly small?: ModelReference
  /** Rejects when there is no such model, with a message that says what to do. */
  get(reference: ModelReference): ReachableModel | Promise<ReachableModel>
}

/** Models of which there is but one, whichever is asked for. */
export function oneModel(model: Model, driver: ModelDriver): Models {
  return { default: model, get: () => ({ model, driver }) }
}
