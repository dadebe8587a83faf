import { join } from "node:path"
import { compareUtf8 } from "@sessile/core/storage"
import { databasePath, fixturePath } from "@sessile/fixtures"
import { beforeAll, describe, expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { type ExportedSession, exportedSessions, rootTitles } from "./exported-session.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import type { OpencodeServer } from "./opencode-server.js"
import { convert, jsonStore } from "./sessile.js"
import { storedSessions } from "./stored-sessions.js"
import { usageOf } from "./usage.js"

const withTodos = "ses_e1e7b3eeaffeHsyI3sfsmFre0s"
const withDiff = "ses_e1e7b40fcffebhjUdiNjWfb9m3"

describeWithOpencode("the sessions of opencode 1.1.65", () => {
  describe.concurrent.each([
    { version: "1.2.27", database: "a new database", by: "export" },
    { version: "1.15.13", database: "a new database", by: "server" },
    { version: "1.18.34", database: "a new database", by: "export" },
    {
      version: "1.18.34",
      database: "a database of its own",
      template: databasePath("empty-1.18.34"),
      by: "server",
    },
  ])("brought into $database for $version", ({ version, template, by }) => {
    let opencode: OpencodeSandbox
    let server: OpencodeServer
    let sessions: ExportedSession[]
    let titles: Map<string, string>

    beforeAll(async () => {
      sessions = await exportedSessions()
      opencode = await OpencodeSandbox.create(version, template)
      await convert(jsonStore("v1.1.65"), opencode.address)
      // At its first start a release brings the tables up to date, which it cannot do twice at a time.
      titles = await opencode.listedTitles()
      server = await opencode.serve()
      return async () => {
        await server[Symbol.asyncDispose]()
        await opencode[Symbol.asyncDispose]()
      }
    })

    test("are listed", () => {
      expect(titles).toEqual(rootTitles(sessions.map(({ info }) => info)))
    })

    test(`are shown (${by}) as 1.1.65 exports them`, async () => {
      expect(sessions).toHaveLength(14)
      for (const { info, messages } of sessions) {
        const shown = await (by === "export" ? opencode.exportSession(info.id) : server.session(info.id))
        expect(shown.messages).toEqual(messages)
        const { cost, tokens } = usageOf(messages)
        const totals = version === "1.2.27" ? {} : { cost: expect.closeTo(cost, 12), tokens }
        expect(shown.info).toEqual({ ...info, ...totals })
      }
    })

    test("are counted with what they cost and took", async () => {
      const { cost, tokens } = usageOf(sessions.flatMap(({ messages }) => messages))
      expect(Object.fromEntries(await opencode.stats())).toMatchObject({
        Sessions: "14",
        Messages: "64",
        "Total Cost": `$${cost.toFixed(2)}`,
        Input: thousands(tokens.input),
        Output: thousands(tokens.output),
        "Cache Read": thousands(tokens.cache.read),
        "Cache Write": String(tokens.cache.write),
      })
    })

    test("have their to-dos and their diffs", async () => {
      expect(await server.get(`/session/${withTodos}/todo`)).toEqual([
        { content: "first thing", status: "in_progress", priority: "high" },
        { content: "second thing ✓ 日本語", status: "pending", priority: "low" },
      ])
      // 1.18.34 does not look at what earlier releases stored.
      if (version === "1.18.34") return
      const diff = { file: "notes.txt", additions: 3, deletions: 0, status: "added" }
      expect(await server.get(`/session/${withDiff}/diff`)).toMatchObject([diff])
    })
  })
})

describeWithOpencode("a conversation across the wrap of identifiers", () => {
  test.concurrent.each(["1.2.27", "1.18.34"])("is exported in full by %s", async (version) => {
    await using opencode = await OpencodeSandbox.create(version)
    await convert(jsonStore("v1.1.65-id-wrap"), opencode.address)
    const sessions = await storedSessions(join(fixturePath("v1.1.65-id-wrap"), "storage"))
    expect(sessions.map(({ messages }) => messages.length)).toEqual([6, 2])
    for (const { info, messages } of sessions) {
      const exported = await opencode.exportSession(info.id)
      expect(exported.info).toMatchObject(info)
      // In which order is the release's own affair.
      expect(exported.messages.toSorted((a, b) => compareUtf8(a.info.id, b.info.id))).toEqual(messages)
    }
  })
})

function thousands(count: number): string {
  return `${(count / 1000).toFixed(1)}K`
}
