import { globSync, readFileSync } from "node:fs"
import { defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** Folders whose tests start processes, listen on ports, measure, or run `@auth/core` beside this library. */
const realParts =
  /^test\/(?:adapters|applications|differential|examples|frameworks|fuzz|interchange|real|redis|speed|spec|sql|workshop)\//

/** What a test file does that another one in the same process would notice. */
const sideEffect =
  /\bvi\.(?:mock|doMock|hoisted|stub|resetModules|useFakeTimers|spyOn\((?:console|globalThis|process))|node:child_process|createServer|\.listen\(|process\.(?:on|chdir)\(|process\.env\b[^=\n]*\] = |delete process\.env|globalThis\.\w+ = |OncePerProcess|from "@auth\/|start(?:Postgres|Redis)/

/** Fail behind some other files of their process; the reason is not known yet. */
const sensitive = new Set(
  ["Callbacks", "Events", "Provider/Disabled", "hostile/Marks"].map((name) => `test/${name}.test.ts`)
)

const files = globSync("test/**/*.test.ts").sort()
const isIsolated = (file: string) =>
  sensitive.has(file) || realParts.test(file) || sideEffect.test(readFileSync(file, "utf8"))
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
        { extends: "./vitest.config.ts", test: { name: "unit", exclude: isolated, isolate: false } },
        {
          extends: "./vitest.config.ts",
          test: { name: "isolated", exclude: unit, globalSetup: "test/sql/SharedPostgres.ts" }
        }
      ]
    }
  })
)
