import { describe, expect, it } from "vitest"
import type { SessionTree } from "./session-tree.js"
import { Workbench } from "./testing/workbench.js"

describe("children", () => {
  it("gives the children of a session alone, oldest first", async () => {
    const bench = new Workbench()
    const root = await bench.sessions.create()
    const children: string[] = []
    for (const _ of "abc") {
      bench.now++
      children.push((await bench.sessions.create({ parentID: root.id })).id)
    }
    await bench.sessions.create({ parentID: children[0] })
    await bench.sessions.touch(children[0] as string)
    expect((await bench.sessions.children(root.id)).map(({ id }) => id)).toEqual(children)
  })

  it("tells a session without children from an unknown one", async () => {
    const bench = new Workbench()
    const { id } = await bench.sessions.create()
    expect(await bench.sessions.children(id)).toEqual([])
    await expect(bench.sessions.children("ses_unknown")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("tree", () => {
  it("holds all descendants", async () => {
    const bench = new Workbench()
    await put(bench, { a: undefined, b: "a", c: "b", d: "a", e: undefined })
    expect(shape(await bench.sessions.tree("ses_a"))).toEqual(["ses_a", ["ses_b", ["ses_c"]], ["ses_d"]])
  })

  it("ends where damaged data makes sessions descend from each other", async () => {
    const bench = new Workbench()
    await put(bench, { a: "c", b: "a", c: "b", d: "d" })
    expect(shape(await bench.sessions.tree("ses_a"))).toEqual(["ses_a", ["ses_b", ["ses_c"]]])
    expect(shape(await bench.sessions.tree("ses_d"))).toEqual(["ses_d"])
    const edit = (draft: object) => Object.assign(draft, { parentID: "ses_b" })
    await expect(bench.sessions.update("ses_d", edit)).resolves.toMatchObject({ parentID: "ses_b" })
  })

  it("needs a session", async () => {
    await expect(new Workbench().sessions.tree("ses_a")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

type Shape = [string, ...Shape[]]

function shape({ session, children }: SessionTree): Shape {
  return [session.id, ...children.map(shape)]
}

async function put({ storage }: Workbench, parents: Record<string, string | undefined>): Promise<void> {
  for (const [name, parent] of Object.entries(parents)) {
    await storage.write(["session", "acme", `ses_${name}`], {
      title: name,
      version: "1",
      ...(parent && { parentID: `ses_${parent}` }),
      time: { created: 1, updated: 1 },
    })
  }
}
