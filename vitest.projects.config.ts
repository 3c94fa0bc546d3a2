import { globSync, readFileSync, rmSync, statSync } from "node:fs"
import { defineConfig, mergeConfig } from "vitest/config"
import LongestFirst from "./tools/tests/longest-first.mjs"
import base from "./vitest.config.ts"

/** Folders whose tests measure, run `@auth/core` beside this library, or load packages that replace globals. */
const apart = /^test\/(?:adapters|applications|differential|frameworks|fuzz|interchange|speed|workshop)\//

/** What needs modules that no other test file has loaded. Everything else that a file changes it puts back: `SharedProcess.ts`. */
const ownModules = /\bvi\.(?:mock|doMock|hoisted|resetModules)\b|from "@auth\/core"/

// Processes of the tests, and those that they start, share what Node compiled: `tools/tests/compile-cache.mjs`. Node removes
// nothing of it, so it begins anew after a week.
const compiled = `${import.meta.dirname}/node_modules/.cache/compile`
const week = 7 * 24 * 60 * 60 * 1000
if ((statSync(compiled, { throwIfNoEntry: false })?.birthtimeMs ?? Infinity) < Date.now() - week) {
  rmSync(compiled, { recursive: true, force: true })
}
process.env["NODE_COMPILE_CACHE"] ??= compiled

/** One more than the machine of CI has cores: some files wait for a browser, a process or a limit of time. */
const maxWorkers = 3

/** Applications under test bring packages, and these their own tests. */
const foreign = "**/node_modules/**"

const files = globSync("test/**/*.test.ts")
  .filter((file) => !file.includes("node_modules"))
  .sort()
const isIsolated = (file: string) => {
  const text = readFileSync(file, "utf8")
  return apart.test(file) || ownModules.test(text)
}
const isolated = files.filter(isIsolated)
const unit = files.filter((file) => !isolated.includes(file))

/**
 * `npm test`: most files share the processes of the workers and load each module once; the others have a process for each file.
 * `vitest.config.ts` runs every file in a process of its own.
 */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      sequence: { sequencer: LongestFirst },
      projects: [
        {
          extends: "./vitest.config.ts",
          test: {
            name: "unit",
            maxWorkers,
            exclude: [foreign, ...isolated],
            isolate: false,
            globalSetup: "test/sql/SharedPostgres.ts",
            setupFiles: ["test/workshop/Setup.ts", "test/workshop/SharedProcess.ts"]
          }
        },
        {
          extends: "./vitest.config.ts",
          test: { name: "isolated", maxWorkers, exclude: [foreign, ...unit], globalSetup: "test/sql/SharedPostgres.ts" }
        }
      ]
    }
  })
)
