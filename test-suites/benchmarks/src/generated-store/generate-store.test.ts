import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { compareMessages, isGeneratedIdentifier, timestamp } from "@sessile/core/identifier"
import { checkModel, FileDiffList, Message, Part, Project, Session, TodoList } from "@sessile/core/model"
import { temporaryFolder } from "@sessile/fixtures"
import { beforeAll, describe, expect, test } from "vitest"
import type { z } from "zod"
import { type GeneratedStore, generateStore } from "./generate-store.js"

const models: Readonly<Record<string, z.ZodType<unknown, unknown>>> = {
  project: Project,
  session: Session,
  message: Message,
  part: Part,
  session_diff: FileDiffList,
  todo: TodoList,
}

describe("generateStore", () => {
  test("the same seed gives the same bytes, and another seed others", async () => {
    const [first, again, other] = [await generate(7, 5), await generate(7, 5), await generate(8, 5)]
    expect(again.texts).toEqual(first.texts)
    expect(other.texts.size).toBeGreaterThan(100)
    expect([...other.texts.keys()].filter((path) => first.texts.has(path))).toEqual(["migration"])
  })

  test.each([1, 2, 9])("of %i sessions each has its diffs, in one of four projects", async (sessions) => {
    const { made, texts } = await generate(1, sessions)
    expect(made.counts).toMatchObject({ session: sessions, session_diff: sessions, project: 4 })
    expect(recordsOf(texts, "session")).toHaveLength(sessions)
  })

  describe("a store of 60 sessions", () => {
    let made: GeneratedStore
    let texts: ReadonlyMap<string, string>
    beforeAll(async () => {
      const store = await generate(1, 60)
      made = store.made
      texts = store.texts
    })

    test("is what it is said to be", () => {
      const counts = Object.keys(models).map((kind) => [kind, recordsOf(texts, kind).length])
      expect(made.counts).toEqual(Object.fromEntries(counts))
      expect(made.files).toBe(texts.size)
      expect(made.bytes).toBe([...texts.values()].reduce((total, text) => total + Buffer.byteLength(text), 0))
    })

    test("has the marker of its layout, and records of their models, indented", () => {
      expect(texts.get("migration")).toBe("2")
      for (const [kind, model] of Object.entries(models)) {
        const records = recordsOf(texts, kind)
        expect(records.length, kind).toBeGreaterThan(0)
        for (const { path, text, value } of records) {
          expect(JSON.stringify(checkModel(model, value), null, 2) === text, path).toBe(true)
        }
      }
    })

    test("has its records where their ids say, beside all that they refer to", () => {
      for (const { path, value } of recordsOf(texts, "part")) {
        const { id, sessionID, messageID } = Part.parse(value)
        expect(path).toBe(`part/${messageID}/${id}.json`)
        expect(texts.has(`message/${sessionID}/${messageID}.json`), path).toBe(true)
        expect(isGeneratedIdentifier("part", id)).toBe(true)
      }
      for (const { path, value } of recordsOf(texts, "session")) {
        const { id, projectID } = Session.parse(value)
        expect(path).toBe(`session/${projectID}/${id}.json`)
        expect(texts.has(`project/${projectID}.json`), path).toBe(true)
        expect(isGeneratedIdentifier("session", id)).toBe(true)
      }
    })

    test("has child sessions, each called for by a tool in its parent", () => {
      const tasks = recordsOf(texts, "part").flatMap(({ value }) => {
        const part = Part.parse(value)
        if (part.type !== "tool" || part.tool !== "task" || part.state.status !== "completed") return []
        return [[part.state.metadata?.sessionId, part.sessionID]]
      })
      const children = recordsOf(texts, "session").flatMap(({ value }) => {
        const { id, parentID } = Session.parse(value)
        return parentID === undefined ? [] : [[id, parentID]]
      })
      expect(children.length).toBeGreaterThan(0)
      expect(tasks.toSorted()).toEqual(children.toSorted())
    })

    test("has messages that begin with a question, answer an earlier one and fall into their session's time", () => {
      for (const { value } of recordsOf(texts, "session")) {
        const { id, time } = Session.parse(value)
        const messages = recordsOf(texts, `message/${id}`).map((record) => Message.parse(record.value))
        const questions = new Set<string>()
        for (const message of messages.sort(compareMessages)) {
          expect(message.time.created).toBeGreaterThanOrEqual(time.created)
          expect(message.time.created).toBeLessThanOrEqual(time.updated)
          expect(timestamp(message.id, time.created)).toBe(message.time.created)
          if (message.role === "user") questions.add(message.id)
          else expect(questions.has(message.parentID as string)).toBe(true)
        }
      }
    })

    test("has no two files whose names differ in letter case alone", () => {
      expect(new Set([...texts.keys()].map((path) => path.toLowerCase())).size).toBe(made.files)
    })

    test("has short records for the most part, and a few of more than 100 KB", () => {
      const sizes = [...texts.values()].map((text) => text.length).sort((a, b) => a - b)
      expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(1_000)
      expect(sizes.at(-1)).toBeGreaterThan(100_000)
    })
  })
})

interface Generated {
  readonly made: GeneratedStore
  /** The contents of all files, by path within the store. */
  readonly texts: ReadonlyMap<string, string>
}

async function generate(seed: number, sessions: number): Promise<Generated> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "storage")
  const made = generateStore({ path, seed, sessions })
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map((entry): [string, string] => {
    const file = join(entry.parentPath, entry.name)
    return [relative(path, file).split(sep).join("/"), readFileSync(file, "utf8")]
  })
  return { made, texts: new Map(texts) }
}

function recordsOf(texts: ReadonlyMap<string, string>, folder: string) {
  return [...texts]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, text]) => ({ path, text, value: JSON.parse(text) as unknown }))
}
