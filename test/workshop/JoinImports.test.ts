import { describe, expect, it } from "vitest"
import { joinImports } from "../../tools/build/join-imports.mjs"

describe("the imports of a built file", () => {
  it("have one name for each module, wherever a variable stands", () => {
    const code = [
      'import * as Effect from "effect/Effect"',
      'import * as Router from "effect/http/HttpRouter"',
      'import { make } from "./shared.js"',
      'import * as Effect2 from "effect/Effect"',
      "export const all = [...Effect2.gen(make), Router.Effect2, { Effect2: Effect2.void }, Effect2[Effect2.key]]",
      "export class Name extends Effect2.Service { Effect2 = Effect.void }"
    ]
    expect(joinImports(code.join("\n")).split("\n")).toEqual([
      ...code.slice(0, 3),
      "export const all = [...Effect.gen(make), Router.Effect2, { Effect2: Effect.void }, Effect[Effect.key]]",
      "export class Name extends Effect.Service { Effect2 = Effect.void }"
    ])
  })

  it("keep the names of exports and of members that are written short", () => {
    const code = [
      'import * as Effect from "effect/Effect"',
      'import * as Effect2 from "effect/Effect"',
      "const all = { Effect2 }",
      "export { Effect2, Effect2 as Program, all }"
    ]
    expect(joinImports(code.join("\n")).split("\n")).toEqual([
      code[0],
      "const all = { Effect2: Effect }",
      "export { Effect as Effect2, Effect as Program, all }"
    ])
  })

  it("stay where no two are of one module", () => {
    const code = 'import * as Effect from "effect/Effect"\nimport { make } from "./shared.js"\nmake(Effect.void)'
    expect(joinImports(code)).toBe(code)
  })
})
