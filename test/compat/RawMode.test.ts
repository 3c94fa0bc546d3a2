/**
 * Errors of raw mode, beside `@auth/core`: the same failures are thrown and the same redirect, and the differences are
 * those that `docs/compatibility.md` lists.
 */
import * as Core from "@auth/core"
import { AccessDenied, AuthError, CredentialsSignin, EmailSignInError } from "@auth/core/errors"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { layerMemory, Adapter, toPromises } from "../../src/Adapter.ts"
import * as Library from "../../src/index.ts"
import * as Effect from "effect/Effect"

type Options = Readonly<Record<PropertyKey, unknown>>

interface Side {
  readonly call: (request: Request, config: object) => Promise<unknown>
  readonly markers: Options
}

const sides: readonly [Side, Side] = [
  {
    call: (request, config) => Core.Auth(request, config as Core.AuthConfig),
    markers: { raw: Core.raw, skipCSRFCheck: Core.skipCSRFCheck }
  },
  {
    call: (request, config) => Library.Auth(request, config as Library.AuthConfig),
    markers: { raw: Library.raw, skipCSRFCheck: Library.skipCSRFCheck }
  }
]

/** The result of a call for an application: the error that it catches, or where it is sent. */
interface Outcome {
  readonly thrown?: string
  readonly cause?: string
  readonly error?: unknown
  readonly redirect?: string
}

const textOf = (value: unknown, name: string): string => String(Reflect.get(Object(value), name) ?? "")

const typeOf = (error: unknown): string =>
  [textOf(error, "type"), textOf(error, "type") === "CredentialsSignin" ? textOf(error, "code") : ""].join(" ").trim()

/** The error behind one, as programs for Auth.js read it. */
const causeOf = (error: Error): string => {
  const behind: unknown = Reflect.get(Object(error.cause), "err") ?? error.cause
  return behind instanceof Error ? behind.message : ""
}

/** An address without the number of the request, which the library adds to the error page. */
const placeOf = (address: string): string => {
  const url = new URL(address)
  url.searchParams.delete("request_id")
  return `${url.pathname}${url.search}`
}

let visits = 0

const outcomeOf = async (side: Side, { init, more = {}, path }: Case): Promise<Outcome> => {
  const store = toPromises(await Effect.runPromise(Effect.provide(Adapter, layerMemory)))
  const { email, password, ...rest } = more as { readonly email?: object; readonly password?: object }
  const config = {
    secret: `0123456789abcdef-raw-mode-${++visits}-fedcba9876543210`,
    trustHost: true,
    basePath: "/auth",
    ...side.markers,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    session: { strategy: "jwt" },
    adapter: store,
    providers: [
      {
        id: "acme",
        name: "Acme",
        type: "oauth",
        clientId: "client",
        clientSecret: "client-secret",
        authorization: "https://acme.example/authorize",
        token: "https://acme.example/token",
        userinfo: "https://acme.example/userinfo",
        checks: ["state"]
      },
      { id: "email", name: "Email", type: "email", maxAge: 600, sendVerificationRequest: () => undefined, ...email },
      {
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: { name: {} },
        authorize: () => null,
        ...password
      }
    ],
    ...rest
  }
  try {
    const answer = await side.call(new Request(`https://app.example/auth${path}`, init), config)
    const redirect =
      answer instanceof Response ? answer.headers.get("location") : Reflect.get(Object(answer), "redirect")
    return typeof redirect === "string" ? { redirect: placeOf(redirect) } : {}
  } catch (error) {
    return error instanceof Error ? { thrown: typeOf(error), cause: causeOf(error), error } : { thrown: "no error" }
  }
}

interface Case {
  readonly path: string
  readonly init?: RequestInit
  readonly more?: Options
}

const form = (fields: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields)
})

const throwing = (make: () => unknown) => () => {
  throw make()
}

const own = () => new AuthError("quota", { cause: new Error("429") })
const refusal = () => new AccessDenied("not this domain")
const locked = () => Object.assign(new CredentialsSignin("locked"), { code: "locked" })

class Quota extends AuthError {
  static readonly type = "Quota"
}

const ask = { path: "/signin/email", init: form({ email: "ann@app.example" }) }
const enter = { path: "/callback/password", init: form({ name: "ann" }) }
const accepting = { authorize: () => ({ id: "1", name: "Ann" }) }

