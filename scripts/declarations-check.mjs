/**
 * Checks that an application can write its types down: what it exports compiles with `declaration: true`, in the folders that
 * npm makes and in those that pnpm makes, where a package sees its own dependencies alone.
 *
 * The application has every exported value of every entry, the result of every exported function, every example of the
 * documentation with its top-level names exported, and the examples. Afterwards each export gets the type that the compiler
 * wrote for it, and the same application compiles with `isolatedDeclarations: true`.
 *
 * Expects dist to be built.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, posix, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"
import { fencesOf } from "./docs-check.mjs"
import {
  childAt,
  childrenAt,
  declarationOf,
  exportsOf,
  nameOf,
  namesOf,
  readModules
} from "../tools/build/declarations.mjs"
import { listFiles, publicSpecifiers, readManifest } from "../tools/build/package-map.mjs"

/** @typedef {import("../tools/build/declarations.mjs").Node} Node */

const root = fileURLToPath(new URL("../", import.meta.url))
const manifest = readManifest(root)
/** @type {{ readonly typesVersions: { readonly "*": Readonly<Record<string, ReadonlyArray<string>>> } }} */
const { typesVersions } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** The dependencies of the application; npm adds those of the dependencies. */
const direct = [
  manifest.name,
  "effect",
  "@types/node",
  "@effect/platform-node",
  "@effect/sql-pg",
  "@effect/vitest",
  "@types/express",
  "@types/nodemailer",
  "express",
  "hono",
  "@hono/node-server",
  "@auth/pg-adapter",
  "@auth/unstorage-adapter",
  "unstorage",
  "playwright-core",
  "redis",
  "vitest"
]

/** @param {string} name */
const folderOf = (name) => (name === manifest.name ? root : join(root, "node_modules", name))

/** The installed packages that a package asks for. @param {string} name @returns {ReadonlyArray<string>} */
const dependenciesOf = (name) => {
  /** @type {import("../tools/tests/packed.mjs").Manifest} */
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(folderOf(name), "package.json"), "utf8")
  )
  return Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (other) =>
      existsSync(join(folderOf(other), "package.json")) &&
      (name === manifest.name || peerDependenciesMeta?.[other]?.optional !== true)
  )
}

/** @type {Map<string, ReadonlyArray<string>>} */
const packages = new Map()
for (const ahead = [...direct]; ahead.length > 0;) {
  const name = ahead.pop() ?? ""
  if (packages.has(name)) continue
  packages.set(name, dependenciesOf(name))
  ahead.push(...(packages.get(name) ?? []))
}

/** Copies the declarations of a package. @param {string} name @param {string} target */
const copy = (name, target) => {
  const source = folderOf(name)
  mkdirSync(target, { recursive: true })
  for (const part of name === manifest.name ? ["package.json", "dist"] : ["."])
    cpSync(join(source, part), join(target, part), {
      recursive: true,
      filter: (path) =>
        !relative(source, path).split("/").includes("node_modules") &&
        (/\.d\.[cm]?ts$|^package\.json$/.test(basename(path)) || !/\.\w+$/.test(basename(path)))
    })
}

/** @type {Readonly<Record<string, (app: string) => void>>} */
const layouts = {
  npm: (app) => {
    for (const name of packages.keys()) copy(name, join(app, "node_modules", name))
  },
  pnpm: (app) => {
    const modules = join(app, "node_modules")
    const home = (/** @type {string} */ name) =>
      join(modules, ".pnpm", `${name.replace("/", "+")}@0.0.0`, "node_modules")
    const link = (/** @type {string} */ name, /** @type {string} */ place) => {
      if (existsSync(join(place, name))) return
      mkdirSync(dirname(join(place, name)), { recursive: true })
      symlinkSync(join(home(name), name), join(place, name))
    }
    for (const name of packages.keys()) copy(name, join(home(name), name))
    for (const [name, others] of packages) for (const other of others) link(other, home(name))
    for (const name of direct) link(name, modules)
  }
}

