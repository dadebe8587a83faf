import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "test-suites/benchmarks",
      "test-suites/conformance",
      "test-suites/engine",
      "test-suites/fault-lab",
      "test-suites/model-server",
      "test-suites/packaging",
      "test-suites/sessions",
    ],
    // Much of the time goes by waiting for other processes and the disk, so that one worker would leave a core idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: process.env.CI ? ["default", ["json", { outputFile: ".ci/results/tests.json" }]] : ["default"],
  },
})
