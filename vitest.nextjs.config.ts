import { defineConfig } from "vitest/config"

/** The slow test of the example for Next.js: `npm run test:nextjs`. */
export default defineConfig({
  test: { include: ["test/examples/NextJs.slow.ts"], testTimeout: 60_000, fsModuleCache: false }
})
