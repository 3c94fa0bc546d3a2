/**
 * At which level each failure is logged, and what of it a logger of the application, or the console, receives.
 */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { encode } from "@auth/core/jwt"
import * as Effect from "effect/Effect"
import * as Errors from "../../src/Errors.ts"
import { facts, type FailureTag } from "../../src/internal/FailureFacts.ts"
import { logging } from "../../src/composition/Services.ts"
import { report } from "../../src/telemetry/Report.ts"
import { facade, listener, options, password, site, visitor } from "../Visitor.ts"

type Level = "Error" | "Info"

// The compiler keeps this list complete.
const levels: Readonly<Record<FailureTag, Level>> = {
  AccessDenied: "Info",
  AccountNotLinked: "Info",
  AdapterError: "Error",
  Callback: "Error",
  CallbackRouteError: "Error",
  Configuration: "Error",
  CredentialsSignin: "Info",
  DuplicateConditionalUi: "Error",
  EmailSignInError: "Error",
  EmailCreateAccount: "Error",
  ErrorPageLoop: "Error",
  EventError: "Error",
  ExperimentalFeatureNotEnabled: "Error",
  InvalidCallbackUrl: "Info",
  InvalidCheck: "Info",
  InvalidConfiguration: "Error",
  InvalidEmail: "Info",
  InvalidEndpoints: "Error",
  InvalidProvider: "Info",
  JwtSessionError: "Info",
  LastWayToSignIn: "Info",
  MalformedRequest: "Info",
  MethodNotAllowed: "Info",
  MissingAdapter: "Error",
  MissingAdapterMethods: "Error",
  MissingAuthorize: "Error",
  MissingCsrf: "Info",
  MissingSecret: "Error",
  MissingWebAuthnAutocomplete: "Error",
  OAuthAccountNotLinked: "Info",
  OAuthCallbackError: "Error",
  OAuthCreateAccount: "Error",
  OAuthProfileParseError: "Error",
  OAuthSignInError: "Error",
  PayloadTooLarge: "Info",
  RequestTimeout: "Info",
  SessionConflict: "Info",
  SessionRequired: "Info",
  SessionTokenError: "Error",
  ProviderTokenError: "Error",
  ReauthenticationRequired: "Info",
  SharedStateError: "Error",
  SignOutError: "Error",
  Signin: "Info",
  TooManyAttempts: "Info",
  UnexpectedError: "Error",
  UnknownAction: "Info",
  UnprovenAddress: "Info",
  UnsupportedMediaType: "Info",
  UnsupportedStrategy: "Error",
  UntrustedHost: "Error",
  Verification: "Info",
  WeakSecret: "Error",
  WebAuthnVerificationError: "Info"
}

type Fields = Errors.FailureFields & { readonly allow: string; readonly method: string; readonly reason: "unavailable" }
const classes = Errors as unknown as Readonly<Record<FailureTag, new (fields: Fields) => Errors.AuthError>>
const failureOf = (tag: FailureTag, more: Errors.FailureFields = {}): Errors.AuthError =>
  new classes[tag]({ allow: "GET", method: "getUser", reason: "unavailable", detail: "What happened", ...more })

const lines: Array<readonly [string, string]> = []
beforeEach(() => {
  lines.length = 0
  for (const level of ["error", "warn", "info", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...words: Array<unknown>) => void lines.push([level, words.join(" ")]))
  }
})
afterEach(() => vi.restoreAllMocks())

const run = (failure: Errors.AuthError, options: Parameters<typeof logging>[0]) =>
  Effect.runSyncWith(logging(options))(report(failure))

describe("a failure is logged at the level of the party that is responsible", () => {
  for (const tag of Object.keys(facts) as Array<FailureTag>) {
    const level = levels[tag]
    it(`${tag} is ${level}`, () => {
      const failure = failureOf(tag)
      const { logger, told } = listener()
      run(failure, { logger })
      const alarm = level === "Error"
      assert.deepStrictEqual([told.errors, told.mistakes], alarm ? [[failure], []] : [[], [failure]])
      assert.deepStrictEqual(told.warnings, [])
      assert.deepStrictEqual(lines, [])

      run(failure, {})
      const shown = { Error: ["error"], Info: ["info"] }[level]
      assert.deepStrictEqual(
        lines.map(([at]) => at),
        shown
      )
      for (const [at, line] of lines) assert.include(line, `[auth][${at}] ${failure.type}: What happened`)
    })

    it(`${tag} reaches a logger with error alone only as an alarm`, () => {
      const errors: Array<Error> = []
      run(failureOf(tag), { logger: { error: (error) => void errors.push(error) } })
      assert.strictEqual(errors.length, level === "Error" ? 1 : 0)
      assert.strictEqual(lines.length, level === "Info" ? 1 : 0)
    })
  }

  const occurrences: ReadonlyArray<readonly [string, Errors.AuthError, Level]> = [
    ["too many attempts", failureOf("CredentialsSignin", { code: "throttled" }), "Info"],
    ["a person who refuses at the provider", failureOf("OAuthCallbackError", { blame: "person" }), "Info"],
    ["a callback that throws", failureOf("AccessDenied", { blame: "operator" }), "Error"],
    ["a session that the application cannot write", failureOf("JwtSessionError", { blame: "operator" }), "Error"]
  ]
  for (const [title, failure, level] of occurrences) {
    it(`${title} is ${level}, for any tag`, () => {
      const { logger, told } = listener()
      run(failure, { logger })
      assert.deepStrictEqual([told.errors.length, told.mistakes.length], level === "Error" ? [1, 0] : [0, 1])
    })
  }
})

