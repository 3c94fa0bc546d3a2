import { assert, describe, it } from "@effect/vitest"
import { inspect } from "../../scripts/floors.mjs"
import table from "../../scripts/floors.json" with { type: "json" }

const rulesOf = (files: Record<string, string>): ReadonlyArray<string> =>
  inspect(new Map(Object.entries(files)), table).map((fault) => `${fault.file}:${fault.line} ${fault.rule}`)

describe("floors", () => {
  it("finds nothing in a house that stands", () => {
    assert.deepStrictEqual(
      rulesOf({
        "Errors.ts": `import * as Schema from "effect/Schema"\nexport const errors = Schema`,
        "Jwt.ts": `import * as Errors from "./Errors.ts"\nexport const jwt = Errors.errors`,
        "Session.ts": `import { jwt } from "./Jwt.ts"\nexport type { Callback } from "./actions/Callback.ts"\nexport const session = jwt`,
        "actions/Callback.ts": `export interface Callback {}`,
        "Auth.ts": `export const Auth = async () => { const { session } = await import("./Session.ts"); return session }`,
        "index.ts": `export { Auth } from "./Auth.ts"`
      }),
      []
    )
  })

  it("finds an import that points up, in each form of import", () => {
    for (const text of [
      `import { a } from "../Jwt.ts"\nexport const b = a`,
      `import type { a } from "../Jwt.ts"\nexport type B = typeof a`,
      `export * from "../Jwt.ts"`,
      `export { a } from "../Jwt.ts"`,
      `export type B = import("../Jwt.ts").A`,
      `export const b = import("../Jwt.ts")`
    ]) {
      assert.deepStrictEqual(rulesOf({ "Jwt.ts": "export const a = 1", "internal/Deep.ts": text }), [
        "internal/Deep.ts:1 upward"
      ])
    }
  })

  it("finds a cycle inside one floor, also one of types only", () => {
    assert.deepStrictEqual(
      rulesOf({
        "actions/SignIn.ts": `export * from "./SignOut.ts"`,
        "actions/SignOut.ts": `export * from "./Callback.ts"`,
        "actions/Callback.ts": `export type A = import("./SignIn.ts").A`
      }),
      ["actions/Callback.ts:1 cycle"]
    )
  })

  it("finds a file that stands on no floor", () => {
    assert.deepStrictEqual(rulesOf({ "Novelty.ts": "export {}" }), ["Novelty.ts:1 unknown-file"])
  })

  it("finds an import of a file that does not exist", () => {
    assert.deepStrictEqual(rulesOf({ "Jwt.ts": `\nimport "./Gone.ts"` }), ["Jwt.ts:2 unknown-import"])
  })

  it("finds imports of barrels, and leaves modules alone", () => {
    assert.deepStrictEqual(
      rulesOf({
        "Jwt.ts": [
          `import { Effect } from "effect"`,
          `import { HttpClient } from "effect/http"`,
          `export * from "effect/http-api"`,
          `import * as Layer from "effect/Layer"`,
          `import * as Cookies from "effect/http/Cookies"`,
          `import { effect } from "effectful"`
        ].join("\n")
      }),
      ["Jwt.ts:1 barrel", "Jwt.ts:2 barrel", "Jwt.ts:3 barrel"]
    )
  })

  it("finds a file that is too long", () => {
    assert.deepStrictEqual(rulesOf({ "Jwt.ts": "export {}\n".repeat(800) }), [])
    assert.deepStrictEqual(rulesOf({ "Jwt.ts": "export {}\n".repeat(801) }), ["Jwt.ts:1 length"])
  })

  it("finds names that are not PascalCase", () => {
    assert.deepStrictEqual(
      rulesOf({ "internal/jwe.ts": "", "internal/Http-Date.ts": "", "compat/jwt.ts": "", "index.ts": "" }),
      ["internal/jwe.ts:1 name", "internal/Http-Date.ts:1 name"]
    )
  })

  it("finds drawers, as a file, as a folder and inside a name", () => {
    assert.deepStrictEqual(
      rulesOf({ "internal/Utils.ts": "", "internal/common/Base64.ts": "", "internal/CookieHelpers.ts": "" }),
      ["internal/Utils.ts:1 drawer", "internal/common/Base64.ts:1 drawer", "internal/CookieHelpers.ts:1 drawer"]
    )
  })

  it("finds every banned word outside the edges", () => {
    for (const text of [
      `export const a = async () => 1`,
      `export async function a() {}`,
      `export const a = { async b() {} }`,
      `export const a = () => { try { return 1 } finally { b() } }`,
      `export const a = () => { throw new Error() }`,
      `export const a = Date.now()`,
      `export const a = Date["now"]()`,
      `export const a = globalThis.Date.now()`,
      `export const a = new Date()`,
      `export const a = Math.random()`,
      `export const a = crypto.randomUUID()`,
      `export const a = console.log`,
      `export const a = console`,
      `export const a = process.env`,
      `export const a = globalThis.process.env.A`,
      `export const a = fetch("x")`,
      `export const a = { fetch }`,
      `export const a = globalThis.fetch`,
      `export const a = Effect.fn("a")`,
      `export let a = 1`
    ]) {
      assert.include(rulesOf({ "Jwt.ts": text }), "Jwt.ts:1 banned", text)
    }
  })

  it("knows look-alikes from banned words", () => {
    assert.deepStrictEqual(
      rulesOf({
        "Jwt.ts": [
          `export const a = Effect.tryPromise({ try: () => b(), catch: (cause) => cause })`,
          `export const c = (fetch: () => void) => fetch()`,
          `export const d = options.fetch`,
          `export type F = typeof fetch`,
          `export interface G { fetch: string; console: string }`,
          `export const h = new Date(0)`,
          `export const i = Effect.fnUntraced(function*() { let j = 1; yield* j })`,
          `// Date.now(), async, try`,
          `export const k = "Math.random()"`
        ].join("\n")
      }),
      []
    )
  })

  it("lets an edge do what the table names and nothing else", () => {
    assert.deepStrictEqual(rulesOf({ "compat/Token.ts": `export const a = async () => Date.now()` }), [])
    assert.deepStrictEqual(rulesOf({ "compat/Token.ts": `export const a = Math.random()` }), [
      "compat/Token.ts:1 banned"
    ])
    assert.deepStrictEqual(rulesOf({ "crypto/Jwe.ts": `export const a = Date.now()` }), ["crypto/Jwe.ts:1 banned"])
  })

  it("finds Effect in what a door loads at once, and allows it as a type or later", () => {
    const jwt = `import * as Effect from "effect/Effect"\nexport const a = Effect.void`
    assert.deepStrictEqual(rulesOf({ "Jwt.ts": jwt, "compat/Token.ts": `export { a } from "../Jwt.ts"` }), [
      "compat/Token.ts:1 effect-free"
    ])
    assert.deepStrictEqual(
      rulesOf({ "Jwt.ts": jwt, "compat/Token.ts": `export type A = typeof import("../Jwt.ts").a` }),
      []
    )
    assert.deepStrictEqual(rulesOf({ "Jwt.ts": jwt, "compat/Token.ts": `export const a = import("../Jwt.ts")` }), [])
  })

  it("finds text that does not parse", () => {
    assert.deepStrictEqual(rulesOf({ "Jwt.ts": "export const = 1" }), ["Jwt.ts:1 syntax"])
  })
})
