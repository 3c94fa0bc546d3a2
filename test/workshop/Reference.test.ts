import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { docOf, sentenceOf, unknownTagsOf } from "../../tools/build/declarations.mjs"

const script = fileURLToPath(new URL("../../tools/build/reference.mjs", import.meta.url))
const made: Array<string> = []
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const door = (path: string) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` })

const lines = (...text: ReadonlyArray<string>) => text.join("\n") + "\n"

const sources = {
  "index.ts": lines(
    "/**",
    " * The whole house.",
    " *",
    " * @since 0.1.0",
    " */",
    `export { type Key, open } from "./Door.ts"`,
    `export { Bell } from "./internal/Bell.ts"`
  ),
  "Door.ts": lines(
    "/**",
    " * Doors: how they open. Windows are elsewhere.",
    " *",
    " * @since 0.1.0",
    " */",
    `import type { Bell } from "./internal/Bell.ts"`,
    `import type { House } from "./rooms/House.ts"`,
    "",
    "/**",
    " * What opens a door. See {@link open}.",
    " *",
    " * @category models",
    " * @since 0.1.0",
    " */",
    "export interface Key {",
    "  /** How many teeth it has. @since 0.2.0 */",
    "  readonly teeth: number",
    "  /** @internal */",
    "  readonly maker: string",
    "}",
    "",
    "type Hand = { readonly fingers: number }",
    "",
    `/** Who lives here. @category models @since 0.1.0 */`,
    `export declare const household: import("./rooms/House.ts").House & import("effect/Context").Context<never>`,
    "",
    "/** Opens a door. @category constructors @since 0.2.0 */",
    "export const open = (key: Key, hand: Hand, bell: Bell, house: House): boolean =>",
    "  key.teeth + hand.fingers + bell.tones + house.doors > 0",
    "",
    "/** Nobody sees this. @internal */",
    "export const hidden = 1",
    "",
    "interface Iron<Size> { readonly size: Size }",
    "declare const Hinge_base: new (size: number) => Iron<1>",
    "/** Holds a door. @category models @since 0.1.0 */",
    "export declare class Hinge extends Hinge_base {}",
    "",
    "declare const Lock_base: new () => { readonly bolts: number }",
    "/** Locks a door. @category models @since 0.1.0 */",
    "export declare class Lock extends Lock_base {}"
  ),
  "effect.d.ts": `declare module "effect/Context" { interface Context<R> { readonly r: R } }\n`,
  "internal/Bell.ts": lines(
    "/** Bells. @since 0.1.0 */",
    "/**",
    " * Rings.",
    " *",
    " * @see https://example.com/bells",
    " * @category models",
    " * @since 0.1.0",
    " */",
    "export interface Bell {",
    "  readonly tones: number",
    "}"
  ),
  "rooms/House.ts": lines(
    "/**",
    " * Houses.",
    " *",
    " * @since 0.1.0",
    " */",
    `import type { Key } from "../Door.ts"`,
    "/** A house. @category models @since 0.1.0 */",
    "export interface House {",
    "  readonly doors: number",
    "  readonly keys: ReadonlyArray<Key>",
    "}"
  )
}

const houseOf = (changes: { readonly [file: string]: string } = {}) => {
  const root = mkdtempSync(join(tmpdir(), "doorman-reference-test-"))
  made.push(root)
  const files = {
    "package.json": JSON.stringify({
      name: "house",
      type: "module",
      exports: {
        ".": door("index"),
        "./package.json": "./package.json",
        "./*": door("*"),
        "./index": null,
        "./door": door("Door"),
        "./internal/*": null
      }
    }),
    "tsconfig.build.json": JSON.stringify({
      compilerOptions: {
        allowImportingTsExtensions: true,
        declaration: true,
        emitDeclarationOnly: true,
        module: "nodenext",
        rootDir: "src",
        strict: true,
        stripInternal: true,
        target: "es2022",
        types: []
      },
      include: ["src"]
    })
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  for (const [name, text] of Object.entries({ ...sources, ...changes })) {
    mkdirSync(dirname(join(root, "src", name)), { recursive: true })
    writeFileSync(join(root, "src", name), text)
  }
  const run = (...options: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [script, "--root", root, ...options], {
      encoding: "utf8"
    })
    return { status, stderr, stdout }
  }
  const page = (name: string) => readFileSync(join(root, "docs/reference", name), "utf8")
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  return { page, run, write }
}

const lacking = (before: string, after: string) => houseOf({ "Door.ts": sources["Door.ts"].replace(before, after) })

describe("reference", () => {
  it("reads tags on lines of their own and behind the text, but not in code", () => {
    assert.deepStrictEqual(
      docOf("* Opens `@since` and me@category. @category doors\n * @since 0.1.0 ").body,
      "Opens `@since` and me@category."
    )
    assert.deepStrictEqual(docOf("*\n * A.\n *\n * @see https://a.example\n * @since 0.1.0\n ").tags, [
      { tag: "see", text: "https://a.example" },
      { tag: "since", text: "0.1.0" }
    ])
  })

  it("takes the first sentence, however it is wrapped", () => {
    assert.strictEqual(sentenceOf("Doors: how they\nopen (`a. b`). More."), "Doors: how they open (`a. b`).")
    assert.strictEqual(sentenceOf("Is it open?\n\nYes."), "Is it open?")
    assert.strictEqual(sentenceOf("no end\n\nA sentence."), "")
    assert.strictEqual(sentenceOf(""), "")
  })

  it("knows tags that it does not know", () => {
    assert.deepStrictEqual(unknownTagsOf("A.\n@sinse 0.1.0\n`@code`"), ["@sinse"])
  })

  it("writes a list of the modules and a page for each, and nothing private", () => {
    const house = houseOf()
    const { status, stderr, stdout } = house.run()
    assert.strictEqual(stderr, "")
    assert.strictEqual(status, 0)
    assert.include(stdout, "3 modules with 7 exports written, 0 comments incomplete")

    const list = house.page("README.md")
    assert.include(list, "| [house/Door](Door.md), [house/door](Door.md) | Doors: how they open. |")
    assert.include(list, "## rooms\n")
    assert.include(list, "[house/rooms/House](rooms/House.md)")
    assert.include(list, "[house](index.md)")
    assert.notInclude(list, "internal")

    const door = house.page("Door.md")
    assert.include(door, "## models\n\n### Key\n\nWhat opens a door. See [`open`](#open).\n")
    assert.include(door, "  /** How many teeth it has. */\n  readonly teeth: number\n}")
    assert.include(door, "## constructors\n\n### open\n\nOpens a door.\n")
    assert.include(door, "Since 0.2.0. Uses [Bell](index.md#bell), [House](rooms/House.md#house), [Key](#key).")
    assert.include(
      door,
      "const household: House & Context.Context<never>\n```\n\nSince 0.1.0. Uses [House](rooms/House.md#house)."
    )
    assert.include(door, "type Hand = { readonly fingers: number }")
    assert.include(door, "class Hinge extends Iron<1> {\n  constructor(size: number)\n}")
    assert.include(door, "const Lock_base: new () => { readonly bolts: number }\n\nclass Lock extends Lock_base {}")
    for (const secret of ["hidden", "maker", "@internal", "@since", "Hinge_base", "declare"])
      assert.notInclude(door, secret)

    assert.include(house.page("rooms/House.md"), "[Key](../Door.md#key)")
    const index = house.page("index.md")
    assert.include(index, "| [open](Door.md#open) | Opens a door. |")
    assert.include(index, "### Bell\n\nRings.\n")
    assert.include(index, "See <https://example.com/bells>.")
  })

  it("deletes the pages of modules that are gone", () => {
    const house = houseOf()
    assert.strictEqual(house.run().status, 0)
    house.write("docs/reference/Gone.md", "# Gone\n")
    assert.strictEqual(house.run().status, 0)
    assert.throws(() => house.page("Gone.md"))
  })

  it("writes no page with --check", () => {
    const house = houseOf()
    const { status, stderr } = house.run("--check")
    assert.strictEqual(stderr, "")
    assert.strictEqual(status, 0)
    assert.throws(() => house.page("README.md"))
  })

  it("names the export that says nothing about itself", () => {
    for (const without of [
      "/** @category constructors @since 0.2.0 */",
      "/** opens @category constructors @since 0.2.0 */"
    ]) {
      const house = lacking("/** Opens a door. @category constructors @since 0.2.0 */", without)
      const written = house.run()
      assert.strictEqual(written.stderr, "src/Door.ts: open has no sentence on what it is\n")
      assert.strictEqual(written.status, 1)
      const { status, stderr } = house.run("--check")
      assert.strictEqual(stderr, "src/Door.ts: open has no sentence on what it is\n")
      assert.strictEqual(status, 1)
    }
  })

  it("names the export without a category or a version, and the tag that is misspelt", () => {
    const house = lacking(
      " * @category models\n * @since 0.1.0\n */\nexport interface Key",
      " * @sinse 0.1.0\n */\nexport interface Key"
    )
    const { status, stderr } = house.run()
    assert.strictEqual(status, 1)
    assert.strictEqual(
      stderr,
      lines(
        "src/Door.ts: Key has a tag that the reference does not know: @sinse",
        "src/Door.ts: Key has no @category",
        "src/Door.ts: Key has no @since"
      )
    )
  })

  it("names the exports that share a sentence", () => {
    const house = lacking(
      "export const open =",
      "export const { shut, slam } = { shut: 1, slam: 2 }\n/** Opens a door. @category constructors @since 0.2.0 */\nexport const open ="
    )
    assert.strictEqual(
      house.run().stderr,
      lines(
        "src/Door.ts: shut has no sentence of its own, but shares one with slam",
        "src/Door.ts: slam has no sentence of its own, but shares one with shut"
      )
    )
  })

  it("names what a public module takes from a private one and does not describe", () => {
    const house = houseOf({ "internal/Bell.ts": "export interface Bell { readonly tones: number }\n" })
    assert.include(house.run().stderr, "src/internal/Bell.ts: Bell has no sentence on what it is\n")
  })

  it("names the module that opens with no comment", () => {
    const house = lacking("/**\n * Doors: how they open. Windows are elsewhere.\n *\n * @since 0.1.0\n */\n", "")
    const { status, stderr } = house.run()
    assert.strictEqual(status, 1)
    assert.strictEqual(
      stderr,
      lines("src/Door.ts opens with no sentence on what it is for", "src/Door.ts opens without @since")
    )
  })

  it("says so when the sources do not compile, and leaves the pages alone", () => {
    const house = houseOf()
    assert.strictEqual(house.run().status, 0)
    house.write("src/Door.ts", "export const open: number = ''\n")
    const { status, stderr } = house.run()
    assert.strictEqual(status, 1)
    assert.include(stderr, "src/Door.ts(1,14)")
    assert.include(house.page("Door.md"), "Opens a door.")
  })
})