describe("what a visitor does wrong is no alarm", () => {
  const requests: ReadonlyArray<readonly [string, string, RequestInit]> = [
    ["a wrong password", "/auth/callback/credentials", { method: "POST", body: "username=a&password=wrong" }],
    ["a form without a CSRF token", "/auth/signout", { method: "POST", body: "x=1" }],
    ["a forged callback", "/auth/callback/acme?code=x&state=y", {}],
    ["a callback that comes twice", "/auth/callback/acme?code=x&state=y&state=z", {}],
    ["an unknown provider", "/auth/callback/nobody?code=x", {}],
    ["an unknown action", "/auth/nothing", {}],
    ["an unknown provider of a form", "/auth/signin/nobody", { method: "POST", body: "x=1" }],
    ["a method that is not answered", "/auth/session", { method: "DELETE" }],
    ["an invalid session cookie", "/auth/session", { headers: { cookie: "__Secure-authjs.session-token=junk" } }],
    [
      "JSON that is none",
      "/auth/signout",
      { method: "POST", headers: { "content-type": "application/json" }, body: "{" }
    ]
  ]
  for (const [title, path, init] of requests) {
    it(title, async () => {
      const { logger, told } = listener()
      const headers = new Headers(init.headers)
      if (init.body !== undefined && !headers.has("content-type"))
        headers.set("content-type", "application/x-www-form-urlencoded")
      await facade(options({ logger }))(new Request(`${site}${path}`, { ...init, headers }))
      assert.deepStrictEqual(told.errors, [])
      assert.strictEqual(told.mistakes.length, 1)
    })
  }

  it("an invalid session cookie that is signed out", async () => {
    const { logger, told } = listener()
    const browser = visitor(facade(options({ logger })))
    browser.cookies.set("__Secure-authjs.session-token", "junk")
    await browser.submit("/auth/signout")
    assert.deepStrictEqual(told.errors, [])
    assert.deepStrictEqual(
      told.mistakes.map((mistake) => (mistake as { readonly _tag: string })._tag),
      ["SignOutError"]
    )
  })

  it("an address of this site is whole in the message, where the browser remembers another", async () => {
    const { logger, told } = listener()
    const headers = {
      cookie: `__Host-authjs.csrf-token=x; __Secure-authjs.callback-url=${encodeURIComponent(`${site}/inside`)}`
    }
    const path = `/auth/signin?callbackUrl=${encodeURIComponent("https://other.example/x")}`
    await facade(options({ logger }))(new Request(`${site}${path}`, { headers }))
    const [mistake] = told.mistakes as ReadonlyArray<Errors.AuthError>
    assert.include(mistake?.detail ?? "", `the browser goes to ${site}`)
  })

  it("a person whom the application refuses", async () => {
    const { logger, told } = listener()
    await visitor(facade(options({ logger, callbacks: { signIn: () => false } }))).signIn()
    assert.deepStrictEqual([told.errors.length, told.mistakes.length], [0, 1])
  })
})

describe("a mistake of the application is an alarm, for every client", () => {
  const broken = () => {
    throw new TypeError("undefined is not a function")
  }
  const mistakes = [
    ["callbacks.signIn", { callbacks: { signIn: broken } }],
    ["callbacks.jwt", { callbacks: { jwt: broken } }],
    ["callbacks.redirect", { callbacks: { redirect: broken } }],
    ["authorize", { providers: [password(broken)] }],
    ["jwt.encode", { jwt: { encode: broken } }],
    ["an event", { events: { signIn: broken } }]
  ] as const
  for (const [title, more] of mistakes) {
    it(`${title} throws`, async () => {
      const { logger, told } = listener()
      await visitor(facade(options({ logger, ...more }))).submit("/auth/callback/credentials", {
        username: "ann",
        password: "pw",
        callbackUrl: "/x"
      })
      assert.deepStrictEqual([told.errors.length, told.mistakes], [1, []])
      assert.include(String(Reflect.get(told.errors[0]?.cause ?? {}, "message")), "undefined is not a function")
    })
  }

  it("callbacks.session throws", async () => {
    const { logger, told } = listener()
    const browser = visitor(facade(options({ logger, callbacks: { session: broken } })))
    await browser.signIn()
    await browser.session()
    assert.deepStrictEqual([told.errors.length, told.mistakes], [1, []])
  })
})

describe("advice fits the occurrence", () => {
  it("email and passkeys need an adapter, for both session strategies", async () => {
    assert.notMatch(failureOf("MissingAdapter").remedy, /jwt|strategy/)
  })

  for (const [reason, advice, claims] of [
    ["expired", /session has ended/, { iat: 1, exp: 2 }],
    ["issued_in_future", /[Cc]locks/, { iat: 2_100_000_000, exp: 2_100_000_100 }]
  ] as const) {
    it(`a session token that is ${reason} is not explained by the secret`, async () => {
      vi.useFakeTimers({ toFake: ["Date"], now: claims.iat * 1000 })
      const name = "__Secure-authjs.session-token"
      const secret = options().secret as string
      const token = await encode({ token: { sub: "1" }, secret, salt: name, maxAge: claims.exp - claims.iat })
      vi.useRealTimers()
      const { logger, told } = listener()
      await facade(options({ logger }))(
        new Request(`${site}/auth/session`, { headers: { cookie: `${name}=${token}` } })
      )
      const [mistake] = told.mistakes as ReadonlyArray<Errors.AuthError>
      assert.strictEqual(mistake?.detail, reason)
      assert.match(mistake?.remedy ?? "", advice)
      assert.notMatch(mistake?.remedy ?? "", /secret (?:was|has|changed)/)
    })
  }
})
