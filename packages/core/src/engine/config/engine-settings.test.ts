import { expect, test } from "vitest"
import { Configuration } from "./configuration.js"
import { engineSettings } from "./engine-settings.js"

test("what a configuration switches off is off, and the rest is left to the engine", () => {
  const settings = (written: object) => engineSettings(Configuration.parse(written))
  expect(settings({ compaction: { auto: false } })).toEqual({ autoCompaction: false, prune: undefined })
  expect(settings({ compaction: { prune: false } })).toEqual({ autoCompaction: undefined, prune: false })
  expect(settings({})).toEqual({ autoCompaction: undefined, prune: undefined })
})
