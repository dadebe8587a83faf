import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "engine",
    // Some tests start processes, and kill them.
    testTimeout: 300_000,
    maxConcurrency: 2,
  },
})
