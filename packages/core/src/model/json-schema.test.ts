import { expect, test } from "vitest"
import * as model from "./index.js"

const document = model.modelJsonSchema()
const { $defs } = document

test("every exported model is defined by its name", () => {
  const names = Object.entries(model).flatMap(([name, value]) => (isSchema(value) ? [name] : []))
  expect(names.length).toBeGreaterThan(40)
  expect(Object.keys($defs).sort()).toEqual(names.sort())
})

test("the document is JSON of draft 2020-12", () => {
  expect(document.$schema).toBe("https://json-schema.org/draft/2020-12/schema")
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

test("every reference leads to a definition", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1])
  const targets = Object.keys($defs).map((name) => `#/$defs/${name}`)
  expect(references.length).toBeGreaterThan(0)
  expect(references.filter((reference) => !targets.includes(reference ?? ""))).toEqual([])
})

test("a union refers to its members, which differ in the discriminator", () => {
  expect($defs.Message).toEqual({
    oneOf: [{ $ref: "#/$defs/UserMessage" }, { $ref: "#/$defs/AssistantMessage" }],
  })
  expect($defs.UserMessage?.properties?.role).toEqual({ type: "string", const: "user" })
  expect($defs.Part?.oneOf).toHaveLength(12)
  expect($defs.ToolState?.oneOf).toHaveLength(4)
})

test("definitions allow unknown fields, and say what free-form objects are", () => {
  expect($defs.Session?.additionalProperties).toEqual({})
  expect($defs.JsonObject).toEqual({ type: "object" })
  expect($defs.SessionID).toEqual({ type: "string", pattern: "^ses_" })
})

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_zod" in value
}
