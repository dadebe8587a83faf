import { join } from "node:path"
import { defineConfig } from "vitest/config"

const results = join(import.meta.dirname, "../../.ci/results/interop.json")

export default defineConfig({
  root: import.meta.dirname,
  test: {
    // Every run of opencode takes more than a second, and the first test fetches the release.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    // Each of them keeps one processor busy.
    maxConcurrency: 2,
    reporters: process.env.CI ? ["default", ["json", { outputFile: results }]] : ["default"],
  },
})
