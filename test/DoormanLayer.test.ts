import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { format, formatJson } from "effect/Formatter"
import type * as HttpClient from "effect/http/HttpClient"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"
import * as Adapter from "../src/Adapter.ts"
import { Doorman, type DoormanOptions } from "../src/Doorman.ts"
import { isAuthError } from "../src/Errors.ts"
import * as Keyring from "../src/Keyring.ts"
import { capture, Mailer } from "../src/Mailer.ts"
import { Email } from "../src/Provider/Email.ts"
import { GitHub } from "../src/Provider/GitHub.ts"
import { Keycloak } from "../src/Provider/Keycloak.ts"
import { Nodemailer } from "../src/Provider/Nodemailer.ts"
import { Passkey } from "../src/Provider/Passkey.ts"
import { isRedirectProvider } from "../src/Provider/internal/Provider.ts"
import { Resend } from "../src/Provider/Resend.ts"
import * as SessionPolicy from "../src/session/SessionPolicy.ts"
import { SharedState } from "../src/SharedState.ts"
import { acme, listener, otherSecret, password, secret } from "./Visitor.ts"
import { forLayer } from "./ForLayer.ts"
import { offline } from "./Offline.ts"

const sound = (): DoormanOptions => ({
  providers: [password(), acme()],
  secret: Redacted.make(secret),
  origin: "https://app.example",
  logger: listener().logger
})

/** Applications may be written without types. */
const untyped = (options: object) => options as DoormanOptions

