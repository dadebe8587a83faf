import { describe, expect, it } from "vitest"
import { rulesFromConfig } from "./permission-config.js"
import { question, scene, waitFor } from "./testing/permission-scene.js"

describe("paths", () => {
  it("are asked about by where they lead, and allowed in their own folder only", async () => {
    const { permissions } = scene()
    const path = question({ permission: "edit", patterns: ["src/../notes.md"], folder: "/home/dev/mine" })
    const asking = permissions.ask(path)
    await waitFor(permissions)
    expect(permissions.pending()[0]).toMatchObject({
      patterns: ["notes.md"],
      always: ["/home/dev/mine/notes.md"],
    })
    await permissions.reply(permissions.pending()[0]?.id ?? "", "always", { scope: "project" })
    await asking
    await permissions.ask({ ...path, patterns: ["notes.md"] })
    const elsewhere = permissions.ask({ ...path, folder: "/home/dev/other" })
    await waitFor(permissions)
    permissions.rejectAll("ses_1")
    await expect(elsewhere).rejects.toMatchObject({ code: "WITHDRAWN" })
  })

  it("are matched by the rules of their permission, or where a question says that they are paths", async () => {
    const { permissions } = scene()
    const ruleset = rulesFromConfig({ "*": "deny", edit: { "src/*": "allow" }, upload: { "src/*": "allow" } })
    const ask = (permission: string, pattern: string, matching?: "path") =>
      permissions.ask(question({ permission, patterns: [pattern], ruleset, ...(matching && { matching }) }))
    await ask("edit", "src/a.ts")
    await ask("upload", "src/a.ts", "path")
    await expect(ask("edit", "src/../../etc/shadow")).rejects.toMatchObject({ code: "DENIED" })
    await expect(ask("upload", "src/../../etc/shadow", "path")).rejects.toMatchObject({ code: "DENIED" })
  })
})

describe("limits", () => {
  it("deny what the ruleset allows, and ask about it", async () => {
    const { permissions } = scene()
    const ruleset = rulesFromConfig("allow")
    const limits = [rulesFromConfig({ "*": "allow", bash: { "*": "ask", "rm *": "deny" } })]
    await expect(permissions.ask(question({ patterns: ["rm x"], ruleset, limits }))).rejects.toMatchObject({
      code: "DENIED",
    })
    const asking = permissions.ask(question({ ruleset, limits }))
    await waitFor(permissions)
    permissions.rejectAll("ses_1")
    await expect(asking).rejects.toMatchObject({ code: "WITHDRAWN" })
  })

  it("allow nothing that the ruleset denies", async () => {
    const { permissions } = scene()
    const asking = permissions.ask(
      question({ ruleset: rulesFromConfig("deny"), limits: [rulesFromConfig("allow")] }),
    )
    await expect(asking).rejects.toMatchObject({ code: "DENIED" })
  })
})
