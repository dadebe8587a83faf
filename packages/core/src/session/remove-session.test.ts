import { describe, expect, it } from "vitest"
import { MemoryStorage } from "../storage/memory-storage.js"
import type { TextOperation } from "../storage/text-entry.js"
import { copyStore } from "./testing/store.js"
import { gather, question, Workbench } from "./testing/workbench.js"

const acme = { id: "a08918a10ff26f65d55fc0bead5534907d8df481", worktree: "/home/dev/code/acme", vcs: "git" }

describe("remove", () => {
  it("takes descendants and all that belongs to them along, and nothing else", async () => {
    const bench = new Workbench()
    const kept = await family(bench)
    const before = await bench.records()
    const removed = await family(bench)
    bench.events.length = 0
    await bench.sessions.remove(removed.root)
    expect(await bench.records()).toEqual(before)
    expect(bench.events.map(({ type, properties }) => [type, (properties as Deleted).info.id])).toEqual([
      ["session.deleted", removed.grandchild],
      ["session.deleted", removed.child],
      ["session.deleted", removed.root],
    ])
    expect(await gather(bench.sessions.list())).toHaveLength(3)
    await bench.sessions.remove(kept.root)
    expect(await bench.records()).toEqual({})
  })

  it("leaves nothing of real sessions behind but what belongs to none", async () => {
    const bench = new Workbench({ storage: await copyStore("v1.1.65"), project: acme })
    for (const { id } of await gather(bench.sessions.list({ archived: "include", roots: true }))) {
      await bench.sessions.remove(id)
    }
    expect(Object.keys(await bench.records())).toEqual([
      `project/${acme.id}`,
      "session_diff/ses_e1e7b3dc5ffedZ7s4NGfmIn5ff",
    ])
  })

  it("removes what cannot be read, too", async () => {
    const bench = new Workbench()
    await bench.storage.write(["session", "acme", "ses_1"], null)
    await bench.storage.write(["session", "acme", "ses_2"], { parentID: "ses_1" })
    await bench.storage.write(["message", "ses_1", "msg_1"], 5)
    await bench.storage.write(["part", "msg_1", "prt_1"], 5)
    await bench.sessions.remove("ses_1")
    expect(await bench.records()).toEqual({})
    expect(bench.told).toEqual([])
  })

  it("ends where damaged data makes sessions descend from each other", async () => {
    const bench = new Workbench()
    const time = { created: 1, updated: 1 }
    await bench.storage.write(["session", "acme", "ses_1"], { title: "", parentID: "ses_2", time })
    await bench.storage.write(["session", "acme", "ses_2"], { title: "", parentID: "ses_1", time })
    await bench.sessions.remove("ses_2")
    expect(await bench.records()).toEqual({})
  })

  it("finds the session until the very end, so that removing it again finishes, wherever a store fails", async () => {
    for (let failure = 0; ; failure++) {
      const storage = new FailingStorage()
      const bench = new Workbench({ storage })
      const { root } = await family(bench)
      storage.operationsLeft = failure
      try {
        await bench.sessions.remove(root)
        break
      } catch {
        storage.operationsLeft = Number.POSITIVE_INFINITY
        expect(await bench.sessions.get(root)).toMatchObject({ id: root })
        await bench.sessions.remove(root)
        expect(await bench.records()).toEqual({})
      }
    }
    expect.hasAssertions()
  })

  it("leaves no child that is created meanwhile", async () => {
    const bench = new Workbench()
    const { id } = await bench.sessions.create()
    const results = await Promise.allSettled([
      bench.sessions.create({ parentID: id }),
      bench.sessions.remove(id),
      bench.sessions.create({ parentID: id }),
    ])
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"])
    expect(await bench.records()).toEqual({})
  })

  it("refuses a session that is not there", async () => {
    await expect(new Workbench().sessions.remove("ses_1")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

interface Deleted {
  readonly info: { readonly id: string }
}

/** A session with a child and a grandchild, each with all that a session can have. */
async function family(bench: Workbench): Promise<{ root: string; child: string; grandchild: string }> {
  const { sessions, storage } = bench
  const ids: string[] = []
  for (let generation = 0; generation < 3; generation++) {
    const { id } = await sessions.create({ parentID: ids.at(-1) })
    await sessions.messages.add(id, question, [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ])
    await sessions.messages.add(id, question, [{ type: "text", text: "c" }])
    await sessions.setTodos(id, [{ id: "1", content: "", status: "pending", priority: "low" }])
    for (const kind of ["session_diff", "session_share", "share", "row_times"]) {
      await storage.write([kind, id], {})
    }
    ids.push(id)
  }
  const [root, child, grandchild] = ids as [string, string, string]
  return { root, child, grandchild }
}

/** A store whose batches are not atomic, and which stops after some operations. */
class FailingStorage extends MemoryStorage {
  operationsLeft = Number.POSITIVE_INFINITY

  protected override async _batch(operations: readonly TextOperation[]): Promise<void> {
    for (const operation of operations) {
      if (this.operationsLeft-- <= 0) throw new Error("The disk is on fire")
      await super._batch([operation])
    }
  }
}
