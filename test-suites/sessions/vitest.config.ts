import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "sessions",
    // Some tests start processes and kill them.
    testTimeout: 60_000,
  },
})
