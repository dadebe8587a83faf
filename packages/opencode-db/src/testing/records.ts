import { encodeKey, type Key, type TextRecord } from "@sessile/core/storage"

/** A record as opencode's file would hold it. */
export function record(key: Key, value: unknown): TextRecord {
  return { key: encodeKey(key), text: JSON.stringify(value, undefined, 2) }
}

export const projectID = "a08918a10ff26f65d55fc0bead5534907d8df481"
export const sessionID = "ses_e1e7b3dcaffe6EDeN1rhD2ZHnj"
export const messageID = "msg_1e184bea9001LXRoIgeOZSe7Q1"
export const partID = "prt_1e184bea9002oJ1hGoC6gnr9JI"

/** When {@link messageID} and {@link partID} were made. */
export const messageTime = 1794784935593

export const project = record(["project", projectID], {
  id: projectID,
  worktree: "/home/dev/code/acme",
  vcs: "git",
  sandboxes: [],
  time: { created: messageTime - 1000, updated: messageTime },
})

export const session = record(["session", projectID, sessionID], {
  id: sessionID,
  slug: "gentle-forest",
  version: "1.1.65",
  projectID,
  directory: "/home/dev/code/acme",
  title: "A session",
  time: { created: messageTime - 10, updated: messageTime + 10 },
})

export const message = answer(messageID, { time: { created: messageTime, completed: messageTime + 5 } })

export const part = record(["part", messageID, partID], {
  id: partID,
  sessionID,
  messageID,
  type: "text",
  text: "Done",
})

/** A session with one message and one part, owners first. */
export const wholeSession = [project, session, message, part]

/** An assistant's message in {@link session}. */
export function answer(id: string, fields: object): TextRecord {
  return record(["message", sessionID, id], {
    id,
    sessionID,
    role: "assistant",
    parentID: "msg_1e184bea8001LXRoIgeOZSe7Q0",
    ...fields,
  })
}
