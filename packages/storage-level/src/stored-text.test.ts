import { checksum } from "@sessile/core/storage"
import fc from "fast-check"
import { expect, test } from "vitest"
import { isStoredEntry, storedEntry, storedText, unverifiedText, verifiedText } from "./stored-text.js"

test("a text comes back, after 8 hexadecimal digits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (key, text) => {
      const stored = storedText(key, text)
      expect(stored).toBe(checksum(key, text).toString(16).padStart(8, "0") + text)
      expect(verifiedText(key, stored)).toBe(text)
      expect(unverifiedText(stored)).toBe(text)
      expect(verifiedText(`${key}x`, stored)).toBeUndefined()
    }),
  )
})

test("an index entry has one value", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), (bytes, position) => {
      const entry = Buffer.from(bytes)
      const value = storedEntry(entry)
      expect(isStoredEntry(entry, value)).toBe(true)
      entry.writeUInt8(entry.readUInt8(position % entry.length) ^ 1, position % entry.length)
      expect(isStoredEntry(entry, value)).toBe(false)
      expect(isStoredEntry(entry, "")).toBe(false)
    }),
  )
})
