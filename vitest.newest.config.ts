import { join } from "node:path"
import { defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** The protocol tests on the libraries in the folder that `DOORMAN_LIBRARIES` names: `npm run newest`. */
const folder = process.env["DOORMAN_LIBRARIES"] ?? ""

export default mergeConfig(
  base,
  defineConfig({
    plugins: [
      {
        name: "newest-libraries",
        enforce: "pre",
        resolveId(specifier) {
          return /^(?:jose|oauth4webapi)(?:\/|$)/.test(specifier)
            ? this.resolve(specifier, join(folder, "package.json"), { skipSelf: true })
            : undefined
        }
      }
    ],
    test: {
      include: [
        "test/crypto/*.test.ts",
        "test/oauth/*.test.ts",
        "test/conformance/*.test.ts",
        "test/real/{Hostile,MutualTls,SignIn}*.test.ts"
      ]
    }
  })
)
