import { z } from "zod"
import { MessageID, PartID, SessionID } from "./model-id.js"

/** The fields that every part begins with. */
export const partBaseFields = { id: PartID, sessionID: SessionID, messageID: MessageID }

/** What all parts have in common. The key under which a part is stored is the truth about its ids. */
export const PartBase = z.looseObject(partBaseFields)
export type PartBase = z.output<typeof PartBase>
