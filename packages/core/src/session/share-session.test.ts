import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import type { SessionShare } from "../model/share.js"
import type { ShareService } from "./share-session.js"
import { Workbench } from "./testing/workbench.js"

const secret = "top-secret"

/** Keeps what is shared in memory. */
class Noticeboard implements ShareService {
  readonly shared = new Map<string, string>()
  isFailing = false

  async create({ id }: { id: string }) {
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

async function sharing(): Promise<{ bench: Workbench; service: Noticeboard; id: string }> {
  const service = new Noticeboard()
  const bench = new Workbench({ shareService: service })
  return { bench, service, id: (await bench.sessions.create()).id }
}
