import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import { inspect } from "../../scripts/edges.mjs"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "layers-"))
cpSync(join(root, "layers.config.mjs"), join(folder, "layers.config.mjs"))
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
afterAll(() => rmSync(folder, { recursive: true }))

/** What oxlint finds in a tree of files below `src`: rules and the files they are about. */
const lint = (files: Record<string, string>): ReadonlyArray<string> => {
  rmSync(join(folder, "src"), { recursive: true, force: true })
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, "src", dirname(file)), { recursive: true })
    writeFileSync(join(folder, "src", file), text)
  }
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, "node_modules/oxlint/bin/oxlint"), "-c", "layers.config.mjs", "--format=json", "src"],
    { cwd: folder, encoding: "utf8" }
  )
  const { diagnostics } = JSON.parse(stdout)
  return diagnostics.map((fault: { code: string; filename: string }) => `${fault.filename} ${fault.code}`).sort()
}

const restricted = "eslint(no-restricted-imports)"

describe("layers", () => {
  it("accept imports of the same layer and of lower ones", () => {
    assert.deepStrictEqual(
      lint({
        "Errors.ts": `import * as Schema from "effect/Schema"\nexport const errors = Schema`,
        "Jwt.ts": `import * as Errors from "./Errors.ts"\nexport const jwt = Errors.errors`,
        "session/Owner.ts": `import { jwt } from "../Jwt.ts"\nexport const owner = jwt`,
        "signin/Complete.ts": `import { owner } from "../session/Owner.ts"\nexport const complete = owner`,
        "index.ts": `export { complete } from "./signin/Complete.ts"`
      }),
      []
    )
  })

  it("reject an import of a higher layer, in each form", () => {
    for (const text of [
      `import { a } from "../signin/Complete.ts"\nexport const b = a`,
      `import type { a } from "../signin/Complete.ts"\nexport type B = typeof a`,
      `export * from "../signin/Complete.ts"`,
      `export { a } from "../signin/Complete.ts"`,
      `import { action } from "../Action.ts"\nexport const b = action`
    ]) {
      const files = { "signin/Complete.ts": "export const a = 1", "Action.ts": "export const action = 1" }
      assert.deepStrictEqual(lint({ ...files, "oauth/Deep.ts": text }), [`src/oauth/Deep.ts ${restricted}`], text)
    }
    assert.deepStrictEqual(
      lint({ "Jwt.ts": `export { action } from "./Action.ts"`, "Action.ts": "export const action = 1" }),
      [`src/Jwt.ts ${restricted}`]
    )
    assert.deepStrictEqual(
      lint({
        "Provider/internal/A.ts": `export { a } from "../../signin/Complete.ts"`,
        "signin/Complete.ts": "export const a = 1"
      }),
      [`src/Provider/internal/A.ts ${restricted}`]
    )
  })

  it("reject a cycle inside one layer, also one of types only", () => {
    assert.deepStrictEqual(
      lint({
        "actions/A.ts": `import type { B } from "./B.ts"\nexport type A = B`,
        "actions/B.ts": `import type { A } from "./A.ts"\nexport type B = A`
      }),
      ["src/actions/A.ts import(no-cycle)", "src/actions/B.ts import(no-cycle)"]
    )
  })

  it("reject barrels of Effect, and take modules as they are", () => {
    assert.deepStrictEqual(
      lint({
        "Jwt.ts": `import { Effect } from "effect"\nexport * from "effect/http"\nexport const a = Effect`,
        "Events.ts": `import * as Layer from "effect/Layer"\nexport const a = Layer`
      }),
      [`src/Jwt.ts ${restricted}`, `src/Jwt.ts ${restricted}`]
    )
  })

  it("reject a folder that is in no layer, a file of more than 800 lines, and a name that is not PascalCase", () => {
    assert.deepStrictEqual(
      lint({
        "Errors.ts": "export const errors = 1",
        "novelty/New.ts": `export { errors } from "../Errors.ts"`,
        "oauth/Long.ts": "export {}\n".repeat(801),
        "oauth/lower.ts": "export {}",
        "compat/jwt.ts": "export {}"
      }),
      [
        `src/novelty/New.ts ${restricted}`,
        "src/oauth/Long.ts eslint(max-lines)",
        "src/oauth/lower.ts unicorn(filename-case)"
      ]
    )
  })
})

describe("edges", () => {
  const faults = (files: Record<string, string>) => inspect(new Map(Object.entries(files)))

  it("are the only places that throw, catch, read a clock, draw randomness, or keep a variable", () => {
    for (const [text, name] of [
      ["export const a = () => { try { return 1 } finally { b() } }", "try"],
      ["export const a = () => { throw new Error() }", "throw"],
      ["export const a = Date.now()", "the time"],
      [`export const a = globalThis.Date["now"]()`, "the time"],
      ["export const a = new Date()", "the time"],
      ["export const a = crypto.randomUUID()", "random bytes"],
      ["export const a = globalThis.crypto.getRandomValues(b)", "random bytes"],
      ["export let a = 1", "a variable of the module"]
    ] as const) {
      assert.deepStrictEqual(faults({ "Jwt.ts": text }), [`src/Jwt.ts:1 uses ${name}`])
    }
    assert.deepStrictEqual(faults({ "crypto/Jwe.ts": "export const a = () => { throw new Error() }" }), [])
    assert.deepStrictEqual(faults({ "crypto/Jwe.ts": "export const a = Date.now()" }), [
      "src/crypto/Jwe.ts:1 uses the time"
    ])
  })

  it("are not what only looks like them", () => {
    assert.deepStrictEqual(
      faults({
        "Jwt.ts": [
          "export const a = Effect.tryPromise({ try: () => b(), catch: (cause) => cause })",
          "export const h = new Date(0)",
          "export const i = Effect.fnUntraced(function*() { let j = 1; yield* j })",
          `export const k = "Date.now()"`
        ].join("\n")
      }),
      []
    )
  })

  it("load no module of Effect in an entry point of ordinary servers", () => {
    const jwt = `import * as Effect from "effect/Effect"\nexport const a = Effect.void`
    assert.deepStrictEqual(faults({ "Jwt.ts": jwt, "compat/Token.ts": `export { a } from "../Jwt.ts"` }), [
      "src/compat/Token.ts: loads effect/Effect at once, by src/Jwt.ts"
    ])
    assert.deepStrictEqual(faults({ "Jwt.ts": jwt, "compat/Token.ts": `export const a = import("../Jwt.ts")` }), [])
    assert.deepStrictEqual(faults({ "Jwt.ts": jwt, "compat/Token.ts": `export type { a } from "../Jwt.ts"` }), [])
  })

  it("have names of concepts, and parse", () => {
    assert.deepStrictEqual(faults({ "crypto/CookieHelpers.ts": "" }), [
      "src/crypto/CookieHelpers.ts: is named after no concept"
    ])
    assert.strictEqual(faults({ "Jwt.ts": "export const = 1" }).length, 1)
  })
})
