import { z } from "zod"
import { AssistantMessage } from "./assistant-message.js"
import { UserMessage } from "./user-message.js"

/** A message of either role. What it says stands in its parts. */
export const Message = z.discriminatedUnion("role", [UserMessage, AssistantMessage])
export type Message = z.output<typeof Message>
