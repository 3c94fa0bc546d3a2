/**
 * All problems of a configuration are found at the start and reported together.
 */
import { assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import { Doorman } from "../../src/Doorman.ts"
import { compile, type Options } from "../../src/config/Settings.ts"
import { describe as told, summarize } from "../../src/config/Problem.ts"
import { isAuthError } from "../../src/Errors.ts"
import { forgetAll } from "../../src/internal/OncePerProcess.ts"
import { setEnvDefaults } from "../../src/index.ts"
import { acme, facade, listener, options, otherSecret, password, secret, visitor } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

beforeEach(forgetAll)

const client = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make(() => Effect.die("nothing is fetched"))
)

/** Applications may be written without types. */
const given = (members: object): Options => ({ ...options(), ...members })

const many = {
  secret: "",
  trustHost: false,
  basePath: "auth",
  session: { maxAge: "a day", strategy: "redis" },
  pages: { signIn: "login" },
  theme: { brandColor: ";" },
  adaptor: {},
  providers: [
    password(),
    acme({ issuer: "http://id.example" }),
    acme({ id: "hub", clientId: "" }),
    () => {
      throw new Error("no")
    }
  ]
}
const fields = [
  "secret",
  "trustHost",
  "basePath",
  "session.maxAge",
  "session.strategy",
  "pages.signIn",
  "theme.brandColor",
  "adaptor",
  "providers.acme.issuer",
  "providers.hub.clientId",
  "providers"
]

const run = (problems: ReadonlyArray<{ readonly field?: string }> | undefined) =>
  [...(problems ?? [])].map(({ field }) => field ?? "").sort()

describe("many problems", () => {
  it("are one failure of the facade that names all of them", async () => {
    const { logger, told } = listener()
    await facade(given({ ...many, logger }))(new Request("https://app.example/auth/session"))
    const [error, ...more] = told.errors
    assert.deepStrictEqual(more, [])
    assert.isTrue(isAuthError(error))
    if (isAuthError(error)) assert.deepStrictEqual(run(error.problems), [...fields].sort())
    for (const field of fields) assert.include(error?.message, field)
    assert.include(error?.message, "AUTH_HUB_ID")
    assert.include(error?.message, "Fix: ")
  })
  it("are an entry each on the console", async () => {
    const lines: Array<string> = []
    const spy = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line))
    await facade(given({ ...many, logger: undefined }))(new Request("https://app.example/auth/session"))
    spy.mockRestore()
    assert.lengthOf(lines, fields.length)
    for (const field of fields)
      assert.lengthOf(
        lines.filter((line) => line.includes(`option: ${field}\n`)),
        1,
        field
      )
  })
  it.gen("are one failure of a layer that names all of them", function* () {
    const layer = Doorman.layer(forLayer({ ...given(many), logger: listener().logger }))
    const failure = yield* Effect.flip(Effect.scoped(Layer.build(Layer.provide(layer, client))))
    assert.deepStrictEqual(run(failure.problems), [...fields].sort())
    for (const field of fields) assert.include(failure.message, field)
  })
  it("are reported with option, cause, fix and variable, and a single one as itself", () => {
    const { problems } = compile(given({ providers: [acme({ clientId: "" })] }))
    assert.strictEqual(
      told(problems()[0]!.error),
      'providers.acme.clientId: Provider "acme" (providers[0]) has no clientId: set it, or AUTH_ACME_ID. Fix: Set clientId, or AUTH_ACME_ID. Environment variable: AUTH_ACME_ID.'
    )
    const [secret] = compile({ ...given({}), secret: undefined }).problems()
    assert.include(told(secret!.error), "secret is not set. Fix: ")
    const [only] = compile(given({ basePath: "auth" })).problems()
    assert.strictEqual(summarize([only!], { production: false, cookies: undefined }), only!.error)
  })
})

