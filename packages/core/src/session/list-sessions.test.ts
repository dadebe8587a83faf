import { beforeEach, describe, expect, it } from "vitest"
import type { StorageError } from "../storage/storage-error.js"
import type { SessionListOptions } from "./list-sessions.js"
import { gather, Workbench } from "./testing/workbench.js"

let bench: Workbench

beforeEach(() => {
  bench = new Workbench()
})

describe("list", () => {
  it("gives sessions by the time of their last update, newest first", async () => {
    await store({ a: 1, b: 3, c: 2 })
    expect(await titles()).toEqual(["b", "c", "a"])
    bench.now = 4
    await bench.sessions.touch("ses_a")
    expect(await titles()).toEqual(["a", "b", "c"])
  })

  it("leaves out archived sessions unless told otherwise", async () => {
    await store({ a: 1, b: 2, c: 3 })
    await bench.sessions.update("ses_b", ({ time }) => Object.assign(time, { archived: 5 }), { touch: false })
    await bench.sessions.update("ses_c", ({ time }) => Object.assign(time, { archived: null }), {
      touch: false,
    })
    expect(await titles()).toEqual(["c", "a"])
    expect(await titles({ archived: "include" })).toEqual(["c", "b", "a"])
    expect(await titles({ archived: "only" })).toEqual(["b"])
  })

  it("filters by folder, whatever its spelling, by parent, time and title", async () => {
    await store({ Login: 1, "Fix LOGIN": 2, Other: 3, Änderung: 4 })
    await put("child", 5, { parentID: "ses_Login", directory: "C:\\work" })
    expect(await titles({ directory: "c:/Work/" })).toEqual(["child"])
    expect(await titles({ roots: true, since: 3 })).toEqual(["Änderung", "Other"])
    expect(await titles({ since: 2, until: 3 })).toEqual(["Other", "Fix LOGIN"])
    expect(await titles({ search: "login" })).toEqual(["Fix LOGIN", "Login"])
    expect(await titles({ search: "äNDERUNG" })).toEqual(["Änderung"])
  })

  it("counts only what passes the filters towards the limit", async () => {
    await store({ a: 1, x1: 2, b: 3, x2: 4, x3: 5 })
    expect(await titles({ search: "a", limit: 1 })).toEqual(["a"])
    expect(await titles({ search: "x", limit: 2 })).toEqual(["x3", "x2"])
    expect(await titles({ limit: 0 })).toEqual([])
  })

  it("gives the sessions of another project on request", async () => {
    await store({ a: 1 })
    await put("b", 2, {}, "other")
    expect(await titles()).toEqual(["a"])
    expect(await titles({ projectID: "other" })).toEqual(["b"])
  })

  it("rejects at a record that is no session, or tells onCorrupt and goes on", async () => {
    await store({ a: 1, b: 3 })
    await bench.storage.write(["session", "acme", "ses_bad"], { time: { updated: 2 } })
    await expect(titles()).rejects.toMatchObject({ code: "CORRUPT" })
    const problems: StorageError[] = []
    expect(await titles({ onCorrupt: (error) => problems.push(error) })).toEqual(["b", "a"])
    expect(problems.map(({ key }) => key)).toEqual([["session", "acme", "ses_bad"]])
  })

  it("names a misspelt option", async () => {
    await expect(titles({ directroy: "/" } as SessionListOptions)).rejects.toThrow(
      'did you mean "directory"?',
    )
  })
})

describe("page", () => {
  it("goes on behind its cursor, also among sessions of the same time", async () => {
    await store({ a: 1, b: 2, c: 2, d: 2, e: 2, f: 3 })
    for (const limit of [1, 2, 3, 4, 5]) expect(await pages({ limit })).toEqual(await titles())
  })

  it("has no cursor at the end, also when the last page is full", async () => {
    await store({ a: 1, b: 2 })
    expect(await bench.sessions.page({ limit: 2 })).not.toHaveProperty("cursor")
    expect(await bench.sessions.page({ limit: 1 })).toHaveProperty("cursor")
  })

  it("keeps to the filters", async () => {
    await store({ a1: 1, b1: 2, a2: 3, b2: 4, a3: 5 })
    expect(await pages({ limit: 1, search: "a", until: 4 })).toEqual(["a2", "a1"])
  })

  it.each(["nonsense", Buffer.from("[1]").toString("base64url"), Buffer.from("{}").toString("base64url")])(
    "refuses the cursor %s",
    async (cursor) => {
      await expect(bench.sessions.page({ limit: 1, cursor })).rejects.toMatchObject({
        code: "INVALID_CURSOR",
      })
    },
  )
})

async function titles(options?: SessionListOptions): Promise<string[]> {
  return (await gather(bench.sessions.list(options))).map(({ title }) => title)
}

async function pages(options: SessionListOptions & { limit: number }): Promise<string[]> {
  const titles: string[] = []
  let cursor: string | undefined
  do {
    const page = await bench.sessions.page({ ...options, cursor })
    titles.push(...page.sessions.map(({ title }) => title))
    cursor = page.cursor
  } while (cursor !== undefined)
  return titles
}

async function store(updated: Record<string, number>): Promise<void> {
  for (const [title, time] of Object.entries(updated)) await put(title, time)
}

async function put(title: string, time: number, fields: object = {}, projectID = "acme"): Promise<void> {
  const key = ["session", projectID, `ses_${title}`]
  await bench.storage.write(key, { title, version: "1", time: { created: time, updated: time }, ...fields })
}
