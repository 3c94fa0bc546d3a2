/**
 * Checks the package as users get it: packed, installed in an empty folder, and imported by every name.
 *
 * Expects dist to be built. The smoke test runs on this Node and on the machine's own one when that is Node 20.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brokenLinks } from "./docs-check.mjs"
import { isFunctionEntry, listFiles, publicSpecifiers, readManifest } from "./package-map.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const manifest = readManifest(root)
const temporary = mkdtempSync(join(tmpdir(), "doorman-package-"))
let failures = 0

/** @param {string} title @param {ReadonlyArray<string>} problems */
const report = (title, problems) => {
  console.log(`${problems.length === 0 ? "ok  " : "FAIL"} ${title}`)
  for (const problem of problems) console.error(problem.replace(/^/gm, "     "))
  if (problems.length > 0) failures++
}

/** @param {string} command @param {ReadonlyArray<string>} args @param {string} [cwd] */
const run = (command, args, cwd = root) => {
  const { error, status, stderr, stdout } = spawnSync(command, [...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" }
  })
  return { ok: status === 0, stdout: stdout ?? "", output: `${error ?? ""}${stdout ?? ""}${stderr ?? ""}`.trim() }
}

/** @param {string} title @param {string} command @param {ReadonlyArray<string>} args @param {string} [cwd] */
const expect = (title, command, args, cwd) => {
  const { ok, output } = run(command, args, cwd)
  report(title, ok ? [] : [output])
  return ok
}

/** The built files that can be imported, without their ending. @param {ReadonlyArray<string>} modules */
const doors = (modules) => [...new Set(publicSpecifiers(manifest, modules).values())].map((module) => `dist/${module}`)

/** What a package may weigh on the disk of those who install it. */
const most = { files: 900, bytes: 5_000_000 }

