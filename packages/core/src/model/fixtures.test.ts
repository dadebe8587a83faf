import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import type { z } from "zod"
import { checkModel } from "./check-model.js"
import { FileDiffList } from "./file-diff.js"
import { Message } from "./message.js"
import { Part } from "./part.js"
import { Project } from "./project.js"
import { Session } from "./session.js"
import { TodoList } from "./todo.js"

const fixtures = fileURLToPath(new URL("../../../../test-suites/fixtures/opencode", import.meta.url))

const modelsByFolder: [folder: RegExp, model: z.ZodType][] = [
  [/^storage\/project\//, Project],
  [/^storage\/session\//, Session],
  [/^storage\/message\//, Message],
  [/^storage\/part\//, Part],
  [/^storage\/session_diff\//, FileDiffList],
  [/^storage\/todo\//, TodoList],
  [/^project\/[^/]+\/storage\/session\/info\//, Session],
  [/^project\/[^/]+\/storage\/session\/message\//, Message],
  [/^project\/[^/]+\/storage\/session\/part\//, Part],
]

describe.each(["v0.5.29", "v1.0.61", "v1.1.65", "v1.1.65-id-wrap"])("the store of %s", (version) => {
  const root = join(fixtures, version)
  const records = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json") && entry.name !== "app.json")
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.startsWith("exports/"))

  test("holds records of known kinds alone", () => {
    expect(records.length).toBeGreaterThan(20)
    expect(records.filter((path) => modelOf(path) === undefined)).toEqual([])
  })

  test("is read whole: every record is of its model and loses nothing in parsing", () => {
    for (const path of records) {
      const text = readFileSync(join(root, path), "utf8")
      const model = modelOf(path) as z.ZodType<unknown, unknown>
      expect(JSON.stringify(checkModel(model, JSON.parse(text)), null, 2), path).toBe(text)
      expect(model.parse(JSON.parse(text)), path).toEqual(JSON.parse(text))
    }
  })
})

function modelOf(path: string): z.ZodType | undefined {
  return modelsByFolder.find(([folder]) => folder.test(path))?.[1]
}
