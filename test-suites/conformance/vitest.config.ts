import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "conformance",
    // Contracts start processes and kill them, and limit their own time.
    testTimeout: 600_000,
  },
})
