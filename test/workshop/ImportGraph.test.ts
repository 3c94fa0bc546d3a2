/** What comes along with an import: what one part of an application needs must not bring the rest of the library. */
import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The files that are loaded at once with a module, as paths below the root of the project. */
const inputs = async (module: string): Promise<ReadonlyArray<string>> => {
  const entry = `src/${module}.ts`
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: "esm",
    outdir: "unwritten",
    write: false,
    metafile: true,
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["node:*", "@simplewebauthn/server", "nodemailer", "libsql", "@effect/sql-pg"],
    logLevel: "silent"
  })
  const seen = new Set<string>()
  const visit = (file: string): void => {
    const output = metafile.outputs[file]
    if (output === undefined || seen.has(file)) return
    seen.add(file)
    for (const { kind, path } of output.imports) if (kind === "import-statement") visit(path)
  }
  const start = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry)
  assert.isDefined(start)
  visit(start[0])
  return [...seen]
    .flatMap((file) => Object.entries(metafile.outputs[file]?.inputs ?? {}))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([input]) => input)
    .sort()
}

/** The modules of the library that are loaded at once with a module, as paths in src. */
const loaded = async (module: string): Promise<ReadonlyArray<string>> =>
  (await inputs(module)).flatMap((input) => (input.startsWith("src/") ? [input.slice("src/".length)] : []))

/** A preset of a provider: the other files of its folder are what providers are read with. */
const presets =
  /^Provider\/(?:Apple|Auth0|Discord|Facebook|GitHub|GitLab|Google|Keycloak|LinkedIn|MicrosoftEntraId|Okta|Slack|Twitch|Video)\.ts$/
const pages = /^(?:Pages|pages\/(?:Document|SignInPage|NoticePage|Stylesheet|ConfirmPage|SignOutPage))/
const storage = /^(?:Sql|sql\/)/

describe("an import", () => {
  it.each([
    "index",
    "Auth",
    "server/CreateAuth",
    "server/ServerAuth",
    "compat/Token",
    "compat/adapters",
    "compat/errors",
    "compat/jwt",
    "compat/providers",
    "compat/types"
  ])("of %s, which ordinary servers import, loads no module of Effect at once", async (module) => {
    assert.deepStrictEqual(
      (await inputs(module)).filter((input) => input.includes("node_modules/effect/")),
      []
    )
  })

  it("of a preset loads no module of Effect, neither at once nor later", async () => {
    const modules = readdirSync(`${root}src/Provider`).filter((file) => file.endsWith(".ts"))
    assert.isAbove(modules.length, 100)
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: modules.map((file) => `src/Provider/${file}`),
      bundle: true,
      format: "esm",
      outdir: "unwritten",
      write: false,
      metafile: true,
      platform: "neutral",
      external: ["effect/*", "node:*", "@simplewebauthn/server", "nodemailer", "libsql", "@effect/sql-pg"]
    })
    const loading = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
      imports.flatMap(({ path }) => (path.startsWith("effect/") ? [`${file} loads ${path}`] : []))
    )
    assert.deepStrictEqual(loading, [])
  })

  it("of the errors brings the errors", async () => {
    assert.deepStrictEqual(await loaded("Errors"), [
      "Errors.ts",
      "internal/FailureFacts.ts",
      "internal/IsOf.ts",
      "internal/ThrownValue.ts"
    ])
  })

  it("of sessions brings no provider, no page, no SQL", async () => {
    const modules = await loaded("Session")
    assert.include(modules, "Jwt.ts")
    for (const unwanted of [presets, pages, storage])
      assert.deepStrictEqual(
        modules.filter((one) => unwanted.test(one)),
        []
      )
  })

  it("of a contract that clients share brings nothing of the server", async () => {
    assert.deepStrictEqual([...(await loaded("Access"))].sort(), [
      "Access.ts",
      "access/AccessProblem.ts",
      "access/Assurance.ts",
      "access/CurrentSession.ts",
      "access/Decoders.ts",
      "models/Id.ts"
    ])
  })
})
