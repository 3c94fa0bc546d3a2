import { fileURLToPath } from "node:url"
import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** The fault that `scripts/advisories.mjs` plants: a piece of a source file, and what stands in its place. */
const fault = JSON.parse(process.env["PLANTED_FAULT"] ?? '{ "file": "", "from": "", "to": "" }') as {
  readonly file: string
  readonly from: string
  readonly to: string
}
const planted = fileURLToPath(new URL(fault.file, import.meta.url))

export default mergeConfig(base, {
  plugins: [
    {
      name: "planted-fault",
      enforce: "pre",
      transform: (code: string, id: string) =>
        id.split("?")[0] === planted ? { code: code.replace(fault.from, () => fault.to), map: null } : undefined
    }
  ]
})
