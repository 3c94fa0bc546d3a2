import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import { build } from "esbuild"
import { logMissingPackages, packageProblems } from "../../src/config/OptionalPackages.ts"
import { isAuthError } from "../../src/Errors.ts"
import { isInstalled } from "../../src/config/InstalledPackage.ts"
import { define } from "../../src/Provider/internal/Definition.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import * as Registry from "../../src/Provider/internal/ReadProvider.ts"
import { acme, password } from "../Visitor.ts"

const reported = (providers: ReadonlyArray<unknown>, installed: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const looked: Array<string> = []
    yield* logMissingPackages(Registry.make(providers), (name) => {
      looked.push(name)
      return Promise.resolve(installed.includes(name))
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(...[message].flat()))])))
    return { looked, told: lines.filter(isAuthError) }
  })

const problemsOf = (provider: unknown, isAbsent: (name: string) => boolean) =>
  Result.match(define(provider), {
    onSuccess: (definition) => packageProblems(definition, isAbsent),
    onFailure: () => assert.fail("no provider")
  })

describe("an optional package", () => {
  const smtp = Nodemailer({ server: "smtp://localhost", from: "a@b.example" })
  it.gen("that a provider needs and that is not installed is named with its provider", function* () {
    const { told } = yield* reported([Passkey({}), smtp], [])
    assert.deepStrictEqual(
      told.map(({ field, provider }) => [field, provider]),
      [
        ["providers.passkey", "passkey"],
        ["providers.nodemailer", "nodemailer"]
      ]
    )
    assert.include(told[0]?.message, "@simplewebauthn/server")
    assert.include(told[1]?.remedy, "npm install nodemailer")
    assert.include(told[0]?.remedy, "In a bundle, begin with Passkey()")
    assert.deepStrictEqual((yield* reported([Passkey({}), smtp], ["@simplewebauthn/server", "nodemailer"])).told, [])
  })
  it.gen("is not looked for where no provider needs it", function* () {
    const own = { ...smtp, sendVerificationRequest: () => undefined }
    assert.deepStrictEqual((yield* reported([password(), acme(), own], [])).looked, [])
    const looked = (name: string) => assert.fail(`${name} is looked for`)
    for (const provider of [password(), acme(), own, Nodemailer({ from: "a@b.example" })])
      assert.deepStrictEqual(problemsOf(provider, looked), [])
  })
  it("is a problem of its provider, with the command that installs it", () => {
    assert.deepStrictEqual(
      [Passkey({}), smtp]
        .flatMap((provider) => problemsOf(provider, () => true))
        .map(({ field, provider, remedy }) => [field, provider, remedy]),
      [
        ["providers.passkey", "passkey", "Install it beside this one: npm install @simplewebauthn/server@14"],
        ["providers.nodemailer", "nodemailer", "Install it beside this one: npm install nodemailer"]
      ]
    )
  })
  it("is found where it is installed", async () => {
    const unused = () => assert.fail("it is loaded")
    assert.isTrue(await isInstalled("@simplewebauthn/server", unused))
    assert.isTrue(await isInstalled("nodemailer", unused))
  })
})

const root = fileURLToPath(new URL("../../", import.meta.url))

interface Learned {
  readonly atStart: ReadonlyArray<string>
  readonly later: ReadonlyArray<string>
  readonly providers: ReadonlyArray<string>
  readonly mail: string
  readonly keys: number
  readonly page: string
  readonly problems: ReadonlyArray<{ readonly field?: string; readonly message: string; readonly fix?: string }>
  readonly sqlite: { readonly tag: string; readonly fix: string }
}

describe("where no optional package is installed", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "doorman packages "))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Builds the application into a file, and runs it with the packages that are installed around that file. */
  const learn = async (path: string, external: ReadonlyArray<string>): Promise<Learned> => {
    const outfile = join(folder, path)
    await build({
      absWorkingDir: root,
      entryPoints: ["test/config/PackagesApplication.ts"],
      bundle: true,
      platform: "node",
      format: "esm",
      target: "es2022",
      outfile,
      external: [...external],
      logLevel: "silent"
    })
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], {
      cwd: dirname(outfile),
      env: { PATH: process.env["PATH"] ?? "" }
    })
    return JSON.parse(stdout) as Learned
  }

  /** The folder of the library, as npm makes it. */
  const install = async (application: string): Promise<void> => {
    const own = join(folder, application, "node_modules/effect-doorman")
    await mkdir(own, { recursive: true })
    const manifest = { name: "effect-doorman", type: "module", exports: { "./package.json": "./package.json" } }
    await writeFile(join(own, "package.json"), JSON.stringify(manifest))
  }

  it("each provider that needs one is disabled, and reported with the others at the start", async () => {
    await install("bare")
    const learned = await learn("bare/node_modules/effect-doorman/app.js", ["@simplewebauthn/server", "nodemailer"])
    const told = [
      /^Provider "passkey" needs the package @simplewebauthn\/server, which is not installed/,
      /^Provider "nodemailer" needs the package nodemailer, which is not installed/
    ]
    assert.lengthOf(learned.atStart, 2)
    told.forEach((pattern, index) => assert.match(learned.atStart[index] ?? "", pattern))
    assert.deepStrictEqual(learned.providers, ["passkey", "nodemailer"])
    const { pathname, searchParams } = new URL(learned.mail)
    assert.deepStrictEqual([pathname, searchParams.get("error")], ["/auth/error", "Configuration"])
    assert.notStrictEqual(learned.keys, 200)
    assert.include(learned.page, "npm install nodemailer")
    assert.include(learned.page, "npm install @simplewebauthn/server@14")
    assert.deepStrictEqual(
      learned.problems.map(({ field, fix }) => [field, fix?.replace(/^.*: /, "")]),
      [
        ["mailer", "npm install nodemailer"],
        ["providers.passkey", "npm install @simplewebauthn/server@14"],
        ["providers.nodemailer", "npm install nodemailer"]
      ]
    )
    assert.strictEqual(learned.sqlite.tag, "InvalidConfiguration")
    assert.include(learned.sqlite.fix, "npm install libsql")
  })

  it("nothing is wrong once they are", async () => {
    await install("whole")
    for (const name of ["nodemailer", "libsql", "@libsql", "@neon-rs", "detect-libc"])
      await cp(join(root, "node_modules", name), join(folder, "whole/node_modules", name), { recursive: true })
    const learned = await learn("whole/node_modules/effect-doorman/app.js", ["nodemailer"])
    assert.deepStrictEqual(
      learned.problems.filter(({ message }) => message.includes("nodemailer")),
      []
    )
    assert.notInclude(learned.mail, "Configuration")
  })

  it("a bundle is believed to hold what it was built with, and what cannot be loaded is logged", async () => {
    const learned = await learn("bundle/app.mjs", ["nodemailer"])
    assert.deepStrictEqual([learned.atStart.length, learned.problems.length, learned.keys], [0, 0, 200])
    const missing = learned.later.filter((line) =>
      line.startsWith('Provider "nodemailer" needs the package nodemailer')
    )
    // The facade says it, and the layer.
    assert.lengthOf(missing, 2)
  })
})
