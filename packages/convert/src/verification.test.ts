import { createHash } from "node:crypto"
import {
  type FittedRecord,
  type LinesDigest,
  MemoryStorage,
  type SessionLines,
  type SessionOutcome,
  type TextEntry,
  type TextRecord,
} from "@sessile/core/storage"
import { describe, expect, test } from "vitest"
import { convert } from "./convert.js"
import { conversation, json, keyOf, storeOf } from "./testing/stores.js"

class Forgetful extends MemoryStorage {
  override async addTexts(records: readonly TextRecord[]) {
    return super.addTexts(records.filter(({ key }) => key !== keyOf("part/msg_1/prt_1")))
  }
}

class Altering extends MemoryStorage {
  override async addTexts(records: readonly TextRecord[]) {
    return super.addTexts(records.map(({ key, text }) => ({ key, text: text.replace("One", "Eins") })))
  }
}

/** A store that takes lines, and tells their digests. */
class Digesting extends MemoryStorage {
  readonly sessionKinds = ["session", "message", "part"]
  digests = 0
  reads = 0

  fitLines(_: SessionLines): ReadonlySet<number> {
    return new Set()
  }

  async addSession(
    records: readonly TextRecord[],
    lines: SessionLines,
    unfit: ReadonlySet<number>,
  ): Promise<SessionOutcome> {
    const texts = lines.keys().map((key, position) => ({ key, text: json(lines.value(position)) }))
    const present = await this.addTexts([...records, ...texts])
    const inTheWay = new Map<number, TextEntry>()
    for (const [position, entry] of present.slice(records.length).entries()) {
      if (entry !== undefined) inTheWay.set(position, entry)
    }
    const added = lines.keys().filter((_, position) => !inTheWay.has(position) && !unfit.has(position))
    return { records: present.slice(0, records.length), lines: inTheWay, receipt: JSON.stringify(added) }
  }

  async digestLines(receipt: string): Promise<LinesDigest> {
    this.digests++
    const lines: string[] = []
    for (const entry of await super.readTexts(JSON.parse(receipt))) {
      if (entry !== undefined && "text" in entry) lines.push(`${JSON.stringify(JSON.parse(entry.text))}\n`)
    }
    return { sha256: createHash("sha256").update(lines.join("")).digest("hex"), bytes: lines.join("").length }
  }

  override async readTexts(keys: readonly string[]) {
    this.reads += keys.length
    return super.readTexts(keys)
  }
}

describe("reading back by digests", () => {
  test("reads only what has no line", async () => {
    const target = new Digesting()
    await using conversion = await convert({ source: await storeOf(conversation), target })
    expect(conversion.verification).toMatchObject({ compared: 10, missing: [], different: [] })
    expect(target).toMatchObject({ digests: 2, reads: 6 })
  })

  test("names the record that the target altered", async () => {
    const target = new (class extends Digesting {
      override async addTexts(records: readonly TextRecord[]) {
        return super.addTexts(records.map(({ key, text }) => ({ key, text: text.replace('"hi"', '"ha"') })))
      }
    })()
    await using conversion = await convert({ source: await storeOf(conversation), target })
    expect(conversion.verification).toMatchObject({
      compared: 10,
      missing: [],
      different: [["part", "msg_1", "prt_1"]],
    })
  })

  test("names the record that the target lost", async () => {
    const target = new (class extends Digesting {
      override async addTexts(records: readonly TextRecord[]) {
        return super.addTexts(records.filter(({ key }) => key !== keyOf("message/ses_2/msg_2")))
      }
    })()
    await using conversion = await convert({ source: await storeOf(conversation), target })
    expect(conversion.verification).toMatchObject({
      compared: 10,
      missing: [["message", "ses_2", "msg_2"]],
      different: [],
    })
  })
})

describe("lines", () => {
  test("that are there already count as that, and others in their place are conflicts", async () => {
    const target = new Digesting()
    await target.write(["message", "ses_1", "msg_1"], { id: "another" })
    await using first = await convert({ source: await storeOf(conversation), target, onConflict: "skip" })
    expect(first.totals).toEqual({ found: 10, written: 9, present: 0, setAside: 1 })
    expect(first.verification).toMatchObject({ compared: 9, missing: [], different: [] })
    await using second = await convert({ source: await storeOf(conversation), target, onConflict: "skip" })
    expect(second.totals).toEqual({ found: 10, written: 0, present: 9, setAside: 1 })
  })

  test("that the target would alter are accounted for one by one", async () => {
    const fitted = (text: string) => text.replace("{", '{\n  "more": 1,')
    const target = new (class extends Digesting {
      override fitLines(lines: SessionLines) {
        return new Set(
          lines.keys().flatMap((key, position) => (key === keyOf("message/ses_1/msg_1") ? position : [])),
        )
      }
      fit({ key, text }: TextRecord): FittedRecord | undefined {
        return key === keyOf("message/ses_1/msg_1")
          ? { text: fitted(text), lost: [], filled: ["more"] }
          : undefined
      }
      override async addTexts(records: readonly TextRecord[]) {
        const altered = (record: TextRecord) => (this.fit(record) as TextRecord | undefined)?.text
        return super.addTexts(
          records.map((record) => ({ key: record.key, text: altered(record) ?? record.text })),
        )
      }
    })()
    await using conversion = await convert({ source: await storeOf(conversation), target })
    expect([...conversion.ledger.remarkable()].flat()).toMatchObject([
      { key: keyOf("message/ses_1/msg_1"), outcome: "written", filled: ["more"] },
    ])
    expect(conversion.verification).toMatchObject({ compared: 10, missing: [], different: [] })
    expect(target).toMatchObject({ digests: 2, reads: 7 })
    await using dry = await convert({ source: await storeOf(conversation), target, dryRun: true })
    expect(dry.totals).toEqual({ found: 10, written: 0, present: 10, setAside: 0 })
  })
})

describe("reading back", () => {
  test("finds what the target lost", async () => {
    await using conversion = await convert({ source: await storeOf(conversation), target: new Forgetful() })
    expect(conversion.verification?.missing).toEqual([["part", "msg_1", "prt_1"]])
  })

  test("finds what the target altered", async () => {
    await using conversion = await convert({ source: await storeOf(conversation), target: new Altering() })
    expect(conversion.verification?.different).toEqual([["session", "p", "ses_1"]])
  })

  test("is left out when told so", async () => {
    const source = await storeOf(conversation)
    await using conversion = await convert({ source, target: new Forgetful(), verify: false })
    expect(conversion.verification).toBeUndefined()
  })

  test("names what was changed, or added, in the source meanwhile", async () => {
    const source = await storeOf(conversation)
    const target = new (class extends MemoryStorage {
      override async addTexts(records: readonly TextRecord[]) {
        const present = await super.addTexts(records)
        await source.write(["project", "p"], { changed: true })
        await source.write(["project", "q"], { added: true })
        return present
      }
    })()
    await using conversion = await convert({ source, target })
    expect(conversion.verification?.changed).toEqual([
      ["project", "p"],
      ["project", "q"],
    ])
  })
})
