import { expect, test } from "vitest"
import { Configuration } from "./configuration.js"
import { engineSettings } from "./engine-settings.js"
import { readFlags } from "./flags.js"

test("what a configuration switches off is off, and the rest is left to the engine", () => {
  const flags = readFlags({})
  const settings = (written: object) => engineSettings({ configuration: Configuration.parse(written), flags })
  expect(settings({ compaction: { auto: false } })).toMatchObject({ autoCompaction: false, prune: undefined })
  expect(settings({ compaction: { prune: false } })).toMatchObject({
    autoCompaction: undefined,
    prune: false,
  })
  expect(settings({})).toEqual({ autoCompaction: undefined, prune: undefined, watchFiles: false })
})
