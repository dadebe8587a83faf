import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "sessile",
    // Most tests run the program several times, each time in a process of its own.
    testTimeout: 60_000,
  },
})
