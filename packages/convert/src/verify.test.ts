import { expect, test } from "vitest"
import { conversation, storeOf } from "./testing/stores.js"
import { valueStorage } from "./testing/value-storage.js"
import { type Difference, verify } from "./verify.js"

test("two stores with the same records are equal, whatever they are", async () => {
  const b = valueStorage()
  for (const [path, text] of Object.entries(conversation)) await b.write(path.split("/"), JSON.parse(text))
  const comparison = await verify({ a: await storeOf(conversation), b })
  expect(comparison).toEqual({
    equal: Object.keys(conversation).length,
    missing: 0,
    extra: 0,
    different: 0,
    reduced: 0,
    finished: true,
    problems: { a: [], b: [] },
  })
})

test("what is missing, extra or different is named, in key order", async () => {
  const a = await storeOf({ "a/1": "1", "a/2": "2", "a/3": "3", "z/1": "1" })
  const b = await storeOf({ "a/0": "0", "a/2": "2", "a/3": "4" })
  const differences: Difference[] = []
  const comparison = await verify({ a, b, onDifference: (difference) => differences.push(difference) })
  expect(comparison).toMatchObject({ equal: 1, missing: 2, extra: 1, different: 1 })
  expect(differences).toEqual([
    { key: ["a", "0"], kind: "extra" },
    { key: ["a", "1"], kind: "missing" },
    { key: ["a", "3"], kind: "different" },
    { key: ["z", "1"], kind: "missing" },
  ])
})

test("when the rows of a database were written is no difference, whichever store knows it", async () => {
  const times = { "row_times/ses_1": "{}", "row_times/ses_2": "{" }
  const a = await storeOf({ ...conversation, ...times })
  const b = await storeOf(conversation)
  const expected = { equal: Object.keys(conversation).length, missing: 0, extra: 0, different: 0 }
  expect(await verify({ a, b })).toMatchObject(expected)
  expect(await verify({ a: b, b: a })).toMatchObject(expected)
  expect(await verify({ a, b: a })).toMatchObject(expected)
})

test("a damaged record equals nothing", async () => {
  const a = await storeOf({ "a/1": "{" })
  const b = await storeOf({ "a/1": "{" })
  expect(await verify({ a, b })).toMatchObject({ equal: 0, different: 1 })
})

test("a comparison that is told to stop says so", async () => {
  const store = await storeOf(conversation)
  expect(await verify({ a: store, b: store, signal: AbortSignal.abort() })).toMatchObject({ finished: false })
})

test("fields that a store has no place for are a difference, and named", async () => {
  const a = await storeOf({ "a/1": '{"kept":1}', "a/2": '{"kept":1,"note":2}' })
  const b = await storeOf({ "a/1": '{"kept":1}', "a/2": '{"kept":1}' })
  const fit = () => ({ text: '{"kept":1}', lost: ["note"] })
  const differences: Difference[] = []
  const onDifference = (difference: Difference) => differences.push(difference)
  const comparison = await verify({ a, b: Object.assign(b, { fit }), onDifference })
  expect(comparison).toMatchObject({ equal: 1, different: 0, reduced: 1 })
  expect(differences).toEqual([{ key: ["a", "2"], kind: "reduced", fields: ["note"] }])
})