// Risks are errors where they matter.
beforeEach(() => {
  vi.stubEnv("NODE_ENV", "production")
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const weak = "too short"
const repeated = "abcdefgh".repeat(5)

/** Changes of sound options, and their problems. */
const mistakes: ReadonlyArray<readonly [name: string, change: object, tag: string, field: string]> = [
  ["no secret", { secret: undefined }, "MissingSecret", "secret"],
  ["an empty secret", { secret: "" }, "MissingSecret", "secret"],
  ["no secret in the list", { secret: [] }, "MissingSecret", "secret"],
  ["a short secret", { secret: weak }, "WeakSecret", "secret"],
  ["a short secret, redacted", { secret: Redacted.make(weak) }, "WeakSecret", "secret"],
  ["a secret of few letters", { secret: "ab".repeat(32) }, "WeakSecret", "secret"],
  ["a secret that repeats itself", { secret: repeated }, "WeakSecret", "secret"],
  ["a secret of the documentation", { secret: "your-secret-your-secret-your-secret-xyz" }, "WeakSecret", "secret"],
  ["a weak one among the older", { secret: [secret, Redacted.make(weak)] }, "WeakSecret", "secret"],
  ["a number for a secret", { secret: 5 }, "InvalidConfiguration", "secret"],
  ["null for a secret", { secret: null }, "MissingSecret", "secret"],
  ["a redacted number", { secret: Redacted.make(5) }, "InvalidConfiguration", "secret"],
  ["retired secrets that are no list", { retiredSecrets: 5 }, "InvalidConfiguration", "retiredSecrets"],
  ["everybody behind a proxy", { redirectProxyOrigins: ["*"] }, "InvalidConfiguration", "redirectProxyOrigins"],
  ["distrust", { origin: undefined, trustHost: false }, "UntrustedHost", "trustHost"],
  ["an origin without a scheme", { origin: "app.example" }, "InvalidConfiguration", "origin"],
  ["an origin with a path", { origin: "https://app.example/auth" }, "InvalidConfiguration", "origin"],
  ["an origin of another scheme", { origin: "ftp://app.example" }, "InvalidConfiguration", "origin"],
  ["an empty origin", { origin: "" }, "InvalidConfiguration", "origin"],
  ["an origin whose host is none", { origin: "https://app.example*" }, "InvalidConfiguration", "origin"],
  ["a text for hosts", { origin: undefined, trustedHosts: "app.example" }, "InvalidConfiguration", "trustedHosts"],
  ["every host", { trustedHosts: ["*"] }, "InvalidConfiguration", "trustedHosts"],
  ["null for hosts", { origin: undefined, trustedHosts: null }, "InvalidConfiguration", "trustedHosts"],
  ["null for an origin", { origin: null }, "InvalidConfiguration", "origin"],
  ["a base path without a slash", { basePath: "auth" }, "InvalidConfiguration", "basePath"],
  ["a base path that reads as a host", { basePath: "//auth" }, "InvalidConfiguration", "basePath"],
  ["a base path with a query", { basePath: "/auth?a" }, "InvalidConfiguration", "basePath"],
  ["a number for a base path", { basePath: 5 }, "InvalidConfiguration", "basePath"],
  ["cookies that are none", { cookies: 5 }, "InvalidConfiguration", "cookies"],
  ["a cookie without a name", { cookies: { state: { name: "" } } }, "InvalidConfiguration", "cookies.state.name"],
  [
    "a cookie with an odd rule",
    { cookies: { nonce: { options: { sameSite: "odd" } } } },
    "InvalidConfiguration",
    "cookies.nonce.options.sameSite"
  ],
  ["a session in words", { session: "jwt" }, "InvalidConfiguration", "session"],
  ["an unknown strategy", { session: { strategy: "redis" } }, "InvalidConfiguration", "session.strategy"],
  ["a time below zero", { session: { maxAge: -1 } }, "InvalidConfiguration", "session.maxAge"],
  ["a time without end", { session: { maxAge: Infinity } }, "InvalidConfiguration", "session.maxAge"],
  ["a time in words", { session: { maxAge: "a day" } }, "InvalidConfiguration", "session.maxAge"],
  ["sessions in no database", { session: { strategy: "database" } }, "MissingAdapter", "adapter"],
  ["no secret for tokens", { jwt: { secret: "" } }, "MissingSecret", "jwt.secret"],
  ["a weak secret for tokens", { jwt: { secret: weak } }, "WeakSecret", "jwt.secret"],
  ["a time of tokens below zero", { jwt: { maxAge: -1 } }, "InvalidConfiguration", "jwt.maxAge"],
  ["a time of tokens in words", { jwt: { maxAge: "a while" } }, "InvalidConfiguration", "jwt.maxAge"],
  ["an end in words", { session: { absoluteMaxAge: "never" } }, "InvalidConfiguration", "session.absoluteMaxAge"],
  ["a codec that is none", { jwt: { encode: "jose" } }, "InvalidConfiguration", "jwt.encode"],
  ["a callback that is none", { callbacks: { signIn: true } }, "InvalidConfiguration", "callbacks.signIn"],
  ["callbacks that are none", { callbacks: 5 }, "InvalidConfiguration", "callbacks"],
  ["an adapter that is none", { adapter: 5 }, "InvalidConfiguration", "adapter"],
  ["an adapter of nothing", { adapter: {} }, "MissingAdapterMethods", "adapter"],
  ["an adapter that fails", { adapter: Effect.fail("down") }, "InvalidConfiguration", "adapter"],
  ["an adapter that dies", { adapter: Effect.die("down") }, "InvalidConfiguration", "adapter"],
  ["an adapter that is a mailer", { adapter: Effect.succeed(5) }, "InvalidConfiguration", "adapter"],
  ["a mailer that fails", { mailer: Effect.fail("down") }, "InvalidConfiguration", "mailer"],
  ["a mailer that nobody provides", { mailer: Mailer }, "InvalidConfiguration", "mailer"],
  ["no providers", { providers: undefined }, "InvalidConfiguration", "providers"],
  ["providers that are no list", { providers: GitHub }, "InvalidConfiguration", "providers"],
  ["two of one id", { providers: [acme(), acme()] }, "InvalidConfiguration", "providers.acme"],
  [
    "options that cannot be read",
    Object.defineProperty({}, "basePath", {
      enumerable: true,
      get: () => {
        throw new Error("no")
      }
    }),
    "InvalidConfiguration",
    "options"
  ]
]

/** Mistakes that disable a part of the configuration: the layer is built, and the log names the option. */
const parts: typeof mistakes = [
  ["a time that is no number", { session: { updateAge: NaN } }, "InvalidConfiguration", "session.updateAge"],
  [
    "a text where tokens are made",
    { session: { generateSessionToken: "x" } },
    "InvalidConfiguration",
    "session.generateSessionToken"
  ],
  ["a page without a slash", { pages: { signIn: "login" } }, "InvalidConfiguration", "pages.signIn"],
  ["a page of script", { pages: { error: "javascript:alert(1)" } }, "InvalidConfiguration", "pages.error"],
  ["a page that leads to itself", { pages: { signIn: "/auth/signin" } }, "InvalidConfiguration", "pages.signIn"],
  ["a number for a page", { pages: { signOut: 5 } }, "InvalidConfiguration", "pages.signOut"],
  ["an event that is none", { events: { signOut: {} } }, "InvalidConfiguration", "events.signOut"],
  ["events that are none", { events: "all" }, "InvalidConfiguration", "events"],
  ["a number for a proxy", { redirectProxyUrl: 5 }, "InvalidConfiguration", "redirectProxyUrl"],
  ["experiments that are none", { experimental: 5 }, "InvalidConfiguration", "experimental"],
  ["an unknown scheme of colors", { theme: { colorScheme: "blue" } }, "InvalidConfiguration", "theme.colorScheme"],
  ["a color that is none", { theme: { brandColor: "url(x)" } }, "InvalidConfiguration", "theme.brandColor"],
  ["a logo of script", { theme: { logo: "javascript:0" } }, "InvalidConfiguration", "theme.logo"],
  ["a proxy without a scheme", { redirectProxyUrl: "proxy" }, "InvalidConfiguration", "redirectProxyUrl"],
  ["a mailer that is none", { mailer: 5 }, "InvalidConfiguration", "mailer"],
  ["a mailer that cannot send", { mailer: {} }, "InvalidConfiguration", "mailer"],
  ["a provider that is none", { providers: [5] }, "InvalidConfiguration", "providers"],
  [
    "a factory that throws",
    {
      providers: [
        () => {
          throw new Error("no")
        }
      ]
    },
    "InvalidConfiguration",
    "providers"
  ],
  ["a factory that promises", { providers: [() => Promise.resolve(GitHub())] }, "InvalidConfiguration", "providers"],
  ["an unknown kind", { providers: [{ id: "x", type: "saml" }] }, "InvalidConfiguration", "providers.x"],
  ["an id that no path can have", { providers: [acme({ id: "a/b" })] }, "InvalidConfiguration", "providers"],
  ["an id of an action", { providers: [acme({ id: "session" })] }, "InvalidConfiguration", "providers"],
  ["no client", { providers: [GitHub] }, "InvalidConfiguration", "providers.github"],
  ["no client secret", { providers: [GitHub({ clientId: "x" })] }, "InvalidConfiguration", "providers.github"],
  ["an issuer that is none", { providers: [acme({ issuer: "x" })] }, "InvalidConfiguration", "providers.acme"],
  ["no endpoint", { providers: [acme({ token: undefined })] }, "InvalidEndpoints", "providers.acme"],
  ["an endpoint that is none", { providers: [acme({ token: "x" })] }, "InvalidEndpoints", "providers.acme"],
  [
    "nobody who knows",
    { providers: [password(undefined, { authorize: 5 })] },
    "MissingAuthorize",
    "providers.credentials"
  ],
  ["links without storage", { providers: [Email()] }, "MissingAdapter", "providers.email"],
  [
    "links that nobody sends",
    { providers: [Email()], adapter: Adapter.makeMemory() },
    "InvalidConfiguration",
    "providers.email"
  ],
  ["keys that were not enabled", { providers: [Passkey] }, "ExperimentalFeatureNotEnabled", "providers.passkey"],
  [
    "keys without storage",
    { providers: [Passkey], experimental: { enableWebAuthn: true } },
    "MissingAdapter",
    "providers.passkey"
  ]
]

const exitOf = <E>(layer: Layer.Layer<Doorman, E, HttpClient.HttpClient>, from: object = {}) =>
  Effect.exit(
    Effect.scoped(
      Layer.build(layer.pipe(Layer.provide([offline, ConfigProvider.layer(ConfigProvider.fromUnknown(from))])))
    )
  )

/** The failure that a layer fails with; anything else it ends with, a defect above all, is one of the test. */
const failureOf = Effect.fnUntraced(function* <E>(
  layer: Layer.Layer<Doorman, E, HttpClient.HttpClient>,
  from?: object
) {
  const exit = yield* exitOf(layer, from)
  if (Exit.isSuccess(exit)) return assert.fail("the layer was built")
  assert.lengthOf(exit.cause.reasons, 1)
  const [reason] = exit.cause.reasons
  return reason !== undefined && Cause.isFailReason(reason) ? reason.error : assert.fail(`${Cause.pretty(exit.cause)}`)
})

const doors: ReadonlyArray<(options: DoormanOptions) => Layer.Layer<Doorman, unknown, HttpClient.HttpClient>> = [
  Doorman.layer,
  Doorman.layerConfig
]

describe("Doorman.layer", () => {
  it.gen("is built from sound options", function* () {
    assert.isTrue(Exit.isSuccess(yield* exitOf(Doorman.layer(sound()))))
    assert.isTrue(Exit.isSuccess(yield* exitOf(Doorman.layerConfig(sound()))))
  })

  for (const [name, change, tag, field] of mistakes) {
    it.gen(`fails with ${tag} of ${field}: ${name}`, function* () {
      for (const door of doors) {
        const options = untyped(
          Object.defineProperties(
            {},
            { ...Object.getOwnPropertyDescriptors(sound()), ...Object.getOwnPropertyDescriptors(change) }
          )
        )
        // Config fills missing options; here it says only that hosts are not trusted.
        const failure = yield* failureOf(door(options), { AUTH_TRUST_HOST: "false" })
        if (!isAuthError(failure)) return assert.fail(String(failure))
        assert.deepStrictEqual([failure._tag, failure.field], [tag, field])
        assert.match(failure.remedy, /^[A-Z][^!]+$/)
        assert.notInclude(failure.message, weak)
        assert.notInclude(failure.message, repeated)
      }
    })
  }
})

describe("a mistake in a part of the options", () => {
  for (const [name, change, tag, field] of parts) {
    it.gen(`stops nothing else, and is logged once as ${tag} of ${field}: ${name}`, function* () {
      for (const layer of doors) {
        const lines: Array<unknown> = []
        const options = untyped({ ...sound(), ...change, logger: undefined })
        const collected = Logger.layer([Logger.make(({ message }) => void lines.push(...[message].flat()))])
        const exit = yield* exitOf(Layer.provide(layer(options), collected), { AUTH_TRUST_HOST: "false" })
        assert.isTrue(Exit.isSuccess(exit))
        const about = lines.filter(isAuthError).map((failure) => [failure._tag, failure.field])
        assert.strictEqual(about[0]?.[0], tag)
        assert.isTrue(
          about.every((one) => one[1]?.startsWith(field)),
          "no second problem elsewhere"
        )
      }
    })
  }
})

describe("what a layer fails with", () => {
  it.gen("is caught by its tag", function* () {
    const repaired = Doorman.layer(forLayer({ ...sound(), secret: weak })).pipe(
      Layer.catchTag("WeakSecret", () => Doorman.layer(sound()))
    )
    assert.isTrue(Exit.isSuccess(yield* exitOf(repaired)))
    const told = yield* Layer.build(Doorman.layer(forLayer({ ...sound(), secret: weak }))).pipe(
      Effect.provide(offline),
      Effect.catchTag("WeakSecret", ({ field, remedy }) => Effect.succeed(`${field}: ${remedy}`)),
      Effect.scoped
    )
    assert.match(String(told), /^secret: Use at least 32 random bytes/)
  })

  it.gen("names the service whose word does not count", function* () {
    const policy = (times: object) => SessionPolicy.layer(times as SessionPolicy.SessionTimes)
    const failed = <A>(layer: Layer.Layer<A>) =>
      Effect.map(failureOf(Doorman.layer(sound()).pipe(Layer.provide(layer))), ({ _tag, field }) => [_tag, field])
    assert.deepStrictEqual(yield* failed(policy({ maxAge: "a while" })), [
      "InvalidConfiguration",
      "SessionPolicy.maxAge"
    ])
    assert.deepStrictEqual(yield* failed(policy({ maxAge: "1 day", updateAge: "soon" })), [
      "InvalidConfiguration",
      "SessionPolicy.updateAge"
    ])
    assert.deepStrictEqual(yield* failed(policy({ maxAge: "-1 day" })), ["InvalidConfiguration", "session.maxAge"])
    assert.deepStrictEqual(yield* failed(Keyring.layer(Redacted.make(weak))), ["WeakSecret", "secret"])
    const wiped = Redacted.make(secret)
    Redacted.wipeUnsafe(wiped)
    assert.deepStrictEqual(yield* failed(Keyring.layer(wiped)), ["InvalidConfiguration", "secret.0"])
  })
})

const built = <E>(layer: Layer.Layer<Doorman, E, HttpClient.HttpClient>) =>
  Effect.map(Layer.build(Layer.provide(layer, offline)), Context.get(Doorman))

const fromEnvironment = (env: Record<string, string>) =>
  Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(env)))

