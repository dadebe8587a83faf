import { MemoryStorage, type TextRecord } from "@sessile/core/storage"
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
      override async flush() {
        await source.write(["project", "p"], { changed: true })
        await source.write(["project", "q"], { added: true })
      }
    })()
    await using conversion = await convert({ source, target })
    expect(conversion.verification?.changed).toEqual([
      ["project", "p"],
      ["project", "q"],
    ])
  })
})
