import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    // Stores of thousands of files are written, which a busy disk takes its time for.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
