import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Adapter from "../src/Adapter.ts"
import * as Auth from "../src/Auth.ts"
import { Doorman, type DoormanOptions } from "../src/Doorman.ts"
import { isAuthError } from "../src/Errors.ts"
import * as Keyring from "../src/Keyring.ts"
import { Mailer } from "../src/Mailer.ts"
import { Email } from "../src/Provider/Email.ts"
import { GitHub } from "../src/Provider/GitHub.ts"
import { Passkey } from "../src/Provider/Passkey.ts"
import * as SessionPolicy from "../src/SessionPolicy.ts"
import { acme, listener, otherSecret, password, secret } from "./Visitor.ts"

/** Nothing is fetched while a doorman is made. */
const nobody = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make((request) => Effect.die(`nothing may be sent to ${request.url}`))
)

const sound = (): DoormanOptions => ({
  providers: [password(), acme()],
  secret,
  origin: "https://app.example",
  logger: listener().logger
})

/** Applications may be written without types. */
const untyped = (options: object) => options as DoormanOptions

const weak = "too short"
const repeated = "abcdefgh".repeat(5)

/** What is changed in sound options, and what is said about it. */
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
  ["null for a secret", { secret: null }, "InvalidConfiguration", "secret"],
  ["a redacted number", { secret: Redacted.make(5) }, "InvalidConfiguration", "secret"],
  ["no trust and no origin", { origin: undefined }, "UntrustedHost", "trustHost"],
  ["distrust", { origin: undefined, trustHost: false }, "UntrustedHost", "trustHost"],
  ["trust in words", { origin: undefined, trustHost: "true" }, "UntrustedHost", "trustHost"],
  ["an origin without a scheme", { origin: "app.example" }, "InvalidConfiguration", "origin"],
  ["an origin with a path", { origin: "https://app.example/auth" }, "InvalidConfiguration", "origin"],
  ["an origin of another scheme", { origin: "ftp://app.example" }, "InvalidConfiguration", "origin"],
  ["an empty origin", { origin: "" }, "InvalidConfiguration", "origin"],
  ["null for an origin", { origin: null }, "InvalidConfiguration", "origin"],
  ["a base path without a slash", { basePath: "auth" }, "InvalidConfiguration", "basePath"],
  ["a base path that reads as a host", { basePath: "//auth" }, "InvalidConfiguration", "basePath"],
  ["a base path with a query", { basePath: "/auth?a" }, "InvalidConfiguration", "basePath"],
  ["a number for a base path", { basePath: 5 }, "InvalidConfiguration", "basePath"],
  ["secure cookies in words", { useSecureCookies: "yes" }, "InvalidConfiguration", "useSecureCookies"],
  ["cookies that are none", { cookies: 5 }, "InvalidConfiguration", "cookies"],
  ["a cookie without a name", { cookies: { state: { name: "" } } }, "InvalidConfiguration", "cookies.state.name"],
  ["a cookie whose name is none", { cookies: { state: { name: "a;b" } } }, "InvalidConfiguration", "cookies.state"],
  [
    "a cookie with an odd rule",
    { cookies: { nonce: { options: { sameSite: "odd" } } } },
    "InvalidConfiguration",
    "cookies.nonce.options.sameSite"
  ],
  [
    "a cookie of no domain",
    { cookies: { csrfToken: { options: { domain: "a;b" } } } },
    "InvalidConfiguration",
    "cookies.csrfToken"
  ],
  ["a session in words", { session: "jwt" }, "InvalidConfiguration", "session"],
  ["an unknown strategy", { session: { strategy: "redis" } }, "InvalidConfiguration", "session.strategy"],
  ["a time below zero", { session: { maxAge: -1 } }, "InvalidConfiguration", "session.maxAge"],
  ["a time without end", { session: { maxAge: Infinity } }, "InvalidConfiguration", "session.maxAge"],
  ["a time in words", { session: { maxAge: "1 day" } }, "InvalidConfiguration", "session.maxAge"],
  ["a time that is no number", { session: { updateAge: NaN } }, "InvalidConfiguration", "session.updateAge"],
  [
    "a text where tokens are made",
    { session: { generateSessionToken: "x" } },
    "InvalidConfiguration",
    "session.generateSessionToken"
  ],
  ["sessions in no database", { session: { strategy: "database" } }, "MissingAdapter", "adapter"],
  ["no secret for tokens", { jwt: { secret: "" } }, "MissingSecret", "jwt.secret"],
  ["a weak secret for tokens", { jwt: { secret: weak } }, "WeakSecret", "jwt.secret"],
  ["a time of tokens below zero", { jwt: { maxAge: -1 } }, "InvalidConfiguration", "jwt.maxAge"],
  ["a codec that is none", { jwt: { encode: "jose" } }, "InvalidConfiguration", "jwt.encode"],
  ["a page without a slash", { pages: { signIn: "login" } }, "InvalidConfiguration", "pages.signIn"],
  ["a page of script", { pages: { error: "javascript:alert(1)" } }, "InvalidConfiguration", "pages.error"],
  ["a page that leads to itself", { pages: { signIn: "/auth/signin" } }, "InvalidConfiguration", "pages.signIn"],
  ["a number for a page", { pages: { signOut: 5 } }, "InvalidConfiguration", "pages.signOut"],
  ["an unknown scheme of colors", { theme: { colorScheme: "blue" } }, "InvalidConfiguration", "theme.colorScheme"],
  ["a color that is none", { theme: { brandColor: "url(x)" } }, "InvalidConfiguration", "theme.brandColor"],
  ["a logo of script", { theme: { logo: "javascript:0" } }, "InvalidConfiguration", "theme.logo"],
  ["a callback that is none", { callbacks: { signIn: true } }, "InvalidConfiguration", "callbacks.signIn"],
  ["callbacks that are none", { callbacks: 5 }, "InvalidConfiguration", "callbacks"],
  ["an event that is none", { events: { signOut: {} } }, "InvalidConfiguration", "events.signOut"],
  ["events that are none", { events: "all" }, "InvalidConfiguration", "events"],
  ["a logger that is none", { logger: 5 }, "InvalidConfiguration", "logger"],
  ["debug in words", { debug: "yes" }, "InvalidConfiguration", "debug"],
  ["a proxy without a scheme", { redirectProxyUrl: "proxy" }, "InvalidConfiguration", "redirectProxyUrl"],
  ["a number for a proxy", { redirectProxyUrl: 5 }, "InvalidConfiguration", "redirectProxyUrl"],
  ["everybody behind a proxy", { redirectProxyOrigins: ["*"] }, "InvalidConfiguration", "redirectProxyOrigins"],
  ["experiments that are none", { experimental: 5 }, "InvalidConfiguration", "experimental"],
  ["an adapter that is none", { adapter: 5 }, "InvalidConfiguration", "adapter"],
  ["an adapter of nothing", { adapter: {} }, "MissingAdapterMethods", "adapter"],
  ["an adapter that fails", { adapter: Effect.fail("down") }, "InvalidConfiguration", "adapter"],
  ["an adapter that dies", { adapter: Effect.die("down") }, "InvalidConfiguration", "adapter"],
  ["an adapter that is a mailer", { adapter: Effect.succeed(5) }, "InvalidConfiguration", "adapter"],
  ["a mailer that is none", { mailer: 5 }, "InvalidConfiguration", "mailer"],
  ["a mailer that cannot send", { mailer: {} }, "InvalidConfiguration", "mailer"],
  ["a mailer that fails", { mailer: Effect.fail("down") }, "InvalidConfiguration", "mailer"],
  ["a mailer that nobody provides", { mailer: Mailer }, "InvalidConfiguration", "mailer"],
  ["no providers", { providers: undefined }, "InvalidConfiguration", "providers"],
  ["providers that are no list", { providers: GitHub }, "InvalidConfiguration", "providers"],
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
  ["two of one id", { providers: [acme(), acme()] }, "InvalidConfiguration", "providers.acme"],
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
  ],
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

