/**
 * Measures the public face: how many modules and names there are, and what has two names.
 *
 * Every row is measured now, and fails where it exceeds its bound.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { declarationOf, emitDeclarations, exportsOf, namesOf, readModules } from "../tools/build/declarations.mjs"
import { structureRows } from "./structure.mjs"
import { publicSpecifiers, readManifest } from "../tools/build/package-map.mjs"

/** @typedef {import("../tools/build/declarations.mjs").Modules} Modules */
/** @typedef {{ readonly title: string, readonly measured: ReadonlyArray<number>, readonly bounds: ReadonlyArray<number> }} Row */

const root = fileURLToPath(new URL("../", import.meta.url))
const manifest = readManifest(root)
const temporary = mkdtempSync(join(tmpdir(), "doorman-census-"))

/** The interfaces that are the options: they have providers and callbacks, or extend one that has. @param {Modules} modules */
const optionInterfaces = (modules) => {
  const interfaces = [...modules].flatMap(([module, { declared, text }]) =>
    [...declared.values()]
      .flat()
      .filter(({ node }) => node.type === "TSInterfaceDeclaration")
      .map(({ name, node }) => ({ module, name, text: text.slice(node.start, node.end) }))
  )
  /** @type {Set<string>} */
  const found = new Set()
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const { module, name, text } of interfaces) {
      const base = /extends (?:Omit<\s*)?(\w+)/.exec(text.slice(0, text.indexOf("{")))?.[1]
      const place = base === undefined ? undefined : modules.get(module)?.imported.get(base)
      const isExtension = base !== undefined && found.has(declarationOf(modules, place ?? { module, name: base }))
      const isOptions = /^ {4}providers\??:/m.test(text) && /^ {4}callbacks\??:/m.test(text)
      if (isExtension || isOptions) found.add(`${module}#${name}`)
    }
  }
  return found
}

/** How many modules declare a name; the profiles of platforms are shapes of their own. @param {Modules} modules @param {string} name */
const definitionsOf = (modules, name) =>
  [...modules].filter(([module, { declared }]) => !module.startsWith("compat/providers/") && declared.has(name)).length

/** The tags of a union of errors in Errors.ts, and those that the signature names besides. @param {Modules} modules */
const signInTags = (modules) => {
  const http = modules.get("Http")?.text ?? ""
  const failure = /declare const signIn: .*?Effect\.Effect<void, ([^,]+),/.exec(http)?.[1]
  if (failure === undefined) throw new Error("Http.d.ts: the signature of signIn cannot be read")
  const errors = modules.get("Errors")?.text ?? ""
  return failure.split("|").flatMap((part) => {
    const union = new RegExp(`declare const ${part.trim()}: Schema\\.Union<readonly \\[([^\\]]*)\\]`).exec(errors)
    return union === null ? [part.trim()] : (union[1] ?? "").split(",")
  }).length
}

/** The number of types that the compiler instantiates for a program. @param {string} program */
const instantiationsOf = (program) => {
  writeFileSync(join(temporary, "application.mts"), program)
  const args = [join(root, "node_modules/typescript/bin/tsc"), "-p", temporary, "--singleThreaded"]
  const { stdout } = spawnSync(process.execPath, args, { cwd: temporary, encoding: "utf8" })
  if (stdout.includes("error TS")) throw new Error(`test/types/ThreeGroups.ts\n${stdout}`)
  return Number(/Instantiations: +(\d+)/.exec(stdout)?.[1])
}

/** The instantiations for the sign-in of `test/types/ThreeGroups.ts`: it is compiled with its sign-in, and without. */
const signInInstantiations = () => {
  const paths = { [`${manifest.name}/*`]: ["./declarations/*.d.ts"] }
  const compilerOptions = { noEmit: true, extendedDiagnostics: true, paths }
  const options = { extends: join(root, "tsconfig.base.json"), compilerOptions, files: ["application.mts"] }
  writeFileSync(join(temporary, "tsconfig.json"), JSON.stringify(options))
  symlinkSync(join(root, "node_modules"), join(temporary, "node_modules"))
  const program = readFileSync(join(root, "test/types/ThreeGroups.ts"), "utf8")
  const withoutSignIn = program.replaceAll(/^\/\/ sign-in\n[\s\S]*?\n\n|^.*\/\/ sign-in\n/gm, "")
  return instantiationsOf(program) - instantiationsOf(withoutSignIn)
}

/** @returns {ReadonlyArray<Row>} */
const measure = () => {
  const modules = readModules(emitDeclarations(root, join(temporary, "declarations")))
  const isCounted = (/** @type {string} */ module) => module !== "index" && !/^(compat|Provider)\//.test(module)
  const entries = [...new Set(publicSpecifiers(manifest, [...modules.keys()]).values())]
  const counted = entries.filter(isCounted)
  const names = entries.flatMap((module) =>
    [...namesOf(modules, module)].map(([name, { isDescribed }]) => ({ name: `${module}.${name}`, isDescribed }))
  )
  const undescribed = [
    ...entries.filter((module) => !readFileSync(join(root, "src", `${module}.ts`), "utf8").startsWith("/**")),
    ...names.filter(({ isDescribed }) => !isDescribed).map(({ name }) => name)
  ]
  if (undescribed.length > 0) console.error(`without a comment: ${undescribed.join(", ")}`)
  const options = optionInterfaces(modules)
  const faces = [...counted, "index"].flatMap((module) => [...exportsOf(modules, module)])
  return [
    {
      title: "public modules (without presets and compatibility), entries with null",
      measured: [counted.length, Object.values(manifest.exports).filter((target) => target === null).length],
      bounds: [34, 1]
    },
    {
      title: "exported values in them",
      measured: [
        counted.flatMap((module) => [...namesOf(modules, module).values()].filter(({ isValue }) => isValue)).length
      ],
      bounds: [260]
    },
    { title: "modules and exports without a comment", measured: [undescribed.length], bounds: [0] },
    {
      title: "names for the options, things called AuthConfig, called Auth",
      measured: [
        new Set(faces.filter(([, place]) => options.has(declarationOf(modules, place))).map(([name]) => name)).size,
        definitionsOf(modules, "AuthConfig"),
        definitionsOf(modules, "Auth")
      ],
      bounds: [3, 1, 1]
    },
    { title: "tags in the failure of Http.signIn", measured: [signInTags(modules)], bounds: [8] },
    {
      title: "definitions of Account, User, Session, Authenticator",
      measured: ["Account", "User", "Session", "Authenticator"].map((name) => definitionsOf(modules, name)),
      bounds: [1, 1, 1, 1]
    },
    { title: "instantiations for sign-in in three groups", measured: [signInInstantiations()], bounds: [40_000] }
  ]
}

try {
  const rows = [...measure(), ...structureRows(root.slice(0, -1))]
  let failures = 0
  for (const { bounds, measured, title } of rows) {
    const isExceeded = measured.some((value, index) => !(value <= (bounds[index] ?? 0)))
    if (isExceeded) failures++
    console.log(`${isExceeded ? "FAIL" : "ok  "} ${title}: ${measured.join(", ")} (at most ${bounds.join(", ")})`)
  }
  console.log(`census: ${rows.length} rows, ${failures} exceed their bound`)
  if (failures > 0) process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
