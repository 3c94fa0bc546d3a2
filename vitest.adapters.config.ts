import { defineConfig } from "vitest/config"

/** Published adapters on the packed package, on databases that come from npm: `npm run test:adapters`. */
export default defineConfig({
  test: {
    include: ["test/packed/adapters/*.slow.ts"],
    setupFiles: ["test/workshop/Setup.ts"],
    reporters: ["default", "./tools/tests/closing-reporter.mjs"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    fsModuleCache: false
  }
})