const secretsOf = ({ settings }: Doorman["Service"]) => settings.secrets.map(Redacted.value)

describe("times of a layer", () => {
  it.gen("are durations, in seconds for the engine", function* () {
    const { settings } = yield* built(
      Doorman.layer({
        ...sound(),
        session: { maxAge: "8 hours", absoluteMaxAge: Duration.days(7), updateAge: { minutes: 5 } },
        jwt: { maxAge: "90 seconds", secret: Redacted.make(otherSecret) }
      })
    )
    const { absoluteMaxAge, maxAge, updateAge } = settings.session
    assert.deepStrictEqual([maxAge, absoluteMaxAge, updateAge], [28_800, 604_800, 300])
    assert.strictEqual(settings.jwt.maxAge, 90)
    assert.deepStrictEqual(settings.jwt.secrets.map(Redacted.value), [otherSecret])
  })

  it.gen("are those of cookies too, and a time that is none is named", function* () {
    const cookies = { state: { options: { maxAge: "2 minutes" } }, nonce: { options: { path: "/" } } } as const
    const { settings } = yield* built(Doorman.layer({ ...sound(), cookies }))
    assert.strictEqual(settings.secureCookies.flow.options.maxAge, 120)
    assert.strictEqual(settings.secureCookies.flow.options.httpOnly, true)
    const wrong = untyped({ ...sound(), cookies: { state: { options: { maxAge: "soon" } } } })
    assert.deepInclude(yield* failureOf(Doorman.layer(wrong)), {
      _tag: "InvalidConfiguration",
      field: "cookies.state.options.maxAge"
    })
  })

  it.gen("are seconds where code without types has a number", function* () {
    const { settings } = yield* built(Doorman.layer(untyped({ ...sound(), session: { maxAge: 3600, updateAge: 60 } })))
    assert.deepStrictEqual([settings.session.maxAge, settings.session.updateAge], [3600, 60])
  })
})

