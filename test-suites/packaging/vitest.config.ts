import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "packaging",
    // Packing and installing takes as long as the registry takes.
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})
