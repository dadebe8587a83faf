import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import type { SessionShare } from "../model/share.js"
import type { SessionsOptions } from "./sessions-options.js"
import type { ShareService } from "./share-session.js"
import { question, Workbench } from "./testing/workbench.js"

const secret = "top-secret"

/** Keeps what is shared in memory. */
class Noticeboard implements ShareService {
  readonly shared = new Map<string, string>()
  isFailing = false
  /** What sharing waits for. */
  ready = Promise.resolve()

  async create({ id }: { id: string }) {
    await this.ready
    if (this.isFailing) throw new TypeError(`refused: ${secret}`)
    this.shared.set(id, secret)
    return { id, secret, url: `https://example.com/s/${id}` }
  }

  async remove(share: SessionShare) {
    if (this.isFailing || share.secret !== secret) throw new TypeError(`refused: ${share.secret}`)
    this.shared.delete(share.id ?? "")
  }
}

describe("share", () => {
  it("keeps the url in the session and the secret apart, and tells nobody the secret", async () => {
    const { bench, service, id } = await sharing()
    const { share } = await bench.sessions.share(id)
    expect(share).toEqual({ url: `https://example.com/s/${id}` })
    expect(await bench.storage.read(["session_share", id])).toEqual({ id, secret, url: share?.url })
    expect((await bench.sessions.share(id)).share).toEqual(share)
    expect(service.shared.size).toBe(1)
    expect(JSON.stringify(bench.events)).not.toContain(secret)
  })

  it("is ended by unshare, which leaves no trace", async () => {
    const { bench, service, id } = await sharing()
    const before = await bench.records()
    await bench.sessions.share(id)
    expect(await bench.sessions.unshare(id)).not.toHaveProperty("share")
    expect(service.shared.size).toBe(0)
    expect(await bench.records()).toEqual(before)
    await expect(bench.sessions.unshare(id)).resolves.toMatchObject({ id })
  })

  it("is ended for all descendants when a session is removed", async () => {
    const { bench, service, id } = await sharing()
    const child = await bench.sessions.create({ parentID: id })
    await bench.sessions.share(id)
    await bench.sessions.share(child.id)
    await bench.sessions.remove(id)
    expect(service.shared.size).toBe(0)
    expect(await bench.records()).toEqual({})
  })

  it("ends what older releases shared", async () => {
    const { bench, service, id } = await sharing()
    await bench.storage.write(["share", id], { secret, url: "https://example.com" })
    await bench.sessions.unshare(id)
    expect(await bench.storage.list(["share"])).toEqual([])
    expect(service.shared.size).toBe(0)
  })

  it("changes nothing when the service fails, and does not repeat what it said", async () => {
    const { bench, service, id } = await sharing()
    const expectRefusal = async (promise: Promise<unknown>) => {
      const error = await promise.catch((reason) => reason)
      expect(error).toMatchObject({ code: "SHARE_FAILED" })
      expect(inspect(error)).not.toContain(secret)
    }
    service.isFailing = true
    await expectRefusal(bench.sessions.share(id))
    service.isFailing = false
    await bench.sessions.share(id)
    const before = await bench.records()
    service.isFailing = true
    await expectRefusal(bench.sessions.unshare(id))
    await expectRefusal(bench.sessions.remove(id))
    expect(await bench.records()).toEqual(before)
  })

  it("leaves no public copy behind whose secret is lost", async () => {
    const { bench, service, id } = await sharing()
    bench.storage.write = async () => {
      throw new Error("The disk is on fire")
    }
    await expect(bench.sessions.share(id)).rejects.toThrow("disk")
    expect(service.shared.size).toBe(0)
  })

  it("is not taken over by a fork", async () => {
    const { bench, id } = await sharing()
    await bench.sessions.share(id)
    expect(await bench.sessions.fork(id)).not.toHaveProperty("share")
  })

  it("takes a service and a session", async () => {
    const { sessions } = new Workbench()
    const { id } = await sessions.create()
    await expect(sessions.share(id)).rejects.toMatchObject({ code: "UNSUPPORTED" })
    await expect(sessions.unshare(id)).rejects.toMatchObject({ code: "UNSUPPORTED" })
    const { bench, service } = await sharing()
    await expect(bench.sessions.share("ses_unknown")).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(service.shared.size).toBe(0)
  })
})

describe("automatic sharing", () => {
  it("shares what is new and has no parent, once it is there", async () => {
    const { bench, service, id } = await sharing({ share: "auto" })
    const fork = await bench.sessions.fork(id)
    const child = await bench.sessions.create({ parentID: id })
    await bench.sessions.close()
    expect([...service.shared.keys()].sort()).toEqual([id, fork.id].sort())
    expect((await bench.sessions.get(id)).share).toEqual({ url: `https://example.com/s/${id}` })
    expect(await bench.sessions.get(child.id)).not.toHaveProperty("share")
    expect(bench.told.filter((type) => type === "session.updated")).toHaveLength(2)
  })

  it("keeps nobody waiting but whoever removes the session, and leaves no copy of that", async () => {
    const service = new Noticeboard()
    let open: () => void = () => undefined
    service.ready = new Promise((resolve) => {
      open = resolve
    })
    const { bench, id } = await sharing({ share: "auto" }, service)
    await bench.sessions.messages.add(id, question, [{ type: "text", text: "Why?" }])
    expect((await bench.sessions.touch(id)).share).toBeUndefined()
    const removed = bench.sessions.remove(id)
    open()
    await removed
    expect(service.shared.size).toBe(0)
    expect(await bench.records()).toEqual({})
  })

  it("that fails is told without what the service said, and leaves the session as it was", async () => {
    const service = new Noticeboard()
    service.isFailing = true
    const { bench, id } = await sharing({ share: "auto" }, service)
    const before = await bench.records()
    await bench.sessions.close()
    const message = `The share service failed for session ${id} (TypeError)`
    expect(bench.events.at(-1)).toEqual({
      type: "session.error",
      properties: { sessionID: id, error: { name: "UnknownError", data: { message } } },
    })
    expect(await bench.records()).toEqual(before)
  })

  it("takes a service, without which all is as usual", async () => {
    const bench = new Workbench({ share: "auto" })
    await bench.sessions.create()
    await bench.sessions.close()
    expect(bench.told).toEqual(["session.created"])
  })
})

describe("disabled sharing", () => {
  it("shares nothing, and still takes away what was shared before", async () => {
    const { bench: earlier, service, id } = await sharing()
    await earlier.sessions.share(id)
    const { sessions } = new Workbench({ storage: earlier.storage, shareService: service, share: "disabled" })
    await expect(sessions.share(id)).rejects.toMatchObject({ code: "UNSUPPORTED" })
    expect(await sessions.unshare(id)).not.toHaveProperty("share")
    expect(service.shared.size).toBe(0)
  })
})

async function sharing(options: Pick<SessionsOptions, "share"> = {}, service = new Noticeboard()) {
  const bench = new Workbench({ shareService: service, ...options })
  return { bench, service, id: (await bench.sessions.create()).id }
}