describe("Doorman.layerConfig", () => {
  const quiet = { logger: listener().logger }

  it.effect("takes everything that is left open from Config", () =>
    Effect.gen(function* () {
      const doorman = yield* built(Doorman.layerConfig({ providers: [GitHub, Keycloak], ...quiet }))
      assert.deepStrictEqual(secretsOf(doorman), [otherSecret, secret])
      assert.strictEqual(doorman.settings.hosts.origin, "https://app.example:8443")
      assert.strictEqual(doorman.settings.basePath, "/sign/in")
      assert.strictEqual(doorman.settings.redirectProxyUrl?.href, "https://proxy.example/auth")
      const clients = ["github", "keycloak"].map((id) => Result.getOrThrow(doorman.settings.providers.get(id)))
      assert.deepStrictEqual(
        clients.map((client) =>
          isRedirectProvider(client)
            ? [client.clientId, client.clientSecret && Redacted.value(client.clientSecret), client.issuer]
            : assert.fail("a redirect provider")
        ),
        [
          ["gh", "gh secret", "https://github.com/login/oauth"],
          ["kc", "kc secret", "https://id.example/realms/one"]
        ]
      )
    }).pipe(
      fromEnvironment({
        AUTH_SECRET: secret,
        AUTH_SECRET_1: otherSecret,
        AUTH_URL: "https://app.example:8443/sign/in/",
        AUTH_TRUST_HOST: "false",
        AUTH_REDIRECT_PROXY_URL: "https://proxy.example/auth",
        AUTH_GITHUB_ID: "gh",
        AUTH_GITHUB_SECRET: "gh secret",
        AUTH_KEYCLOAK_ID: "kc",
        AUTH_KEYCLOAK_SECRET: "kc secret",
        AUTH_KEYCLOAK_ISSUER: "https://id.example/realms/one"
      })
    )
  )

  it.gen("seals with the newest secret: the highest number, and the one without a number last", function* () {
    const secrets = [3, 2, 1, ""].map((number) => `${secret} number ${number}`)
    const env = { AUTH_TRUST_HOST: "true", AUTH_SECRET_3: secrets[0] ?? "", AUTH_SECRET_2: secrets[1] ?? "" }
    const rest = { AUTH_SECRET_1: secrets[2] ?? "", AUTH_SECRET: secrets[3] ?? "" }
    const doorman = yield* built(Doorman.layerConfig({ providers: [] })).pipe(fromEnvironment({ ...rest, ...env }))
    assert.deepStrictEqual(secretsOf(doorman), secrets)
  })

  it.effect("lets the options say more than Config", () =>
    Effect.gen(function* () {
      const client = { clientId: "own", clientSecret: Redacted.make("own secret") }
      const doorman = yield* built(
        Doorman.layerConfig({
          providers: [GitHub(client)],
          secret: Redacted.make(otherSecret),
          origin: "https://own.example",
          basePath: "/own",
          redirectProxyUrl: "https://own.example/auth",
          ...quiet
        })
      )
      assert.deepStrictEqual(secretsOf(doorman), [otherSecret])
      assert.strictEqual(doorman.settings.hosts.origin, "https://own.example")
      assert.strictEqual(doorman.settings.basePath, "/own")
      assert.strictEqual(doorman.settings.redirectProxyUrl?.origin, "https://own.example")
      const github = Result.getOrThrow(doorman.settings.providers.get("github"))
      assert.strictEqual(isRedirectProvider(github) ? github.clientId : undefined, "own")
    }).pipe(
      fromEnvironment({
        AUTH_SECRET: secret,
        AUTH_SECRET_1: secret,
        AUTH_URL: "https://app.example/auth",
        AUTH_REDIRECT_PROXY_URL: "https://proxy.example/auth",
        AUTH_GITHUB_ID: "gh",
        AUTH_GITHUB_SECRET: "gh secret"
      })
    )
  )

  it.gen("trusts no host where an origin is set, and in production none that no option vouches for", function* () {
    const options = { providers: [], secret }
    const production = { NODE_ENV: "production" }
    const distrusted = { ...production, AUTH_TRUST_HOST: "false" }
    assert.strictEqual((yield* failureOf(Doorman.layerConfig(forLayer(options)), distrusted))._tag, "UntrustedHost")
    const named = { ...options, origin: "https://app.example" }
    for (const from of [production, { AUTH_TRUST_HOST: "false" }]) {
      assert.isTrue(Exit.isSuccess(yield* exitOf(Doorman.layerConfig(forLayer(named)), from)))
    }
    const trusting = { ...options, trustHost: true }
    assert.isTrue(Exit.isSuccess(yield* exitOf(Doorman.layerConfig(forLayer(trusting)), production)))
  })

  it.effect("takes options by names of the application's own", () =>
    Effect.gen(function* () {
      const own = Config.all({
        secret: Config.all([Config.Redacted("NEW"), Config.Redacted("OLD")]),
        origin: Config.String("SITE"),
        basePath: Config.String("PATH_OF_AUTH"),
        useSecureCookies: Config.Boolean("SECURE"),
        session: Config.all({ maxAge: Config.Duration("SESSION") })
      })
      const doorman = yield* built(
        Layer.unwrap(Effect.map(own, (options) => Doorman.layer({ providers: [], ...options, ...quiet })))
      )
      assert.deepStrictEqual(secretsOf(doorman), [otherSecret, secret])
      assert.strictEqual(doorman.settings.hosts.origin, "https://app.example")
      assert.strictEqual(doorman.settings.basePath, "/in")
      assert.isTrue(doorman.settings.useSecureCookies)
      assert.strictEqual(doorman.settings.session.maxAge, 28_800)
    }).pipe(
      fromEnvironment({
        AUTH_SECRET: "never read",
        NEW: otherSecret,
        OLD: secret,
        SITE: "https://app.example/",
        PATH_OF_AUTH: "/in",
        SECURE: "true",
        SESSION: "8 hours"
      })
    )
  )

  it.gen("fails with what Config fails with", function* () {
    const broken = ConfigProvider.make(() =>
      Effect.fail(new ConfigProvider.SourceError({ message: "the vault is closed" }))
    )
    const exit = yield* Layer.build(Doorman.layerConfig({ providers: [] })).pipe(
      Effect.provide([offline, ConfigProvider.layer(broken)]),
      Effect.catchTag("ConfigError", ({ message }) => Effect.succeed(message)),
      Effect.scoped
    )
    assert.include(String(exit), "the vault is closed")
  })

  it.gen("refuses a Config in the place of a value", function* () {
    const options = untyped({ ...sound(), secret: Config.Redacted("VAULT") })
    const failure = yield* failureOf(Doorman.layerConfig(options), { VAULT: secret })
    assert.strictEqual(isAuthError(failure) ? failure.field : failure, "secret")
  })

  it.gen("names what Config has not, and what it has that cannot be", function* () {
    const problem = (from: object) =>
      Effect.map(failureOf(Doorman.layerConfig({ providers: [GitHub] }), from), (failure) =>
        isAuthError(failure) ? [failure._tag, failure.field, failure.remedy === ""] : String(failure)
      )
    const url = { AUTH_URL: "https://app.example/auth" }
    assert.deepStrictEqual(yield* problem(url), ["MissingSecret", "secret", false])
    assert.deepStrictEqual(yield* problem({ ...url, AUTH_SECRET: "" }), ["MissingSecret", "secret", false])
    assert.deepStrictEqual(yield* problem({ ...url, AUTH_SECRET: weak }), ["WeakSecret", "secret", false])
    const own = { AUTH_SECRET: secret }
    for (const given of ["app.example", "ftp://app.example", "/auth"]) {
      assert.deepStrictEqual(yield* problem({ ...own, AUTH_URL: given }), ["InvalidConfiguration", "AUTH_URL", false])
    }
    const said: Array<unknown> = []
    const logger = Logger.layer([Logger.make(({ message }) => void said.push(...[message].flat()))])
    const named = { ...own, ...url, AUTH_GITHUB_ID: "gh" }
    assert.isTrue(
      Exit.isSuccess(yield* exitOf(Layer.provide(Doorman.layerConfig({ providers: [GitHub] }), logger), named))
    )
    assert.include(String(said), "AUTH_GITHUB_SECRET")
    assert.notInclude(String(said), "AUTH_GITHUB_ID")
  })

  it.effect("reads the environment of the process only where it is the provider", () =>
    Effect.gen(function* () {
      vi.stubEnv("AUTH_SECRET", secret)
      vi.stubEnv("AUTH_URL", "https://app.example/auth")
      const options = { providers: [], ...quiet }
      assert.strictEqual(
        (yield* failureOf(Doorman.layerConfig(options), { AUTH_TRUST_HOST: "1" }))._tag,
        "MissingSecret"
      )
      assert.strictEqual((yield* failureOf(Doorman.layer(options)))._tag, "MissingSecret")
      assert.deepStrictEqual(secretsOf(yield* built(Doorman.layerConfig(options))), [secret])
    }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())))
  )

  for (const [basePath, code] of [
    ["/auth", "env-url-basepath-redundant"],
    ["/own", "env-url-basepath-mismatch"]
  ] as const) {
    it.gen(`says through Effect's loggers that basePath ${basePath} is ${code}`, function* () {
      const said: Array<unknown> = []
      const logger = Logger.make(({ message }) => void said.push(message))
      yield* built(Doorman.layerConfig({ providers: [], basePath })).pipe(
        Effect.provide(Logger.layer([logger])),
        fromEnvironment({ AUTH_SECRET: secret, AUTH_URL: "https://app.example/auth" })
      )
      assert.lengthOf(said, 1)
      assert.include(JSON.stringify(said), code)
    })
  }
})