/** A text with `export` before every constant, function and class at its top. @param {string} text */
const withExports = (text) => {
  let result = text
  for (const { kind, start, type } of /** @type {ReadonlyArray<Node>} */ (
    /** @type {unknown} */ (parseSync("example.ts", text).program.body)
  ).toReversed())
    if (kind === "const" || type === "ClassDeclaration" || type === "FunctionDeclaration")
      result = `${result.slice(0, start)}export ${result.slice(start)}`
  return result
}

/** The result of a function, awaited, or the shape of a service; else `undefined`. */
const helpers = `import type * as Context from "effect/Context"
export declare function inside<Service>(key: Context.Key<any, Service>): Service
export declare function inside<Answer>(call: (...params: never) => Promise<Answer>): Answer
export declare function inside<Answer>(call: (...params: never) => Answer): Answer
export declare function inside(value: unknown): undefined
`

/** The names of the members of a class or an interface. @param {Node} node @param {boolean} isStatic @returns {ReadonlyArray<string>} */
const membersOf = (node, isStatic) =>
  childrenAt(childAt(node, "body") ?? node, "body").flatMap((member) => {
    const name = member["computed"] === true ? "" : nameOf(childAt(member, "key"))
    return (member["static"] === true) === isStatic && /^\w+$/.test(name) ? [name] : []
  })

/**
 * Every value of an entry with the static members of its classes, and every member of its interfaces; for each of them also what is inside of it.
 *
 * @param {string} specifier
 * @param {import("../tools/build/declarations.mjs").Modules} modules
 * @param {string} module
 */
const entryOf = (specifier, modules, module) => {
  const lines = [`import * as Entry from "${specifier}"`, 'import { inside } from "#helpers"']
  /** @param {string} name @param {string} path */
  const add = (name, path) =>
    lines.push(`export const ${name}_value = ${path}`, `export const ${name}_inside = inside(${path})`)
  for (const [name, { isValue, nodes }] of namesOf(modules, module)) {
    if (isValue) {
      add(name, `Entry.${name}`)
      for (const node of nodes)
        if (node.type === "ClassDeclaration")
          for (const member of membersOf(node, true)) add(`${name}_${member}`, `Entry.${name}.${member}`)
    } else
      for (const node of nodes) {
        // `Shapes` has functions of Effect's Schema, whose types Effect does not export.
        if (node.type !== "TSInterfaceDeclaration" || name === "Shapes") continue
        const parameters = childrenAt(childAt(node, "typeParameters") ?? node, "params").map(() => "any")
        lines.push(
          `declare const ${name}_it: Entry.${name}${parameters.length > 0 ? `<${parameters.join(", ")}>` : ""}`
        )
        for (const member of membersOf(node, false)) add(`${name}_${member}`, `${name}_it.${member}`)
      }
  }
  return lines.join("\n") + "\n"
}

const modules = readModules(
  new Map(
    listFiles(join(root, "dist"))
      .filter((file) => file.endsWith(".d.ts") && file !== "effect.d.ts")
      .map((file) => [file.replace(/\.d\.ts$/, ""), readFileSync(join(root, "dist", file), "utf8")])
  )
)
const entries = publicSpecifiers(manifest, [...modules.keys()])

/** The files of the application. @returns {ReadonlyMap<string, string>} */
const application = () => {
  /** @type {Map<string, string>} */
  const files = new Map()
  files.set("helpers.ts", helpers)
  for (const [specifier, module] of entries) files.set(`entries/${module}.ts`, entryOf(specifier, modules, module))
  const pages = ["README.md", ...listFiles(join(root, "docs")).map((name) => `docs/${name}`)].filter((name) =>
    name.endsWith(".md")
  )
  for (const page of pages)
    for (const { line, lines } of fencesOf(page, readFileSync(join(root, page), "utf8").split("\n")))
      files.set(`pages/${page}-${line}.ts`, withExports(lines.join("\n") + "\n"))
  const examples = listFiles(join(root, "examples")).filter(
    (name) => name.endsWith(".ts") && !/^(frameworks|nextjs)\//.test(name)
  )
  for (const name of examples)
    files.set(`examples/${name}`, withExports(readFileSync(join(root, "examples", name), "utf8")))
  return files
}

