/**
 * Risks for bundlers and minifiers in the files of the packed package: the packages that an entry leads to, and
 * functions that replace themselves.
 */
import { readFileSync } from "node:fs"
import { posix } from "node:path"
import { parseSync, Visitor } from "oxc-parser"
import { describe, expect, it } from "vitest"
import { isFunctionEntry, listFiles, publicSpecifiers, readManifest } from "../../tools/build/package-map.mjs"
import { folderOf } from "../frameworks/Packed.ts"

const root = `${folderOf("matrix/bundlers")}/node_modules/effect-doorman`
const readPacked = (file: string): string => readFileSync(`${root}/dist/${file}`, "utf8")
const files = listFiles(`${root}/dist`).filter((file) => file.endsWith(".js"))
const modules = [
  ...publicSpecifiers(
    readManifest(root),
    files.map((file) => file.slice(0, -3))
  ).values()
]

/** The specifiers that a file imports and exports from, at once or on demand. */
const importsOf = (code: string): ReadonlyArray<string> => {
  const { module, program } = parseSync("code.js", code)
  const requests = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)]
  const specifiers = requests.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === "Literal" && typeof source.value === "string") specifiers.push(source.value)
    }
  }).visit(program)
  return specifiers
}

const imports = new Map(files.map((file) => [file, importsOf(readPacked(file))]))

/** The packages that bundlers look for when an application imports this file. */
const packagesBehind = (file: string, reached = new Set<string>()): ReadonlySet<string> => {
  if (reached.has(file)) return new Set()
  reached.add(file)
  return new Set(
    imports.get(file)?.flatMap((specifier) => {
      if (!specifier.startsWith(".")) return /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
      return [...packagesBehind(posix.join(posix.dirname(file), specifier), reached)]
    })
  )
}

/**
 * The functions that assign to the variable that holds them, such as `let read = (text) => (read = make())(text)`. SWC 1.13 inlines
 * what they become and loses the assignment (vercel/next.js#82640).
 */
const selfReplacing = (code: string): ReadonlyArray<string> => {
  const around: Array<string | undefined> = []
  const names = new Map<unknown, string>()
  const found = new Set<string>()
  const enter = (node: { readonly id?: { readonly name: string } | null }): void =>
    void around.push(names.get(node) ?? node.id?.name)
  const leave = (): void => void around.pop()
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier") names.set(init, id.name)
    },
    AssignmentExpression: ({ left, right }) => {
      if (left.type !== "Identifier") return
      if (around.includes(left.name)) found.add(left.name)
      names.set(right, left.name)
    },
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave
  }).visit(parseSync("code.js", code).program)
  return [...found]
}

describe("the search for imports", () => {
  it("finds what is imported and exported, at once and on demand, and no names in variables", () => {
    const code =
      'import { a } from "./a.js"; export * from "jose"; export const f = (b) => [import("@scope/c"), import(b)]'
    expect([...importsOf(code)].sort()).toEqual(["./a.js", "@scope/c", "jose"])
  })
})

describe("the search for functions that replace themselves", () => {
  it.each([
    ["let read = (text) => { read = make(); return read(text) }", ["read"]],
    [
      "const is = () => { let guard = (input) => (guard = make(), guard(input)); return (input) => guard(input) }",
      ["guard"]
    ],
    ["function once() { once = () => 1; return 1 }", ["once"]],
    ["let later; later = () => (later = () => 1)()", ["later"]],
    ["let cached; const get = () => (cached ??= make())", []],
    ["let state = 1; const next = () => { state = state + 1 }", []],
    ["let read = () => 1; read = () => 2", []]
  ])("tells %s", (code, names) => {
    expect(selfReplacing(code)).toEqual(names)
  })
})

describe("the packed package", () => {
  it("leads a bundler to an optional package only by the modules that need it", () => {
    const { peerDependencies } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"))
    const optional = Object.keys(peerDependencies).filter((name) => name !== "effect")
    const reached = modules.flatMap((module) => {
      const behind = packagesBehind(`${module}.js`)
      return optional.filter((name) => behind.has(name)).map((name) => `${module}: ${name}`)
    })
    expect(reached.sort()).toEqual([
      "Provider/Nodemailer: nodemailer",
      "Provider/Passkey: @simplewebauthn/server",
      "Provider/WebAuthn: @simplewebauthn/server",
      "compat/providers/nodemailer: nodemailer",
      "compat/providers/passkey: @simplewebauthn/server",
      "compat/providers/webauthn: @simplewebauthn/server",
      "mail/Smtp: nodemailer",
      "sql/Postgres: @effect/sql-pg"
    ])
  })

  it("leads the entries of ordinary servers to no effect", () => {
    const entries = modules.filter(isFunctionEntry)
    expect(entries).toContain("index")
    expect(entries.filter((module) => packagesBehind(`${module}.js`).has("effect"))).toEqual([])
  })

  it("has no function that replaces itself", () => {
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap((file) => selfReplacing(readPacked(file)).map((name) => `${file}: ${name}`))).toEqual([])
  })
})
