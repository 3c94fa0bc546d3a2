/**
 * Checks the package as users get it: packed, installed in an empty folder, and imported by every name. publint and
 * "are the types wrong" look at the exports; the programs that are run there are in test/fixtures/package.
 *
 * Expects dist to be built. The smoke test runs on this Node and on the machine's own one when that is Node 20.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { brokenLinks } from "./docs-check.mjs"
import { isFunctionEntry, publicSpecifiers, readManifest } from "../tools/build/package-map.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const manifest = readManifest(root)
const temporary = mkdtempSync(join(tmpdir(), "doorman-package-"))
let failures = 0

/** The permitted size of the package on disk. */
const most = { files: 890, bytes: 5_100_000 }

/** Most files of the package that a first answer may load: each takes time to be resolved and linked. */
const mostLoaded = { function: 12, application: 9 }

/**
 * Most bytes, minified and gzipped, that an application bundles for one entry beside its own `effect`. The entries share files with
 * the engine, which bundlers have to leave out.
 */
const mostBundled = {
  Keyring: 500,
  Session: 13_100,
  Sql: 33_900,
  Telemetry: 3700,
  "mail/Smtp": 5700,
  jwt: 9950
}

/** The permitted files of the package. */
const expected =
  /^((package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE|llms\.txt)|dist\/.+\.(js|d\.ts)|docs\/.+\.md|docs\/images\/.+\.png|examples\/.+(\.tsx?|package\.json))$/

/** @param {string} title @param {ReadonlyArray<string>} problems */
const report = (title, problems) => {
  console.log(`${problems.length === 0 ? "ok  " : "FAIL"} ${title}`)
  for (const problem of problems) console.error(problem.replace(/^/gm, "     "))
  if (problems.length > 0) failures++
}

/** @param {string} command @param {ReadonlyArray<string>} args @param {string} [cwd] */
const run = (command, args, cwd = root) => {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" }
  const { error, status, stderr, stdout } = spawnSync(command, [...args], { cwd, encoding: "utf8", env })
  return { ok: status === 0, stdout: stdout ?? "", output: `${error ?? ""}${stdout ?? ""}${stderr ?? ""}`.trim() }
}

/** @param {string} title @param {string} command @param {ReadonlyArray<string>} args @param {string} [cwd] */
const expect = (title, command, args, cwd) => {
  const { ok, output } = run(command, args, cwd)
  report(title, ok ? [] : [output])
  return ok
}

/** @typedef {{ readonly filename: string, readonly unpackedSize: number, readonly files: ReadonlyArray<{ readonly path: string }> }} Packed */

/** @param {string} folder @returns {{ readonly tarball: string, readonly bytes: number, readonly files: ReadonlyArray<string> }} */
const pack = (folder) => {
  const args = ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", temporary, folder]
  const { ok, output, stdout } = run("npm", args)
  if (!ok) throw new Error(`npm pack ${folder}\n${output}`)
  /** @type {Packed} */
  const { filename, files, unpackedSize } = JSON.parse(stdout)[0]
  return { tarball: join(temporary, filename), bytes: unpackedSize, files: files.map(({ path }) => path).sort() }
}

/** @param {ReadonlyArray<string>} files @param {number} bytes */
const checkContents = (files, bytes) => {
  report(`at most ${most.files} files and ${most.bytes} bytes`, [
    ...(files.length > most.files ? [`there are ${files.length} files`] : []),
    ...(bytes > most.bytes ? [`unpacked they have ${bytes} bytes`] : [])
  ])
  report("contents of the tarball", [
    ...files.filter((file) => !expected.test(file)).map((file) => `${file} does not belong in the package`),
    ...["LICENSE", "llms.txt"].filter((file) => !files.includes(file)).map((file) => `${file} is missing`)
  ])
  /** @param {string} path */
  const load = (path) => {
    const within = files.some((file) => file === path || file.startsWith(`${path}/`))
    return within ? (files.includes(path) ? readFileSync(join(root, path), "utf8") : "") : undefined
  }
  report(
    "links lead to files of the package",
    files
      .filter((file) => /\.(md|txt)$/.test(file))
      .flatMap((file) => brokenLinks(file, readFileSync(join(root, file), "utf8"), load))
      .map(({ file, line, message }) => `${file}:${line} ${message}`)
  )
}

/** The Node of the machine, outside node_modules, when it is a Node 20 that the package supports. */
const findNode20 = () =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .map((folder) => join(folder, "node"))
    .find((path) => {
      const [, major, minor] = (existsSync(path) && /^v(\d+)\.(\d+)/.exec(run(path, ["--version"]).stdout)) || []
      return major === "20" && Number(minor) >= 19
    })

/**
 * Installs packages in an empty folder, with an application of what it imports.
 *
 * @param {string} name
 * @param {ReadonlyArray<string>} packages
 * @param {ReadonlyArray<string>} specifiers
 */
const install = (name, packages, specifiers) => {
  const app = join(temporary, name)
  mkdirSync(app)
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }))
  for (const file of ["functions.mjs", "application.mjs", "sign-in.mjs", "trace.mjs", "smoke.mjs", "app.ts"])
    copyFileSync(join(root, "test/fixtures/package", file), join(app, file))
  writeFileSync(join(app, "all.ts"), specifiers.map((specifier) => `import "${specifier}"\n`).join(""))
  const args = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...packages]
  return expect(`installs in an empty folder: ${name}`, "npm", args, app) ? app : undefined
}