describe("what can be seen of a doorman", () => {
  it.gen("holds no secret, however it is printed", function* () {
    const canary = (name: string) => `canary-${name}-0123456789-abcdefghijklmnop`
    const options = {
      providers: [
        GitHub({ clientId: "x", clientSecret: Redacted.make(canary("client")) }),
        acme({ clientSecret: canary("object"), options: { clientSecret: canary("option") } }),
        Email({ from: "a@b.example", secret: Redacted.make(canary("link")) }),
        Nodemailer({
          server: { host: "mail.example", auth: { user: "u", pass: Redacted.make(canary("smtp")) } },
          from: "a@b.example"
        }),
        Resend({ apiKey: Redacted.make(canary("key")), from: "a@b.example" })
      ],
      secret: [Redacted.make(canary("secret")), Redacted.make(canary("older"))],
      jwt: { secret: canary("token") },
      origin: "https://app.example",
      adapter: Adapter.makeMemory(),
      mailer: capture()
    }
    const layer = Doorman.layer(forLayer(options))
    const doorman = yield* built(layer)
    const providers = ["github", "acme", "email", "nodemailer", "resend"].map((id) =>
      Result.getOrThrow(doorman.settings.providers.get(id))
    )
    const bad = yield* failureOf(Doorman.layer(forLayer({ ...options, jwt: { secret: canary("token").slice(0, 20) } })))
    const duplicate = yield* failureOf(
      Doorman.layer(forLayer({ ...options, providers: [...options.providers, GitHub] }))
    )
    const env = { AUTH_SECRET: canary("env").slice(0, 20), AUTH_URL: "https://app.example/auth" }
    const fromConfig = yield* failureOf(Doorman.layerConfig({ providers: [] }), env)
    const looked = [layer, doorman, doorman.settings, doorman.services, ...providers, bad, duplicate, fromConfig]
    for (const value of [...looked, Cause.fail(bad), Exit.succeed(doorman), doorman.settings.providers]) {
      const prints = [
        inspect(value, { depth: 40, showHidden: true, getters: true }),
        String(value),
        format(value),
        formatJson(value),
        JSON.stringify(value),
        JSON.stringify(Inspectable.toJson(value)),
        value instanceof Error ? `${value.stack} ${value.message}` : ""
      ]
      for (const print of prints) assert.notMatch(print, /canary/)
    }
    // They are all there, for whoever needs them.
    assert.deepStrictEqual(secretsOf(doorman), [canary("secret"), canary("older")])
    assert.include(
      JSON.stringify(providers.map((provider) => ("source" in provider ? { ...provider.source } : {}))),
      "canary"
    )
  })
})

