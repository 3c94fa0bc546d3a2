import { describe, expect, it } from "vitest"
import { packagesBehind, selfReplacing } from "../../scripts/package-graph.mjs"

describe("what is in the files of the package", () => {
  it("is followed to the packages behind an entry, at once and on demand", () => {
    const files: Readonly<Record<string, string>> = {
      "dist/index.js": 'import { a } from "./internal/a.js"; import "node:fs"; export * from "jose/jwe"',
      "dist/internal/a.js": 'export const a = () => import("../b.js"); import "../index.js"',
      "dist/b.js": 'export const load = () => import("@scope/peer/part"), other = (name) => import(name)',
      "dist/apart.js": 'import "unreached"'
    }
    const read = (file: string) => files[file] ?? `is read: ${file}`
    expect([...packagesBehind("dist/index.js", read)].sort()).toEqual(["@scope/peer", "jose"])
  })

  it.each([
    ["let read = (text) => { read = make(); return read(text) }", ["read"]],
    [
      "const is = () => { let guard = (input) => (guard = makeIs(), guard(input)); return (input) => guard(input) }",
      ["guard"]
    ],
    ["function once() { once = () => 1; return 1 }", ["once"]],
    ["let later; later = () => (later = () => 1)()", ["later"]],
    ["let cached; const get = () => (cached ??= make())", []],
    ["let state = 1; const next = () => { state = state + 1 }", []],
    ["let read = () => 1; read = () => 2", []]
  ])("is searched for functions that replace themselves: %s", (code, names) => {
    expect(selfReplacing("code.js", code)).toEqual(names)
  })
})
