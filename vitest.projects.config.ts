import { globSync, readFileSync } from "node:fs"
import { defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** Folders whose tests start processes, measure, or run `@auth/core` beside this library. */
const realParts =
  /^test\/(?:adapters|applications|differential|examples|frameworks|fuzz|interchange|real|redis|speed|spec|sql|workshop)\//

/** What needs modules that no other test file has loaded. Everything else that a file changes it puts back: `SharedProcess.ts`. */
const ownModules = /\bvi\.(?:mock|doMock|hoisted|resetModules)\b|start(?:Postgres|Redis)|from "@auth\/core"/

/** Applications under test bring packages, and these their own tests. */
const foreign = "**/node_modules/**"

const files = globSync("test/**/*.test.ts")
  .filter((file) => !file.includes("node_modules"))
  .sort()
const isIsolated = (file: string) => {
  const text = readFileSync(file, "utf8")
  return realParts.test(file) || ownModules.test(text)
}
const isolated = files.filter(isIsolated)
const unit = files.filter((file) => !isolated.includes(file))

/**
 * `npm test`: pure unit tests share two processes and load each module once; the others have a process for each file.
 * `vitest.config.ts` runs every file in a process of its own.
 */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      projects: [
        {
          extends: "./vitest.config.ts",
          test: {
            name: "unit",
            exclude: [foreign, ...isolated],
            isolate: false,
            setupFiles: ["test/workshop/Setup.ts", "test/workshop/SharedProcess.ts"]
          }
        },
        {
          extends: "./vitest.config.ts",
          test: { name: "isolated", exclude: [foreign, ...unit], globalSetup: "test/sql/SharedPostgres.ts" }
        }
      ]
    }
  })
)
