import { JsonStorage } from "@sessile/storage-json"

/** Fills a JSON store with sessions of ten messages of four parts each, and gives how many records that made. */
export async function fillStore(path: string, sessions: number): Promise<number> {
  await using storage = await JsonStorage.open({ path })
  const records: { key: string; text: string }[] = []
  const add = (key: string[], value: object) =>
    records.push({ key: key.join("\0"), text: JSON.stringify(value, undefined, 2) })
  add(["project", "p"], { id: "p", worktree: "/p", time: { created: 1 } })
  for (let session = 0; session < sessions; session++) {
    const sessionID = `ses_${session}`
    add(["session", "p", sessionID], {
      id: sessionID,
      projectID: "p",
      title: "t",
      time: { created: session },
    })
    for (let message = 0; message < 10; message++) {
      const messageID = `msg_${session}_${message}`
      add(["message", sessionID, messageID], { id: messageID, sessionID, role: "user" })
      for (let part = 0; part < 4; part++) {
        const id = `prt_${session}_${message}_${part}`
        add(["part", messageID, id], { id, sessionID, messageID, type: "text", text: "x".repeat(500 * part) })
      }
    }
  }
  await storage.addTexts(records)
  return records.length
}