/** The declaration of a name at the top of a file, without `export`. @param {ReadonlyArray<Node>} body */
const declaredIn = (body) =>
  new Map(
    body
      .map((statement) => childAt(statement, "declaration") ?? statement)
      .flatMap((node) => (node.type === "VariableDeclaration" ? childrenAt(node, "declarations") : [node]))
      .filter(({ type }) => !["TSInterfaceDeclaration", "TSTypeAliasDeclaration"].includes(type))
      .map((node) => [nameOf(childAt(node, "id")), node])
  )

/** @param {string} file @param {string} text @returns {ReadonlyArray<Node>} */
const statementsOf = (file, text) => /** @type {ReadonlyArray<any>} */ (parseSync(file, text).program.body)

/**
 * A source with the types that the compiler wrote for its exports.
 *
 * @param {string} text
 * @param {string} declarations
 */
const annotated = (text, declarations) => {
  const written = declaredIn(statementsOf("app.d.ts", declarations))
  /** @type {Array<readonly [place: number, text: string, until?: number]>} */
  const edits = []
  /** @param {Node | undefined} node @param {string} key */
  const textOf = (node, key) => {
    const annotation = node === undefined ? undefined : childAt(node, key)
    return annotation === undefined ? undefined : declarations.slice(annotation.start, annotation.end)
  }
  /** @param {Node} node @param {Node | undefined} type */
  const annotate = (node, type) => {
    const id = childAt(node, "id") ?? childAt(node, "key")
    if (
      id === undefined ||
      childAt(node, "typeAnnotation") !== undefined ||
      childAt(id, "typeAnnotation") !== undefined
    )
      return
    const value = childAt(node, "init")
    const path = value === undefined ? "" : text.slice(value.start, value.end)
    const written = textOf(type, "typeAnnotation") ?? textOf(childAt(type ?? node, "id"), "typeAnnotation") ?? ""
    // The compiler does not compare some generic functions with their own types.
    edits.push([id.end, /^Entry[.\w]+$/.test(path) ? `: typeof ${path}` : written])
  }
  for (const statement of statementsOf("app.ts", text)) {
    const node = statement.type === "ExportNamedDeclaration" ? childAt(statement, "declaration") : undefined
    if (node === undefined) continue
    for (const declarator of childrenAt(node, "declarations")) {
      const id = childAt(declarator, "id")
      // Members of a pattern have no place for a type.
      if (id?.type !== "Identifier") edits.push([statement.start, "", node.start])
      else annotate(declarator, written.get(nameOf(id)))
    }
    const name = nameOf(childAt(node, "id"))
    if (node.type === "FunctionDeclaration" && childAt(node, "returnType") === undefined) {
      const body = childAt(node, "body")
      if (body !== undefined) edits.push([body.start, `${textOf(written.get(name), "returnType") ?? ""} `])
    }
    const base = childAt(node, "superClass")
    if (node.type !== "ClassDeclaration") continue
    const baseType = textOf(childAt(written.get(`${name}_base`) ?? node, "id"), "typeAnnotation")
    if (base !== undefined && baseType !== undefined) {
      edits.push([statement.start, `const ${name}_base${baseType} = ${text.slice(base.start, base.end)}\n`])
      edits.push([base.start, `${name}_base`, base.end])
    }
    const members = new Map(
      childrenAt(childAt(written.get(name) ?? node, "body") ?? node, "body").map((member) => [
        nameOf(childAt(member, "key")),
        member
      ])
    )
    for (const member of childrenAt(childAt(node, "body") ?? node, "body"))
      if (member.type === "PropertyDefinition") annotate(member, members.get(nameOf(childAt(member, "key"))))
  }
  let result = text
  for (const [start, change, end = start] of edits.toSorted(([a], [b]) => b - a))
    result = result.slice(0, start) + change + result.slice(end)
  return result
}

