import { createIdentifiers } from "@sessile/core/identifier"

/** Messages of about 1 KB each, as an assistant writes them, in sessions of a hundred; always the same ones. */
export function messages(count: number): { readonly key: string[]; readonly value: unknown }[] {
  let time = Date.UTC(2026, 0, 1)
  const identifiers = createIdentifiers({ clock: () => time++, random: (size) => new Uint8Array(size) })
  let session = ""
  return Array.from({ length: count }, (_, index) => {
    if (index % 100 === 0) session = identifiers.descending("session")
    const id = identifiers.ascending("message")
    return { key: ["message", session, id], value: message(id, session, time, index) }
  })
}

function message(id: string, sessionID: string, time: number, index: number): unknown {
  return {
    id,
    sessionID,
    role: "assistant",
    time: { created: time, completed: time + 1500 },
    parentID: id,
    modelID: "large",
    providerID: "example",
    mode: "build",
    agent: "build",
    path: { cwd: "/home/dev/code/acme", root: "/home/dev/code/acme" },
    cost: index / 1000,
    tokens: { input: 1200 + index, output: 52, reasoning: 7, cache: { read: 300, write: 0 } },
    finish: "stop",
    summary: { title: `Turn ${index}`, body: "All work and no play. ".repeat(24) },
  }
}
