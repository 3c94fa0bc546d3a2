import { defineConfig } from "vitest/config"

/** Applications on other packages, with this one installed in place of `@auth/core`: `npm run test:frameworks`. */
export default defineConfig({
  test: {
    include: ["test/frameworks/*.slow.ts", "test/examples/*.slow.ts"],
    reporters: ["default", "./tools/tests/closing-reporter.mjs"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    fsModuleCache: false
  }
})