/** @param {ReadonlyArray<string>} files @param {number} bytes */
const checkContents = (files, bytes) => {
  const expected =
    /^((package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE|llms\.txt)|dist\/.+\.(js|d\.ts)|dist\/internal\/plain\/\w+\.js\.map|docs\/.+\.md|docs\/images\/.+\.png|examples\/.+(\.tsx?|package\.json))$/
  const modules = listFiles(join(root, "src"))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replace(/\.ts$/, ""))
  report(`at most ${most.files} files and ${most.bytes} bytes`, [
    ...(files.length > most.files ? [`there are ${files.length} files`] : []),
    ...(bytes > most.bytes ? [`unpacked they have ${bytes} bytes`] : [])
  ])
  report("contents of the tarball", [
    ...files.filter((file) => !expected.test(file)).map((file) => `${file} does not belong in the package`),
    ...["package.json", "LICENSE", "llms.txt", ...doors(modules).flatMap((door) => [`${door}.js`, `${door}.d.ts`])]
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing`)
  ])
  /** @param {string} path */
  const load = (path) => {
    const within = files.some((file) => file === path || file.startsWith(`${path}/`))
    if (!within) return undefined
    return files.includes(path) ? readFileSync(join(root, path), "utf8") : ""
  }
  report(
    "links lead to files of the package",
    files
      .filter((file) => /\.(md|txt)$/.test(file))
      .flatMap((file) => brokenLinks(file, readFileSync(join(root, file), "utf8"), load))
      .map(({ file, line, message }) => `${file}:${line} ${message}`)
  )
  const targets = new Set(publicSpecifiers(manifest, modules).values())
  // A module of a private folder may have a door of its own, by its whole name.
  const named = new Set(Object.keys(manifest.exports).map((key) => key.replace("./", "")))
  const exposed = [...targets].filter(
    (module) => module.includes("/") && !/^(Provider|compat)\//.test(module) && !named.has(module)
  )
  report(
    "no private folder has a door",
    exposed.map((module) => `src/${module}.ts can be imported: its folder needs a null in the exports of package.json`)
  )
  report("every door has a name", [
    ...modules
      // In compat, doors have the names that programs import, in lower case; what they share has a name of its own.
      .filter((module) => /^compat\/(providers\/)?[a-z0-9-]+$/.test(module) && !targets.has(module))
      .map((module) => `src/${module}.ts is in no export`),
    ...[...targets]
      .filter((module) => !modules.includes(module))
      .map((module) => `an export leads to src/${module}.ts, which does not exist`)
  ])
}

/** The Node of the machine, outside node_modules, when it is a Node 20 that the package supports. */
const findNode20 = () => {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "node")
    if (folder.includes("node_modules") || !existsSync(path)) continue
    const version = run(path, ["--version"]).stdout.trim()
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? []
    if (major === "20" && Number(minor) >= 19) return path
  }
  return undefined
}

/**
 * The engine behind `Auth` brings its own Effect: it runs Effects of the application's copy, knows failures of the Effect
 * entries, and refuses by its name a secret that only the application's copy can open.
 */
const facesTogether = `
     const [Clock, Effect, Fiber, Redacted] = await Promise.all(
       ["Clock", "Effect", "Fiber", "Redacted"].map((name) => import("effect/" + name))
     )
     const Errors = await import("${manifest.name}/Errors")
     const Thrown = await import("${manifest.name}/errors")
     const { default: Credentials } = await import("${manifest.name}/providers/credentials")
     const { skipCSRFCheck } = await import("${manifest.name}")
     const told = []
     const logger = { error: (error) => told.push(error.message), warn: (...line) => told.push(String(line)), debug: () => {} }
     const common = { trustHost: true, secret: "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz", skipCSRFCheck, logger }
     const signIn = async (authorize) => {
       const url = "https://app.example/auth/callback/credentials"
       const config = { ...common, providers: [Credentials({ credentials: { name: {} }, authorize })] }
       const { headers } = await Auth(new Request(url, { method: "POST", body: new URLSearchParams({ name: "ada" }) }), config)
       return headers.getSetCookie().some((cookie) => cookie.includes("session-token")) ? "signed in" : headers.get("location")
     }
     const ada = { id: "1", name: "Ada" }
     let released = 0
     for (const answer of [
       () => Effect.succeed(ada),
       () => Effect.promise(() => Promise.resolve(ada)),
       () => Effect.gen(function* () {
         const before = yield* Clock.currentTimeMillis
         yield* Effect.sleep(20)
         return (yield* Clock.currentTimeMillis) > before ? ada : null
       }),
       () => Effect.flatMap(Effect.forkChild(Effect.delay(Effect.succeed(ada), 5)), Fiber.join),
       () => Effect.scoped(Effect.as(Effect.acquireRelease(Effect.void, () => Effect.sync(() => released++)), ada)),
       () => Effect.as(Effect.timeoutOption(Effect.onInterrupt(Effect.never, () => Effect.sync(() => released++)), 10), ada),
       () => Effect.as(Effect.logError("of the application"), ada)
     ]) assert.equal(await signIn(answer), "signed in", String(answer))
     assert.equal(released, 2, "what was acquired is released and what was interrupted is told")
     assert.ok(told.some((line) => line.includes("of the application")), "the log of the application")
     for (const Failure of [Errors.CredentialsSignin, Thrown.CredentialsSignin]) {
       assert.match(await signIn(() => Effect.fail(new Failure({}))), /error=CredentialsSignin/)
     }
     assert.ok(new Errors.AccessDenied({}) instanceof Thrown.AccessDenied)
     const closed = { ...common, providers: [], secret: Redacted.make(common.secret) }
     assert.equal((await Auth(new Request("https://app.example/auth/providers"), closed)).status, 500)
     assert.match(told.at(-1), /secret: Expected string/)
`

/** Installs packages in an empty folder. @param {string} title @param {string} app @param {ReadonlyArray<string>} packages */
const installs = (title, app, packages) => {
  mkdirSync(app)
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }))
  return expect(title, "npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], app)
}

/** Most files that the first answer of the function entry may load: each takes time to be resolved and linked. */
const mostLoaded = 12

/**
 * An ordinary server installs this package alone: every entry of the function face loads without `effect`, and the first answer
 * loads few files.
 *
 * @param {ReadonlyArray<string>} packages
 */
const checkFunctions = (packages) => {
  const app = join(temporary, "functions")
  if (!installs("installs without effect", app, packages)) return
  const modules = listFiles(join(app, "node_modules", manifest.name, "dist"))
    .filter((file) => file.endsWith(".js"))
    .map((file) => file.slice(0, -3))
  const entries = [...publicSpecifiers(manifest, modules)].filter(([, module]) => isFunctionEntry(module))
  writeFileSync(
    join(app, "functions.mjs"),
    `import assert from "node:assert"
     import { registerHooks } from "node:module"
     const loaded = []
     registerHooks({ load: (url, context, next) => (url.startsWith("file:") && loaded.push(url), next(url, context)) })
     await assert.rejects(import("effect/Effect"), { code: "ERR_MODULE_NOT_FOUND" })
     const { Auth } = await import("${manifest.name}")
     const { default: GitHub } = await import("${manifest.name}/providers/github")
     const response = await Auth(new Request("https://app.example/auth/session"), {
       providers: [GitHub({ clientId: "id", clientSecret: "secret" })], trustHost: true,
       secret: "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
     })
     assert.equal(await response.text(), "null")
     assert.ok(loaded.length <= ${mostLoaded}, loaded.length + " files: " + loaded.join(" "))
     for (const specifier of ${JSON.stringify(entries.map(([specifier]) => specifier))}) await import(specifier)
`
  )
  expect(
    `imports ${entries.length} modules without effect, and answers with at most ${mostLoaded} files`,
    process.execPath,
    ["functions.mjs"],
    app
  )
}

/** With source maps, a stack trace of the function entry leads to lines of the sources; without, it names the functions. */
const checkStackTraces = () => {
  writeFileSync(
    join(temporary, "functions", "trace.mjs"),
    `import assert from "node:assert"
     import { Auth } from "${manifest.name}"
     const options = { get providers() { throw new Error("no providers") } }
     const { stack } = await Auth(new Request("https://app.example/auth/session"), options).catch((error) => error)
     assert.match(stack, process.argv.includes("maps") ? /src\\/server\\/Instance\\.ts:\\d+/ : /at membersOf\\d*.*engine\\.js:\\d+/)
`
  )
  const cwd = join(temporary, "functions")
  expect("stack traces name functions", process.execPath, ["trace.mjs"], cwd)
  expect("stack traces lead to sources", process.execPath, ["--enable-source-maps", "trace.mjs", "maps"], cwd)
}

/** @param {ReadonlyArray<string>} files */
const smokeTest = (files) => {
  const tarballOf = (/** @type {string} */ folder) => {
    const { ok, output, stdout } = run("npm", [
      "pack",
      "--silent",
      "--ignore-scripts",
      "--pack-destination",
      temporary,
      folder
    ])
    if (!ok) report(`npm pack ${folder}`, [output])
    return join(temporary, stdout.trim().split("\n").at(-1) ?? "")
  }
  const own = [root, ...["@noble/hashes", "jose", "oauth4webapi"].map((name) => join(root, "node_modules", name))].map(
    tarballOf
  )
  const packed = [...own, tarballOf(join(root, "node_modules/effect"))]
  checkFunctions(own)
  checkStackTraces()
  const app = join(temporary, "app")
  const modules = files
    .filter((file) => file.startsWith("dist/") && file.endsWith(".js"))
    .map((file) => file.slice(5, -3))
  const specifiers = [...publicSpecifiers(manifest, modules).keys()]
  if (!installs("installs in an empty folder", app, packed)) return
  writeFileSync(
    join(app, "smoke.mjs"),
    `import assert from "node:assert"
     for (const specifier of ${JSON.stringify(specifiers)}) {
       const module = await import(specifier)
       assert.equal(typeof module, "object", specifier)
     }
     const { Auth, getToken } = await import("${manifest.name}")
     assert.equal(typeof Auth, "function")
     assert.equal(typeof getToken, "function")
     await assert.rejects(import("${manifest.name}/internal/anything"), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" })
     const response = await Auth(new Request("https://app.example/auth/session"), {
       providers: [], trustHost: true, secret: "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
     })
     assert.equal(response.status, 200)
     assert.equal(await response.text(), "null")
     ${facesTogether}
     const { createRequire } = await import("node:module")
     assert.equal(typeof createRequire(import.meta.url)("${manifest.name}").Auth, "function")
`
  )
  expect(
    `imports ${specifiers.length} modules on Node ${process.versions.node}`,
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "smoke.mjs"],
    app
  )
  const node20 = findNode20()
  if (node20 !== undefined) {
    expect(
      `imports ${specifiers.length} modules on Node ${run(node20, ["--version"]).stdout.trim().slice(1)}`,
      node20,
      ["smoke.mjs"],
      app
    )
  } else if (process.env["CI"] === "true" && process.env["DOORMAN_NODE20"] !== "skip") {
    report("imports on Node 20", [
      "no Node 20 (20.19 or newer) on the PATH; DOORMAN_NODE20=skip says that this is intended"
    ])
  } else {
    console.log("skipped: no Node 20 (20.19 or newer) on the PATH, so the package was imported on one Node only")
  }
  checkTypes(app)
}

/**
 * Compiles an application against the published declarations, with the globals of Node and with those of browsers.
 *
 * @param {string} app
 */
const checkTypes = (app) => {
  writeFileSync(
    join(app, "app.ts"),
    `import { Auth } from "${manifest.name}"
     const handler: (request: Request) => Promise<Response> = (request) => Auth(request, { providers: [] })
     export { handler }
`
  )
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const common = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "app.ts"
  ]
  const types = join(root, "node_modules/@types")
  expect(
    "declarations compile with the globals of Node",
    process.execPath,
    [tsc, ...common, "--skipLibCheck", "--lib", "es2023", "--typeRoots", types, "--types", "node"],
    app
  )
  expect(
    "declarations compile with the globals of browsers",
    process.execPath,
    [tsc, ...common, "--skipLibCheck", "--lib", "es2023,dom,dom.iterable", "--types", ""],
    app
  )
}

try {
  const bin = (/** @type {string} */ name) => join(root, "node_modules/.bin", name)
  const { output, stdout } = run("npm", ["pack", "--dry-run", "--json", "--silent", "--ignore-scripts"])
  /** @type {ReadonlyArray<{ readonly unpackedSize: number, readonly files: ReadonlyArray<{ readonly path: string }> }>} */
  const listing = stdout.trimStart().startsWith("[") ? JSON.parse(stdout) : []
  const files = (listing[0]?.files ?? []).map(({ path }) => path).sort()
  if (files.length === 0) report("npm pack --dry-run", [output])
  const bytes = listing[0]?.unpackedSize ?? 0
  checkContents(files, bytes)
  expect("publint", bin("publint"), ["run", "--strict"])
  smokeTest(files)
  const tarball = readdirSync(temporary).find((name) => name.startsWith("effect-doorman-"))
  if (tarball !== undefined)
    expect("are the types wrong", bin("attw"), [
      join(temporary, tarball),
      "--profile",
      "esm-only",
      "--no-emoji",
      "--no-color"
    ])
  if (failures > 0) process.exitCode = 1
  console.log(
    `package: ${files.length} files, ${bytes} bytes, version ${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version}, ${failures} failures`
  )
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