describe("a build", () => {
  it.gen("makes another doorman every time, and lets go of what the layers below hold", function* () {
    const held: Array<string> = []
    const store = Layer.effect(
      Adapter.Adapter,
      Effect.acquireRelease(
        Effect.sync(() => {
          held.push("opened")
          return Adapter.makeMemory()
        }),
        () => Effect.sync(() => void held.push("closed"))
      )
    )
    const layer = Doorman.layer({ ...sound(), adapter: Adapter.Adapter }).pipe(Layer.provide([store, offline]))
    const one = yield* Scope.make()
    const other = yield* Scope.make()
    const first = Context.get(yield* Layer.buildWithScope(layer, one), Doorman)
    const second = Context.get(yield* Layer.buildWithScope(layer, other), Doorman)
    assert.notStrictEqual(first, second)
    assert.notStrictEqual(first.settings, second.settings)
    assert.notStrictEqual(first.settings.adapter, second.settings.adapter)
    const [own, others] = [first, second].map(({ services }) => services.mapUnsafe.get(SharedState.key))
    assert.isDefined(own)
    assert.notStrictEqual(own, others)
    assert.deepStrictEqual(held, ["opened", "opened"])
    yield* Scope.close(one, Exit.void)
    assert.deepStrictEqual(held, ["opened", "opened", "closed"])
    yield* Scope.close(other, Exit.void)
    assert.deepStrictEqual(held, ["opened", "opened", "closed", "closed"])
  })

  it.gen("lets go of what was held when the options are wrong", function* () {
    const held: Array<string> = []
    const store = Layer.effect(
      Adapter.Adapter,
      Effect.acquireRelease(Effect.succeed(Adapter.makeMemory()), () => Effect.sync(() => void held.push("closed")))
    )
    yield* failureOf(
      Doorman.layer(forLayer({ ...sound(), adapter: Adapter.Adapter, secret: weak })).pipe(Layer.provide(store))
    )
    assert.deepStrictEqual(held, ["closed"])
  })

  it.gen("of ten providers derives no key, fetches nothing and draws no random bytes", function* () {
    const spans: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        spans.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    const drawn = Layer.succeed(
      SecureRandom.SecureRandom,
      SecureRandom.make(() => assert.fail("no random bytes are needed"))
    )
    const providers = Array.from({ length: 10 }, (_, number) => acme({ id: `acme-${number}` }))
    const layer = Doorman.layer({ ...sound(), providers }).pipe(Layer.provide(drawn))
    const doorman = yield* built(layer).pipe(Effect.withTracer(tracer))
    assert.lengthOf(doorman.settings.providers.identities, 10)
    assert.deepStrictEqual(spans, [])
  })
})
