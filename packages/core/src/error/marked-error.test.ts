import { expect, test } from "vitest"
import { CodedError } from "./coded-error.js"
import { MarkedError } from "./marked-error.js"

class Spilt extends MarkedError {
  static override readonly type = "Spilt"
}

class Broken extends CodedError<"CUP" | "PLATE"> {
  static override readonly type = "Broken"
}

test("an error is recognised by its class, not by another one's", () => {
  expect(Spilt.is(new Spilt("milk"))).toBe(true)
  expect(Spilt.is(new Broken("CUP", "the blue one"))).toBe(false)
  for (const other of [new Error("milk"), "milk", null, undefined]) expect(Spilt.is(other)).toBe(false)
})

test("where there are codes, one can be asked for", () => {
  const error = new Broken("CUP", "the blue one")
  expect(Broken.is(error)).toBe(true)
  expect(Broken.is(error, "CUP")).toBe(true)
  expect(Broken.is(error, "PLATE")).toBe(false)
})

test("an error of another copy of the class is recognised", () => {
  class Copy extends MarkedError {
    static override readonly type = "Spilt"
  }
  expect(Spilt.is(new Copy("milk"))).toBe(true)
})

test("it is named after its class, keeps its cause, and its marker does not show", () => {
  const cause = new Error("slippery")
  const error = new Broken("CUP", "the blue one", { cause })
  expect(String(error)).toBe("Broken: the blue one")
  expect(error.cause).toBe(cause)
  expect(JSON.stringify(error)).toBe('{"name":"Broken","code":"CUP"}')
})
