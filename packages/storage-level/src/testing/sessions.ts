import type { IndexDefinition, Storage } from "@sessile/core/storage"

/** Writes sessions `ses_000` and so on, the later ones updated earlier. */
export async function writeSessions(storage: Storage, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    await storage.write(sessionKey(number), {
      title: `t${number}`,
      time: { created: number, updated: count - number },
    })
  }
}

export function sessionKey(number: number): string[] {
  return ["session", "project", `ses_${String(number).padStart(3, "0")}`]
}

/** An index that no store has unless it was opened with it. */
export const byTitle: IndexDefinition = {
  name: "sessions-by-title",
  prefix: ["session"],
  keyLength: 3,
  terms: [{ value: ["title"] }],
}