describe("environment variables", () => {
  const withEnvironment = async (env: Record<string, string>, body: () => Promise<void> | void) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    try {
      await body()
    } finally {
      vi.unstubAllEnvs()
    }
  }
  it("that nothing has copied are named", () =>
    withEnvironment({ AUTH_SECRET: otherSecret, AUTH_URL: "https://app.example/auth" }, () => {
      const { settings } = compile(given({ secret: undefined, trustHost: false }))
      const failure = settings._tag === "Failure" ? settings.failure : assert.fail("usable")
      assert.include(failure.message, "AUTH_SECRET is set in the environment")
      assert.include(failure.message, "AUTH_URL is set in the environment")
      assert.include(failure.message, "setEnvDefaults")
      assert.notInclude(failure.message, otherSecret)
    }))
  it("are not named where they are not the cause", () => {
    const { settings } = compile(given({ secret: undefined }))
    assert.notInclude(settings._tag === "Failure" ? settings.failure.message : "usable", "setEnvDefaults")
  })
  for (const [name, url] of [
    ["no URL", "app.example"],
    ["of another scheme", "ftp://app.example"]
  ]) {
    it(`AUTH_URL that is ${name} is an error in the log, and stops nothing by itself`, async () => {
      const { logger, told } = listener()
      const config: Options = { providers: [password()], logger, trustHost: true }
      setEnvDefaults({ AUTH_SECRET: secret, AUTH_URL: url }, config)
      const browser = visitor(facade(config))
      assert.strictEqual((await browser.get("/auth/session")).status, 200)
      assert.deepStrictEqual(
        told.errors.map((error) => Reflect.get(error, "field")),
        ["AUTH_URL"]
      )
      assert.include(told.errors[0]?.message, "AUTH_URL")
    })
  }
  it("AUTH_URL without the path of the endpoints is a warning", () => {
    const pathOf = (env: Record<string, string>, more: Partial<Options> = {}) => {
      const config: Options = { providers: [password()], ...more }
      setEnvDefaults({ AUTH_SECRET: secret, ...env }, config)
      return compile(config)
        .problems()
        .map(({ error, level }) => [error.field, level])
    }
    assert.deepStrictEqual(pathOf({ AUTH_URL: "https://app.example" }), [["AUTH_URL", "warning"]])
    assert.deepStrictEqual(pathOf({ AUTH_URL: "https://app.example/auth" }), [])
    assert.deepStrictEqual(pathOf({ AUTH_URL: "https://app.example" }, { basePath: "/api/auth" }), [])
    assert.deepStrictEqual(pathOf({}), [])
  })
  it.effect("an AUTH_URL that is not a URL fails a layer together with the rest", () =>
    Effect.gen(function* () {
      const layer = Doorman.layerConfig({ providers: [acme({ clientId: "" })], logger: listener().logger })
      const failure = yield* Effect.flip(Effect.scoped(Layer.build(Layer.provide(layer, client))))
      if (!isAuthError(failure)) return assert.fail(String(failure))
      assert.strictEqual(failure.field, "AUTH_URL")
      assert.deepStrictEqual(run(failure.problems), ["AUTH_URL", "providers.acme.clientId", "secret", "trustHost"])
    }).pipe(
      Effect.provide(
        ConfigProvider.layer(ConfigProvider.fromEnvRecord({ AUTH_URL: "app.example", AUTH_TRUST_HOST: "0" }))
      )
    )
  )
})

describe("the error page", () => {
  const text = async (origin: string, config: Options) => {
    const response = await facade(config)(new Request(`${origin}/auth/error?error=Configuration`))
    return response.text()
  }
  const local = "http://localhost:3000"
  it("tells the person who develops the site what is wrong", async () => {
    const stopped = await text(local, given({ secret: undefined, providers: [acme({ clientId: "" })] }))
    assert.include(stopped, "secret is not set")
    assert.include(stopped, "AUTH_ACME_ID")
    assert.include(await text(local, given({ providers: [acme({ clientId: "" })] })), "AUTH_ACME_ID")
  })
  it("tells a visitor of the public site nothing", async () => {
    for (const config of [given({ secret: undefined }), given({ providers: [acme({ clientId: "" })] })]) {
      const shown = await text("https://app.example", config)
      assert.notInclude(shown, "AUTH_")
      assert.notInclude(shown, "secret")
    }
  })
  it("shows nothing in production, and nothing without the error", async () => {
    const config = given({ providers: [acme({ clientId: "" })] })
    const response = await facade(config)(new Request(`${local}/auth/error?error=AccessDenied`))
    assert.notInclude(await response.text(), "AUTH_")
    vi.stubEnv("NODE_ENV", "production")
    try {
      assert.notInclude(await text(local, given({ providers: [acme({ clientId: "" })] })), "AUTH_")
      assert.notInclude(await text(local, given({ secret: undefined })), "AUTH_")
    } finally {
      vi.unstubAllEnvs()
    }
  })
  it("escapes what it tells", async () => {
    assert.notInclude(
      await text(local, given({ providers: [acme({ id: "x", issuer: "<b>" })], pages: { "<b>": "x" } })),
      "<b>"
    )
  })
})
