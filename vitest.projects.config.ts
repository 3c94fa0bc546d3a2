import { globSync, readFileSync } from "node:fs"
import { defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** Folders whose tests start processes, listen on ports, measure, or run `@auth/core` beside this library. */
const realParts =
  /^test\/(?:adapters|applications|differential|examples|frameworks|fuzz|interchange|real|redis|speed|spec|sql|workshop)\//

/** What a test file does that another one in the same process would notice. */
const sideEffect =
  /\bvi\.(?:mock|doMock|hoisted|stub|resetModules|useFakeTimers|spyOn\((?:console|globalThis|process))|node:child_process|createServer|\.listen\(|process\.(?:on|chdir)\(|process\.env\b[^=\n]*\] = |delete process\.env|globalThis\.\w+ = |OncePerProcess|from "@auth\/|start(?:Postgres|Redis)/

/** What keeps budgets of attempts, marks and values in the shared state of the process, where other test files would find them. */
const sharedState =
  /\b(?:facade|visitor|browser|Auth|createAuth|Doorman|SharedState|Instance|Limits|signIn|Callbacks|Events)\b|\/(?:Browser|Visitor|Scene|Site|ForLayer)\.ts"/

/** Applications under test bring packages, and these their own tests. */
const foreign = "**/node_modules/**"

const files = globSync("test/**/*.test.ts")
  .filter((file) => !file.includes("node_modules"))
  .sort()
const isIsolated = (file: string) => {
  const text = readFileSync(file, "utf8")
  return realParts.test(file) || sideEffect.test(text) || sharedState.test(text)
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
        { extends: "./vitest.config.ts", test: { name: "unit", exclude: [foreign, ...isolated], isolate: false } },
        {
          extends: "./vitest.config.ts",
          test: { name: "isolated", exclude: [foreign, ...unit], globalSetup: "test/sql/SharedPostgres.ts" }
        }
      ]
    }
  })
)