/** @param {string} app @param {ReadonlyArray<string>} specifiers */
const smoke = (app, specifiers) => {
  const title = `imports ${specifiers.length} modules, and both faces work together`
  const args = ["--disable-warning=ExperimentalWarning", "smoke.mjs", ...specifiers]
  expect(`${title}, on Node ${process.versions.node}`, process.execPath, args, app)
  const node20 = findNode20()
  if (node20 !== undefined) expect(`${title}, on Node 20`, node20, ["smoke.mjs", ...specifiers], app)
  else if (process.env["CI"] === "true" && process.env["DOORMAN_NODE20"] !== "skip")
    report(`${title}, on Node 20`, [
      "no Node 20 (20.19 or newer) on the PATH; DOORMAN_NODE20=skip says that this is intended"
    ])
  else console.log("skipped: no Node 20 (20.19 or newer) on the PATH, so the package was imported on one Node only")
}

/**
 * Compiles an application against the published declarations.
 *
 * @param {string} app
 * @param {string} title
 * @param {ReadonlyArray<string>} options
 */
const checkTypes = (app, title, options) => {
  const common = "--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022".split(" ")
  const globals = {
    Node: ["--lib", "es2023", "--typeRoots", join(root, "node_modules/@types"), "--types", "node"],
    browsers: ["--lib", "es2023,dom,dom.iterable", "--types", ""]
  }
  for (const [name, own] of Object.entries(globals)) {
    const files = name === "Node" ? ["app.ts", "all.ts"] : ["app.ts"]
    const args = [join(root, "node_modules/typescript/bin/tsc"), ...common, ...options, ...own, ...files]
    expect(`declarations compile ${title} with the globals of ${name}`, process.execPath, args, app)
  }
}

/**
 * The same in CommonJS, with a compiler from before `Uint8Array<ArrayBuffer>` that finds modules by `typesVersions`: the one that
 * "are the types wrong" brings.
 *
 * @param {string} app
 */
const checkOlderTypes = (app) => {
  const { resolve } = createRequire(join(root, "node_modules/@arethetypeswrong/core/package.json"))
  const options = "--noEmit --strict --skipLibCheck --module commonjs --moduleResolution node10 --target es2022".split(
    " "
  )
  const globals = ["--lib", "es2023", "--typeRoots", join(root, "node_modules/@types"), "--types", "node"]
  const args = [resolve("typescript/bin/tsc"), ...options, ...globals, "app.ts"]
  expect("declarations compile with TypeScript 5.6, as CommonJS by typesVersions", process.execPath, args, app)
}

/** @param {string} folder @param {string} entry @param {number} limit */
const checkBundle = async (folder, entry, limit) => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${manifest.name}/${entry}"`, resolveDir: folder },
    external: ["effect", "nodemailer"],
    bundle: true,
    format: "esm",
    minify: true,
    platform: "node",
    write: false
  })
  const [file] = outputFiles
  const length = file === undefined ? 0 : gzipSync(file.contents, { level: 9 }).length
  const problems = length === 0 || length > limit ? [`there are ${length}`] : []
  report(`an application that bundles ${entry} gets at most ${limit} bytes of gzip`, problems)
}

try {
  const bin = (/** @type {string} */ name) => join(root, "node_modules/.bin", name)
  const { bytes, files, tarball } = pack(root)
  const dependencies = ["jose", "oauth4webapi"].map((name) => pack(join(root, "node_modules", name)))
  const alone = [tarball, ...dependencies.map((dependency) => dependency.tarball)]
  checkContents(files, bytes)
  expect("publint", bin("publint"), ["run", "--strict"])
  expect("are the types wrong", bin("attw"), [tarball, "--profile", "esm-only", "--no-emoji", "--no-color"])
  const modules = files.flatMap((file) => /^dist\/(.+)\.js$/.exec(file)?.[1] ?? [])
  const entries = [...publicSpecifiers(manifest, modules)]
  const functions = entries.filter(([, module]) => isFunctionEntry(module)).map(([specifier]) => specifier)
  const server = install("without effect", alone, functions)
  if (server !== undefined) {
    expect(
      `imports ${functions.length} modules without effect, and answers with at most ${mostLoaded.function} files, and signs in without jose`,
      process.execPath,
      ["functions.mjs", String(mostLoaded.function), ...functions],
      server
    )
    checkTypes(server, "without effect, and are checked themselves,", [])
    checkOlderTypes(server)
    expect("stack traces name functions", process.execPath, ["trace.mjs"], server)
  }
  const specifiers = entries.map(([specifier]) => specifier)
  const app = install("with effect", [...alone, pack(join(root, "node_modules/effect")).tarball], specifiers)
  if (app !== undefined) {
    smoke(app, specifiers)
    expect(
      `an Effect application answers with at most ${mostLoaded.application} files of the package, and signs in without jose`,
      process.execPath,
      ["application.mjs", String(mostLoaded.application)],
      app
    )
    for (const [entry, limit] of Object.entries(mostBundled)) await checkBundle(app, entry, limit)
    checkTypes(app, "with effect", ["--skipLibCheck"])
  }
  console.log(`package: ${files.length} files, ${bytes} bytes, ${failures} failures`)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
if (failures > 0) process.exitCode = 1