const exitOf = <E>(layer: Layer.Layer<Doorman, E, HttpClient.HttpClient>, from: object = {}) =>
  Effect.exit(
    Effect.scoped(
      Layer.build(layer.pipe(Layer.provide([nobody, ConfigProvider.layer(ConfigProvider.fromUnknown(from))])))
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

describe("Auth.layer", () => {
  it.effect("is built from sound options", () =>
    Effect.gen(function* () {
      assert.isTrue(Exit.isSuccess(yield* exitOf(Auth.layer(sound()))))
      assert.isTrue(Exit.isSuccess(yield* exitOf(Auth.layerConfig(sound()))))
    })
  )

  for (const [name, change, tag, field] of mistakes) {
    it.effect(`fails with ${tag} of ${field}: ${name}`, () =>
      Effect.gen(function* () {
        for (const door of ["layer", "layerConfig"] as const) {
          const options = untyped(
            Object.defineProperties(
              {},
              { ...Object.getOwnPropertyDescriptors(sound()), ...Object.getOwnPropertyDescriptors(change) }
            )
          )
          // What the options leave open, Config may have; it has nothing here but distrust.
          const failure = yield* failureOf(
            Layer.suspend((): Layer.Layer<Doorman, unknown, HttpClient.HttpClient> => Auth[door](options)),
            { AUTH_TRUST_HOST: "false" }
          )
          if (!isAuthError(failure)) return assert.fail(`${door}: ${String(failure)}`)
          assert.deepStrictEqual([door, failure._tag, failure.field], [door, tag, field])
          assert.match(failure.remedy, /^[A-Z][^!]+$/)
          assert.notInclude(failure.message, weak)
          assert.notInclude(failure.message, repeated)
        }
      })
    )
  }
})
