import { describe, expect, it } from "vitest"
import { encodeKey } from "./key.js"
import { StorageError } from "./storage-error.js"
import { tryDecode } from "./text-entry.js"

const key = ["todo", "ses_1"]
const encoded = encodeKey(key)

describe("tryDecode", () => {
  it("gives the value of a text", () => {
    expect(tryDecode({ key: encoded, text: '{"a":1}' }, key, () => undefined)).toEqual({ value: { a: 1 } })
  })

  it("gives the error of an entry whose text is not to be had", () => {
    const error = new StorageError("DENIED", "Cannot read", { key })
    expect(tryDecode({ key: encoded, error }, key, () => undefined)).toEqual({ error })
  })

  it("gives an error with key and place for a text that is not JSON", () => {
    const found = tryDecode(
      { key: encoded, text: "{" },
      key,
      (located) => `/data/${located.replace("\0", "/")}`,
    )
    expect(found).toMatchObject({ error: { code: "CORRUPT", key, path: "/data/todo/ses_1" } })
  })

  it("throws what is not a matter of the text", () => {
    const failure = new Error("cannot locate")
    const locate = () => {
      throw failure
    }
    expect(() => tryDecode({ key: encoded, text: "1" }, key, locate)).toThrow(failure)
  })
})
