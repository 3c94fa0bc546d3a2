import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/workshop/Setup.ts"],
    reporters: ["default", "./scripts/closing-reporter.mjs"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    fsModuleCache: false,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary", "html"],
      thresholds: { statements: 97, branches: 94, functions: 95, lines: 98 }
    }
  }
})
