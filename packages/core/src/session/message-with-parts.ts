import type { Message } from "../model/message.js"
import type { Part } from "../model/part.js"

/**
 * A message with what it says. Lists of them are in the order of `compareMessages`, and `parts` in that of
 * `compareParts`.
 */
export interface MessageWithParts {
  readonly info: Message
  readonly parts: readonly Part[]
}
