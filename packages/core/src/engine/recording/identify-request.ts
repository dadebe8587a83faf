import { createHash } from "node:crypto"
import type { ModelRequest } from "../model-driver.js"
import type { RecordedRequest } from "./recording.js"

/** How requests are told apart. */
export interface RecordingOptions {
  /**
   * What must be the same in a request for it to get the recorded answer; everything but the session when not given.
   * It should leave out what changes from run to run, such as dates and folders. A recording is replayed with the
   * function that it was recorded with.
   */
  readonly asked?: (request: ModelRequest) => unknown
}

/** What a recording keeps of a request. */
export function identifyRequest(request: ModelRequest, options: RecordingOptions): RecordedRequest {
  const { asked = everythingAsked } = options
  const { model, messages } = request
  return {
    model: `${model.providerID}/${model.modelID}`,
    messages: messages.length,
    sha256: createHash("sha256")
      .update(canonicalJson(asked(request)))
      .digest("hex"),
  }
}

function everythingAsked({ signal, sessionID, model, ...rest }: ModelRequest): object {
  return { ...rest, providerID: model.providerID, modelID: model.modelID }
}

// Two objects that differ only in the order of their properties ask for the same.
function canonicalJson(value: unknown): string {
  const json = JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each) ? inOrder(each) : each,
  )
  return json ?? "undefined"
}

function inOrder(object: object): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
