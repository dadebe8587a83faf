import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "test-suites/benchmarks",
      "test-suites/conformance",
      "test-suites/packaging",
      "test-suites/sessions",
    ],
    reporters: process.env.CI ? ["default", ["json", { outputFile: ".ci/results/tests.json" }]] : ["default"],
  },
})
