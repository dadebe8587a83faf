import { describe, expect, it } from "vitest"
import { part, text, tool, user, withParts } from "./testing/records.js"
import { readSession } from "./testing/store.js"
import { transcript } from "./transcript.js"

describe("transcript", () => {
  it("tells what was said and done in a real session, and why tools failed", () => {
    const entries = transcript(readSession("v1.1.65", "Main line").messages)
    const told = entries.map((entry) =>
      entry.type === "text"
        ? `${entry.role}: ${entry.text.split(/[\n—]/)[0]}`
        : `${entry.tool} ${entry.input?.name}=${entry.input?.value} ${entry.error?.slice(0, 13) ?? entry.status}`,
    )
    expect(told.slice(0, 9)).toEqual([
      "user: Hello, what is here?",
      "assistant: Done: answer to Hello, what is here? ",
      "user: RUN: ls -la && echo done",
      "assistant: I will run it.",
      "bash command=ls -la && echo done completed",
      "assistant: Done: tool said total 16",
      "user: WRITE:/home/dev/code/acme/notes.txt",
      "write filePath=/home/dev/code/acme/notes.txt completed",
      "assistant: Done: tool said Wrote file successfully. ",
    ])
    expect(told[10]).toBe("read filePath=/does/not/exist.txt Error: ENOENT")
  })

  it("holds no outputs, reasoning, files or marks", () => {
    const parts = [
      part({ type: "reasoning", text: "secret" }),
      part({ type: "file", mime: "image/png", url: "secret" }),
      part({ type: "snapshot", snapshot: "secret" }),
      part({ type: "patch", hash: "secret", files: [] }),
      part({ type: "step-start", snapshot: "secret" }),
      part({ type: "compaction", auto: true }),
      part({ type: "subtask", prompt: "secret", description: "secret", agent: "secret" }),
      tool("secret"),
    ]
    const entries = transcript([withParts(user(), ...parts)])
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain("secret")
  })

  it("names the message, the role and the time of each entry, and marks what the program added", () => {
    const info = user({ id: "msg_7", time: { created: 99 } })
    const added = part({ type: "text", text: "context", synthetic: true })
    const origin = { messageID: "msg_7", role: "user", time: 99 }
    expect(transcript([withParts(info, text("hi"), added, tool("x"))])).toEqual([
      { type: "text", ...origin, text: "hi" },
      { type: "text", ...origin, text: "context", synthetic: true },
      { type: "tool", ...origin, tool: "bash", status: "completed", input: { name: "command", value: "ls" } },
    ])
  })

  it.each([
    [
      { pattern: "*.ts", path: "/src" },
      { name: "pattern", value: "*.ts" },
    ],
    [
      { description: "list", command: "ls" },
      { name: "command", value: "ls" },
    ],
    [
      { file_path: "/a", content: "…" },
      { name: "file_path", value: "/a" },
    ],
    [
      { command: 5, url: "https://example.com" },
      { name: "url", value: "https://example.com" },
    ],
    [{ todos: [] }, undefined],
    [undefined, undefined],
  ])("of the input %j the key field is %j", (input, expected) => {
    const call = part({ type: "tool", callID: "c", tool: "t", state: { status: "pending", input } })
    expect(transcript([withParts(user(), call)])[0]).toEqual({
      type: "tool",
      messageID: "msg_1",
      role: "user",
      time: 1,
      tool: "t",
      status: "pending",
      ...(expected && { input: expected }),
    })
  })
})
