import { encodeKey, MemoryStorage, type TextStorage } from "@sessile/core/storage"

/** A store with these texts, by keys whose segments are separated by slashes. */
export async function storeOf(texts: Readonly<Record<string, string>>): Promise<MemoryStorage> {
  const storage = new MemoryStorage()
  await storage.addTexts(Object.entries(texts).map(([path, text]) => ({ key: keyOf(path), text })))
  return storage
}

/** All texts of a store, by the same keys. */
export async function textsOf(storage: TextStorage): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for await (const page of storage.scanTexts()) {
    for (const entry of page) if ("text" in entry) texts[entry.key.replaceAll("\0", "/")] = entry.text
  }
  return texts
}

export function keyOf(path: string): string {
  return encodeKey(path.split("/"))
}

/** A small conversation in opencode's form. */
export const conversation = {
  "message/ses_1/msg_1": json({ id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 1000 } }),
  "message/ses_2/msg_2": json({ id: "msg_2", sessionID: "ses_2", role: "user", time: { created: 2000 } }),
  migration: "2",
  "part/msg_1/prt_1": json({ id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text: "hi" }),
  "part/msg_2/prt_2": json({ id: "prt_2", sessionID: "ses_2", messageID: "msg_2", type: "text", text: "ho" }),
  "project/p": json({ id: "p", worktree: "/p", time: { created: 500 } }),
  "session/p/ses_1": json({
    id: "ses_1",
    projectID: "p",
    title: "One",
    time: { created: 900, updated: 1100 },
  }),
  "session/p/ses_2": json({
    id: "ses_2",
    projectID: "p",
    parentID: "ses_1",
    title: "Two",
    time: { created: 1900, updated: 2100 },
  }),
  "session_diff/ses_1": "[]",
  "todo/ses_2": "[]",
} as const

export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}
