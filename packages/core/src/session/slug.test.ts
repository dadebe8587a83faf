import { expect, it } from "vitest"
import { Slug } from "../model/session.js"
import { createSlug } from "./slug.js"
import { adjectives, nouns } from "./slug-words.js"

it("a slug is an adjective and a noun, drawn with the randomness given", () => {
  expect(createSlug(() => Uint8Array.of(0, 0))).toBe("agile-acorn")
  expect(createSlug(() => Uint8Array.of(63, 63))).toBe("sunny-willow")
  expect(createSlug(() => Uint8Array.of(64, 129))).toBe("agile-anchor")
})

it("a slug drawn at random is of known words", () => {
  const [adjective = "", noun = ""] = Slug.parse(createSlug()).split("-")
  expect(adjectives).toContain(adjective)
  expect(nouns).toContain(noun)
})

it.each([
  ["adjectives", adjectives],
  ["nouns", nouns],
])("the %s are 64 different words in lower case", (_, words) => {
  expect(new Set(words).size).toBe(64)
  expect(words.filter((word) => !/^[a-z]+$/.test(word))).toEqual([])
})