const alike: Readonly<Record<string, Case>> = {
  "callback without an id": { path: "/callback" },
  "form to a callback without an id": { path: "/callback", init: form() },
  "callback of an unknown id": { path: "/callback/unknown" },
  "form to a callback of an unknown id": { path: "/callback/unknown", init: form() },
  "sign-in without an id": { path: "/signin", init: form() },
  "sign-in by an unknown id": { path: "/signin/unknown", init: form() },
  "options of passkeys without an id": { path: "/webauthn-options" },
  "options of passkeys of another type": { path: "/webauthn-options/password" },
  "a mailer that throws AuthError": { ...ask, more: { email: { sendVerificationRequest: throwing(own) } } },
  "a mailer that throws AccessDenied": { ...ask, more: { email: { sendVerificationRequest: throwing(refusal) } } },
  "a mailer that throws CredentialsSignin": { ...ask, more: { email: { sendVerificationRequest: throwing(locked) } } },
  "a mailer that throws EmailSignInError": {
    ...ask,
    more: {
      email: { sendVerificationRequest: throwing(() => new EmailSignInError("down", { cause: new Error("421") })) }
    }
  },
  "a mailer that throws a class of the application": {
    ...ask,
    more: { email: { sendVerificationRequest: throwing(() => new Quota("used up")) } }
  },
  "tokens that fail with AuthError": { ...ask, more: { email: { generateVerificationToken: throwing(own) } } },
  "a spelling that fails with AccessDenied": { ...ask, more: { email: { normalizeIdentifier: throwing(refusal) } } },
  "callbacks.signIn refuses an address": { ...ask, more: { callbacks: { signIn: () => false } } },
  "callbacks.signIn throws for an address": {
    ...ask,
    more: { callbacks: { signIn: throwing(() => new Error("no")) } }
  },
  "authorize answers null": enter,
  "authorize throws": { ...enter, more: { password: { authorize: throwing(() => new Error("db")) } } },
  "authorize throws CredentialsSignin": { ...enter, more: { password: { authorize: throwing(locked) } } },
  "authorize throws AuthError": { ...enter, more: { password: { authorize: throwing(own) } } },
  "callbacks.signIn refuses a password": {
    ...enter,
    more: { password: accepting, callbacks: { signIn: () => false } }
  },
  "callbacks.jwt throws": {
    ...enter,
    more: { password: accepting, callbacks: { jwt: throwing(() => new Error("no")) } }
  },
  "a form without a CSRF token": { path: "/signout", init: form(), more: { skipCSRFCheck: undefined } }
}

/** The results of Auth.js and of the library: each is a row of the document. */
const different: Readonly<Record<string, Case & { readonly peer: Outcome; readonly ours: Outcome }>> = {
  "`GET signin/‹unknown id›`": {
    path: "/signin/unknown",
    peer: { redirect: "/auth/error?error=Configuration" },
    ours: { thrown: "UnknownAction" }
  },
  "`GET callback/‹credentials›`": {
    path: "/callback/password",
    peer: { thrown: "InvalidProvider" },
    ours: { thrown: "UnknownAction" }
  },
  "OAuth callback without an open sign-in attempt": {
    path: "/callback/acme?code=x&state=y",
    peer: { thrown: "InvalidCheck" },
    ours: { thrown: "OAuthCallbackError" }
  },
  "link without a token": {
    path: "/callback/email?email=ann%40app.example",
    peer: { thrown: "CallbackRouteError" },
    ours: { thrown: "Verification" }
  },
  "`sendVerificationRequest` throws an error of another class": {
    ...ask,
    more: { email: { sendVerificationRequest: throwing(() => new Error("421")) } },
    peer: { redirect: "/auth/error?error=Configuration" },
    ours: { redirect: "/auth/signin?error=EmailSignin" }
  },
  "invalid email address": {
    path: "/signin/email",
    init: form({ email: "no address" }),
    peer: { redirect: "/auth/error?error=Configuration" },
    ours: { redirect: "/auth/signin?error=EmailSignin&code=email_invalid" }
  },
  "`callbacks.redirect` throws": {
    path: "/callback/password",
    init: form({ name: "ann", callbackUrl: "/in" }),
    more: { password: accepting, callbacks: { redirect: throwing(() => new Error("no")) } },
    peer: { redirect: "/auth/error?error=Configuration" },
    ours: { redirect: "/" }
  }
}

describe("raw mode beside Auth.js", () => {
  for (const [name, one] of Object.entries(alike)) {
    it(name, async () => {
      const [peer, ours] = [await outcomeOf(sides[0], one), await outcomeOf(sides[1], one)]
      assert.notDeepEqual(peer, {}, "it throws or redirects")
      assert.deepStrictEqual([ours.thrown, ours.redirect], [peer.thrown, peer.redirect])
      // A cause that Auth.js made itself is not repeated, only the application's error.
      if (peer.cause !== "") assert.strictEqual(ours.cause, peer.cause)
    })
  }

  it("throws the error object that a function of the application threw", async () => {
    for (const member of ["sendVerificationRequest", "generateVerificationToken", "normalizeIdentifier"]) {
      const error = own()
      const { error: thrown } = await outcomeOf(sides[1], {
        ...ask,
        more: { email: { [member]: throwing(() => error) } }
      })
      assert.strictEqual(thrown, error, member)
    }
  })

  const document = readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8")
  for (const [name, { ours, peer, ...one }] of Object.entries(different)) {
    it(`differs as documented: ${name}`, async () => {
      const seen = async (side: Side) => {
        const { redirect, thrown } = await outcomeOf(side, one)
        return [thrown, redirect]
      }
      assert.deepStrictEqual(await seen(sides[0]), [peer.thrown, peer.redirect])
      assert.deepStrictEqual(await seen(sides[1]), [ours.thrown, ours.redirect])
      const told = (outcome: Outcome) =>
        outcome.thrown === undefined ? `redirects to \`${outcome.redirect}\`` : `throws \`${outcome.thrown}\``
      assert.include(document, `| ${name} | ${told(peer)} | ${told(ours)} |`)
    })
  }
})
