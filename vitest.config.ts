import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "test-suites/benchmarks",
      "test-suites/conformance",
      "test-suites/engine",
      "test-suites/model-server",
      "test-suites/packaging",
      "test-suites/sessions",
    ],
    reporters: process.env.CI ? ["default", ["json", { outputFile: ".ci/results/tests.json" }]] : ["default"],
  },
})
