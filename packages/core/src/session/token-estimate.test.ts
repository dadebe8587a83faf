import { expect, it } from "vitest"
import { estimateTokens } from "./token-estimate.js"

it.each([
  ["", 0],
  ["a", 0],
  ["ab", 1],
  ["abcde", 1],
  ["abcdef", 2],
])("%j takes about %d tokens", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens)
})
