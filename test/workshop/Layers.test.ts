import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "layers-"))
for (const file of ["layers.config.mjs", "tools/lint/restricted-syntax.mjs"]) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  cpSync(join(root, file), join(folder, file))
}
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
      assert.deepStrictEqual(lint({ ...files, "session/Deep.ts": text }), [`src/session/Deep.ts ${restricted}`], text)
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
  it("are the only places that throw, catch, read a clock, draw randomness, or keep a variable", () => {
    for (const text of [
      "export const a = () => { try { return 1 } finally { b() } }",
      "export const a = () => { throw new Error() }",
      "export const a = Date.now()",
      `export const a = globalThis.Date["now"]()`,
      "export const a = new Date()",
      "export const a = Date()",
      "export const a = crypto.randomUUID()",
      "export const a = globalThis.crypto.getRandomValues(b)",
      "export let a = 1",
      "let a = 1"
    ]) {
      assert.deepStrictEqual(lint({ "Jwt.ts": text }), ["src/Jwt.ts restricted(syntax)"], text)
    }
    const throwing = "export const a = () => { try { b() } catch { throw new Error() } }"
    assert.deepStrictEqual(lint({ "crypto/Jwe.ts": throwing }), [])
    assert.deepStrictEqual(lint({ "crypto/Jwe.ts": "export const a = Date.now()" }), [
      "src/crypto/Jwe.ts restricted(syntax)"
    ])
  })

  it("are not what only looks like them", () => {
    assert.deepStrictEqual(
      lint({
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

  it("have names of concepts, and functions of at most 80 lines", () => {
    const long = `export const a = () => {\n${"  b()\n".repeat(79)}}`
    assert.deepStrictEqual(lint({ "crypto/CookieHelpers.ts": "", "crypto/UtilString.ts": "", "oauth/Long.ts": long }), [
      "src/crypto/CookieHelpers.ts restricted(syntax)",
      "src/crypto/UtilString.ts restricted(syntax)",
      "src/oauth/Long.ts eslint(max-lines-per-function)"
    ])
  })
})
