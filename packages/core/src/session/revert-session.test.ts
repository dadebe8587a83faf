import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Part } from "../model/part.js"
import type { Snapshots } from "../snapshot/snapshots.js"
import { Worktree } from "../snapshot/testing/worktree.js"
import { answer, question, Workbench } from "./testing/workbench.js"

let worktree: Worktree
let snapshots: Snapshots
let bench: Workbench
let sessionID: string

beforeEach(async () => {
  worktree = await Worktree.create()
  snapshots = await worktree.open()
  const project = { id: "acme", worktree: worktree.path, vcs: "git" }
  bench = new Workbench({ project, snapshots })
  sessionID = (await bench.sessions.create()).id
})

afterEach(() => worktree[Symbol.asyncDispose]())

describe("summarize", () => {
  it("stores what the steps changed, its totals, and tells of it", async () => {
    await worktree.write("mine.txt", "1\n")
    await turn("a.txt", "1\n2\n")
    await worktree.write("mine.txt", "2\n")
    await turn("b.txt", "3\n")
    const session = await bench.sessions.summarize(sessionID)
    expect(session.summary).toEqual({ additions: 3, deletions: 0, files: 2 })
    const diffs = await bench.sessions.diffs(sessionID)
    expect(diffs.map(({ file, after }) => [file, after])).toEqual([
      ["a.txt", "1\n2\n"],
      ["b.txt", "3\n"],
    ])
    expect(bench.events.at(-1)).toEqual({
      type: "session.diff",
      properties: { sessionID, diff: diffs },
    })
  })

  it("stores with a question what its turn changed, beside what else its summary holds", async () => {
    const first = await turn("a.txt", "1\n")
    await turn("a.txt", "1\n2\n", first.answerID)
    const second = await turn("b.txt", "3\n")
    const reference = { sessionID, id: second.questionID }
    const edit = (draft: object) => Object.assign(draft, { summary: { title: "B", diffs: [] } })
    await bench.sessions.messages.update(reference, edit)
    bench.events.length = 0
    for (const { questionID: messageID } of [first, second]) {
      await bench.sessions.summarize(sessionID, { messageID })
    }
    expect(await turnDiffs(first)).toEqual([["a.txt", "", "1\n2\n", 2]])
    expect(await turnDiffs(second)).toEqual([["b.txt", "", "3\n", 1]])
    expect(await bench.sessions.messages.get(reference)).toMatchObject({ summary: { title: "B" } })
    const told = ["message.updated", "session.updated", "session.diff"]
    expect(bench.told).toEqual([...told, ...told])
  })

  it("leaves out of a turn what was taken back", async () => {
    const { questionID, answerID } = await turn("a.txt", "1\n")
    const [partID] = (await turn("b.txt", "2\n", answerID)).partIDs
    const asked = { questionID }
    await bench.sessions.revert(sessionID, { messageID: answerID, partID })
    await bench.sessions.summarize(sessionID, { messageID: questionID })
    expect(await turnDiffs(asked)).toEqual([["a.txt", "", "1\n", 1]])
    await bench.sessions.revert(sessionID, { messageID: questionID })
    await bench.sessions.summarize(sessionID, { messageID: questionID })
    expect(await turnDiffs(asked)).toEqual([])
  })

  it("refuses a turn that does not begin with a question of the session, and changes nothing", async () => {
    const { answerID } = await turn("a.txt", "1\n")
    const before = await bench.records()
    for (const messageID of [answerID, "msg_unknown"]) {
      const summarize = bench.sessions.summarize(sessionID, { messageID })
      await expect(summarize).rejects.toMatchObject({ code: "NOT_FOUND" })
    }
    expect(await bench.records()).toEqual(before)
  })

  it("stores that nothing changed when no step did", async () => {
    expect(await bench.sessions.diffs(sessionID)).toEqual([])
    const session = await bench.sessions.summarize(sessionID)
    expect(session.summary).toEqual({ additions: 0, deletions: 0, files: 0 })
    expect(await bench.storage.read(["session_diff", sessionID])).toEqual([])
    await expect(bench.sessions.diffs("ses_unknown")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("revert", () => {
  it("takes files and summary back to just before a message, and unrevert brings them back", async () => {
    await turn("a.txt", "1\n")
    const second = await turn("a.txt", "2\n")
    await turn("b.txt", "3\n")
    const files = await worktree.files()
    const { revert, summary } = await bench.sessions.revert(sessionID, { messageID: second.questionID })
    expect(revert).toMatchObject({ messageID: second.questionID, snapshot: expect.any(String) })
    expect(revert?.diff).toContain("-2")
    expect(summary).toEqual({ additions: 1, deletions: 0, files: 1 })
    expect(await worktree.files()).toEqual({ "a.txt": "file 1\n" })
    expect(await bench.sessions.messages.load(sessionID)).toHaveLength(6)

    const back = await bench.sessions.unrevert(sessionID)
    expect(back).not.toHaveProperty("revert")
    expect(back.summary).toEqual({ additions: 2, deletions: 0, files: 2 })
    expect(await worktree.files()).toEqual(files)
  })

  it("can be moved to another point, in either direction, and still be undone", async () => {
    const [first, second, third] = [
      await turn("a.txt", "1\n"),
      await turn("b.txt", "2\n"),
      await turn("c.txt", "3\n"),
    ]
    const files = await worktree.files()
    const revertTo = async ({ questionID }: Turn) => {
      await bench.sessions.revert(sessionID, { messageID: questionID })
      return Object.keys(await worktree.files())
    }
    expect(await revertTo(second)).toEqual(["a.txt"])
    expect(await revertTo(first)).toEqual([])
    expect(await revertTo(third)).toEqual(["a.txt", "b.txt"])
    await bench.sessions.unrevert(sessionID)
    expect(await worktree.files()).toEqual(files)
  })

  it("at an answer takes its question along, and at a part with nothing before it the whole message", async () => {
    const { questionID, answerID, partIDs } = await turn("a.txt", "1\n")
    const revert = async (partID?: string) =>
      (await bench.sessions.revert(sessionID, { messageID: answerID, partID })).revert
    expect(await revert()).toMatchObject({ messageID: questionID })
    expect(await revert(partIDs[1])).not.toHaveProperty("partID")
    expect(await revert(partIDs.at(-1))).toMatchObject({ messageID: answerID, partID: partIDs.at(-1) })
  })

  it("at a part leaves what came before it, also the files", async () => {
    const { answerID } = await turn("a.txt", "1\n")
    const { partIDs } = await turn("b.txt", "2\n", answerID)
    await bench.sessions.revert(sessionID, { messageID: answerID, partID: partIDs[0] as string })
    expect(Object.keys(await worktree.files())).toEqual(["a.txt"])
    bench.events.length = 0
    await bench.sessions.cleanUp(sessionID)
    const [, answered] = await bench.sessions.messages.load(sessionID)
    expect(answered?.parts.some(({ id }) => partIDs.includes(id))).toBe(false)
    expect(answered?.parts).toHaveLength(4)
    expect(bench.told).toEqual([...Array(4).fill("message.part.removed"), "session.updated"])
  })

  it("changes nothing when the files cannot be taken back, whether it is the first time or not", async () => {
    const { questionID } = await turn("a.txt", "1\n")
    const outside = { type: "patch" as const, hash: "0".repeat(40), files: ["/etc/passwd"] }
    const { info } = await bench.sessions.messages.add(sessionID, question, [outside])
    const refuse = async () => {
      const [records, files] = [await bench.records(), await worktree.files()]
      const revert = bench.sessions.revert(sessionID, { messageID: info.id })
      await expect(revert).rejects.toMatchObject({ code: "OUTSIDE" })
      expect([await bench.records(), await worktree.files()]).toEqual([records, files])
    }
    await refuse()
    await bench.sessions.parts.remove(await lastPart())
    await bench.sessions.revert(sessionID, { messageID: questionID })
    expect(await worktree.files()).toEqual({})
    await bench.sessions.parts.add(info, outside)
    await refuse()
  })

  it("changes nothing when a snapshot is gone", async () => {
    const { questionID, answerID } = await turn("a.txt", "1\n")
    const { questionID: second } = await turn("b.txt", "1\n")
    const [start] = (await bench.sessions.messages.getWithParts({ sessionID, id: answerID })).parts
    const edit = (draft: object) => Object.assign(draft, { snapshot: "0".repeat(40) })
    await bench.sessions.parts.update(start as Part, edit)
    const before = [await bench.records(), await worktree.files()]
    const revert = bench.sessions.revert(sessionID, { messageID: second })
    await expect(revert).rejects.toMatchObject({ name: "SnapshotError", code: "NOT_FOUND" })
    expect([await bench.records(), await worktree.files()]).toEqual(before)
    expect(await bench.sessions.revert(sessionID, { messageID: questionID })).toHaveProperty("revert")
  })

  it("refuses points that are not there", async () => {
    const { questionID } = await turn("a.txt", "1\n")
    const unknown = [{ messageID: "msg_unknown" }, { messageID: questionID, partID: "prt_unknown" }]
    for (const point of unknown) {
      await expect(bench.sessions.revert(sessionID, point)).rejects.toMatchObject({ code: "NOT_FOUND" })
    }
  })

  it("of a session without snapshots takes back the conversation alone", async () => {
    const { sessions } = new Workbench({ storage: bench.storage })
    const { id } = await sessions.create()
    const { info } = await sessions.messages.add(id, question)
    expect((await sessions.revert(id, { messageID: info.id })).revert).toEqual({ messageID: info.id })
    expect(await sessions.unrevert(id)).not.toHaveProperty("revert")
  })
})

describe("cleanUp", () => {
  it("removes what was taken back, for good, and tells of it", async () => {
    const first = await turn("a.txt", "1\n")
    const keys = Object.keys(await bench.records())
    const second = await turn("b.txt", "2\n")
    await bench.sessions.revert(sessionID, { messageID: second.questionID })
    bench.events.length = 0
    expect(await bench.sessions.cleanUp(sessionID)).not.toHaveProperty("revert")
    expect(Object.keys(await bench.records())).toEqual([...keys, `session_diff/${sessionID}`].sort())
    expect(bench.told).toEqual(["message.removed", "message.removed", "session.updated"])
    const messages = await bench.sessions.messages.load(sessionID)
    expect(messages.map(({ info }) => info.id)).toEqual([first.questionID, first.answerID])
  })

  it("and unrevert leave a session alone of which nothing was taken back", async () => {
    await turn("a.txt", "1\n")
    const before = await bench.records()
    await bench.sessions.cleanUp(sessionID)
    await bench.sessions.unrevert(sessionID)
    expect(await bench.records()).toEqual(before)
  })
})

async function lastPart(): Promise<Part> {
  return (await bench.sessions.messages.load(sessionID)).at(-1)?.parts.at(-1) as Part
}

async function turnDiffs({ questionID }: Pick<Turn, "questionID">): Promise<unknown[] | undefined> {
  const message = await bench.sessions.messages.get({ sessionID, id: questionID })
  if (message.role !== "user") return undefined
  return message.summary?.diffs.map(({ file, before, after, additions }) => [file, before, after, additions])
}

interface Turn {
  readonly questionID: string
  readonly answerID: string
  readonly partIDs: string[]
}

/** A question, unless there is an answer to go on with, and an answer that writes a file. */
async function turn(file: string, content: string, answerID?: string): Promise<Turn> {
  const { messages, parts } = bench.sessions
  bench.now++
  const asked =
    answerID === undefined
      ? await messages.add(sessionID, question, [{ type: "text", text: "?" }])
      : undefined
  const questionID = asked?.info.id as string
  bench.now++
  const answerIn = answerID ?? (await messages.add(sessionID, answer(questionID))).info.id
  const before = (await snapshots.track()) as string
  await worktree.write(file, content)
  const patch = await snapshots.patch(before)
  const after = (await snapshots.track()) as string
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  const fields = [
    { type: "step-start", snapshot: before },
    { type: "text", text: "Done" },
    { type: "step-finish", reason: "stop", snapshot: after, cost: 0, tokens },
    { type: "patch", ...patch },
  ] as const
  const partIDs: string[] = []
  for (const each of fields) partIDs.push((await parts.add({ sessionID, id: answerIn }, each)).id)
  return { questionID, answerID: answerIn, partIDs }
}
