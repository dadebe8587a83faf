import type { NewFileDiff, NewPart, NewTodo, PartType } from "@sessile/core/model"
import type { Workshop } from "./workshop.js"

/** A session while it is being held. */
export interface Conversation {
  readonly workshop: Workshop
  readonly sessionID: string
  readonly worktree: string
  readonly agent: string
  readonly model: { readonly providerID: string; readonly modelID: string }
  /** The changes so far, by file. */
  readonly diffs: Map<string, NewFileDiff>
  /** The tasks as they were last set. */
  todos?: NewTodo[]
  /** Holds a child session and gives its id; absent when there is to be none. */
  delegate(title: string): string | undefined
}

type Fields<Type extends PartType> = Omit<NewPart<Type>, "id" | "sessionID" | "messageID">

/** Writes a part of a message, with an id of this moment. */
export function writePart<Type extends PartType>(
  { workshop: { identifiers, files }, sessionID }: Conversation,
  messageID: string,
  fields: Fields<Type> & { type: Type },
): void {
  const id = identifiers.ascending("part")
  files.write(["part", messageID, id], { id, sessionID, messageID, ...fields })
}
