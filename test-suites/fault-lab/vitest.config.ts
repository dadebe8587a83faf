import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "fault-lab",
    // Each test damages a store a hundred times, and some of that in processes of their own.
    testTimeout: 240_000,
  },
})
