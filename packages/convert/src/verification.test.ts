import { createHash } from "node:crypto"
import { type LinesDigest, MemoryStorage, type TextRecord } from "@sessile/core/storage"
import { describe, expect, test } from "vitest"
import { convert } from "./convert.js"
import { conversation, keyOf, storeOf } from "./testing/stores.js"

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

/** A store that tells digests. */
class Digesting extends MemoryStorage {
  readonly takesWholeSessions = true
  digests = 0
  reads = 0

  async digestLines(keys: readonly string[]): Promise<LinesDigest> {
    this.digests++
    const lines: string[] = []
    for (const entry of await super.readTexts(keys)) {
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