/** The modules of this package that a text imports, as paths below dist. @param {string} module @param {string} text */
const importsOf = (module, text) =>
  [...text.matchAll(/(?:from |import\(|import )"([^"]+)"/g)].flatMap(([, specifier = ""]) =>
    specifier.startsWith(".")
      ? [posix.join(posix.dirname(module), specifier).replace(/\.ts$/, "")]
      : (entries.get(specifier) ?? [])
  )

/**
 * The types of a declaration that no entry which the file loads exports: without the other files of this application the
 * compiler would not find a name for them.
 *
 * @param {string} text
 * @param {string} declarations
 */
const unnamed = (text, declarations) => {
  /** @type {Set<string>} */
  const loaded = new Set()
  for (const ahead = importsOf("", text); ahead.length > 0;) {
    const module = ahead.pop() ?? ""
    if (loaded.has(module)) continue
    loaded.add(module)
    ahead.push(...importsOf(module, modules.get(module)?.text ?? ""))
  }
  const named = new Set(
    [...new Set(entries.values())]
      .filter((module) => loaded.has(module))
      .flatMap((module) => [...exportsOf(modules, module).values()].map((place) => declarationOf(modules, place)))
  )
  return [...declarations.matchAll(/import\("([^"]+)"\)\.(\w+)/g)].flatMap(([text, specifier = "", name = ""]) => {
    const module = entries.get(specifier)
    return module === undefined || named.has(declarationOf(modules, { module, name })) ? [] : [text]
  })
}

const options = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: ".",
  outDir: "declarations",
  types: ["node"]
}

/** @param {string} app @param {ReadonlyMap<string, string>} files @param {object} more */
const compile = (app, files, more) => {
  writeFileSync(
    join(app, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...options, ...more }, files: [...files.keys()] })
  )
  for (const [name, text] of files) {
    mkdirSync(dirname(join(app, name)), { recursive: true })
    writeFileSync(join(app, name), text)
  }
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", app, "--pretty", "false"], { cwd: app, encoding: "utf8" })
  return stdout.split("\n").filter((line) => /error TS/.test(line))
}

const temporary = mkdtempSync(join(tmpdir(), "doorman-declarations-"))
let failures = 0
/** @param {string} title @param {ReadonlyArray<string>} faults */
const report = (title, faults) => {
  console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${title}`)
  for (const fault of faults) console.error(`     ${fault}`)
  failures += faults.length
}
try {
  const files = application()
  const named = Object.keys(typesVersions["*"])
  report(
    "typesVersions names every entry in lower case, for node10 resolution",
    Object.keys(manifest.exports)
      .map((key) => key.slice(2))
      .filter((key) => /^[a-z]/.test(key) && key !== "package.json" && !named.includes(key))
  )
  for (const [layout, install] of Object.entries(layouts)) {
    const app = join(temporary, layout)
    install(app)
    writeFileSync(
      join(app, "package.json"),
      JSON.stringify({ name: "app", private: true, type: "module", imports: { "#helpers": "./helpers.ts" } })
    )
    report(`exports of ${files.size} files compile with declarations, as ${layout} installs`, compile(app, files, {}))
    /** @type {Map<string, string>} */
    const written = new Map()
    /** @type {Array<string>} */
    const others = []
    for (const [name, text] of files) {
      const path = join(app, "declarations", name.replace(/\.ts$/, ".d.ts"))
      const declarations = existsSync(path) ? readFileSync(path, "utf8") : ""
      written.set(name, annotated(text, declarations))
      others.push(...unnamed(text, declarations).map((type) => `${name}: no entry that it loads exports ${type}`))
    }
    report(`each file loads an entry with the types that its declarations name, as ${layout} installs`, [
      ...new Set(others)
    ])
    report(
      `and with isolatedDeclarations, as ${layout} installs`,
      compile(app, written, { isolatedDeclarations: true })
    )
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
if (failures > 0) process.exitCode = 1
