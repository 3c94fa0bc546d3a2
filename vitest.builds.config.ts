import { defineConfig } from "vitest/config"

/** One application, made by many build tools from the packed package: `npm run builds`. */
export default defineConfig({
  test: {
    include: ["test/builds/*.slow.ts"],
    reporters: ["default", "./tools/tests/closing-reporter.mjs"],
    pool: "forks",
    maxConcurrency: 2,
    testTimeout: 900_000,
    fsModuleCache: false
  }
})
