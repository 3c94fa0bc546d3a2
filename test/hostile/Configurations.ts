/**
 * Configurations of many shapes, right ones and wrong ones, for requests that are made up.
 */
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/AuthConfig.ts"
import { customFetch, skipCSRFCheck } from "../../src/internal/Markers.ts"
import * as Mailer from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { acme, network, options, password } from "../Visitor.ts"

/** What a configuration may answer with a status of 500 or more. */
export interface Configured {
  readonly name: string
  readonly options: Options
  /**
   * `never`: no answer of 5xx and no `error=Configuration`. `application`: a function of the application fails, or one
   * provider cannot be used. `refused`: nothing works, and every answer says so.
   */
  readonly fails: "never" | "application" | "refused"
}

const failing = (): never => {
  throw new Error("a function of the application failed")
}

// Wrong configurations are written as plain JavaScript would have them.
const unchecked = (more: object): Partial<Options> => more

const { fetch } = network()
const issuerOnly = (more: object = {}) =>
  acme({
    id: "oidc",
    type: "oidc",
    issuer: "https://idp.example",
    authorization: undefined,
    token: undefined,
    userinfo: undefined,
    [customFetch]: fetch,
    ...more
  })
const providers = [password(), acme({ [customFetch]: fetch }), issuerOnly()]
const mailing = { providers: [...providers, Email(), Passkey()], experimental: { enableWebAuthn: true } }
const stored = (more: Partial<Options> = {}): Partial<Options> => ({
  ...mailing,
  // With sessions in a database, authorize answers users of the store; none of these is one.
  providers: [password(() => null), ...mailing.providers.slice(1)],
  adapter: makeMemory(),
  mailer: Mailer.capture(100),
  ...more
})

const rows: ReadonlyArray<readonly [name: string, more: Partial<Options>, fails?: Configured["fails"]]> = [
  ["tokens", { providers }],
  ["interchangeable", { providers, interchangeable: true }],
  ["root base path", { providers, basePath: "" }],
  ["without CSRF tokens", { providers, skipCSRFCheck }],
  ["own names of cookies", { providers, cookies: { sessionToken: { name: "sid" }, csrfToken: { name: "csrf" } } }],
  ["own pages", { providers, pages: { signIn: "/login", error: "/oops?x=1", signOut: "/bye", newUser: "/hi" } }],
  ["debugging", { providers, debug: true }],
  [
    "form_post",
    { providers: [...providers.slice(0, 2), issuerOnly({ authorization: { params: { response_mode: "form_post" } } })] }
  ],
  ["redirect proxy", { providers, redirectProxyUrl: "https://proxy.example/auth" }],
  [
    "several secrets",
    { providers, secret: [`${"newest-secret-"}0123456789-abcdefghijk`, "older-secret-0123456789-abcdefghij"] }
  ],
  ["store and tokens", stored({ session: { strategy: "jwt" } })],
  ["store and sessions", stored()],
  ["store, interchangeable", stored({ interchangeable: true })],
  ["redirects anywhere", { providers, callbacks: { redirect: ({ url }) => url } }],
  ["redirects oddly", { providers, callbacks: { redirect: () => "myapp://cb" } }],
  [
    "callbacks fail",
    { providers, callbacks: { signIn: failing, jwt: failing, session: failing, redirect: failing } },
    "application"
  ],
  ["authorize fails", { providers: [password(failing), acme()] }, "application"],
  ["events fail", { providers, events: { signIn: failing, signOut: failing, session: failing } }],
  ["own tokens fail", { providers, jwt: { encode: failing, decode: failing } }, "application"],
  [
    "one provider without a client",
    { providers: [...providers, acme({ id: "x", clientId: undefined })] },
    "application"
  ],
  ["one issuer is no URL", { providers: [password(), issuerOnly({ issuer: "not a URL" })] }, "application"],
  ["passkeys without a store", { ...mailing }, "application"],
  ["no secret", { providers, secret: undefined }, "refused"],
  ["two providers with one id", { providers: [acme(), acme()] }, "refused"],
  ["database sessions without a store", { providers, session: { strategy: "database" } }, "refused"],
  ["providers are no list", unchecked({ providers: {} }), "refused"]
]

export const configurations = (): ReadonlyArray<Configured> =>
  rows.map(([name, more, fails = "never"]) => ({ name, options: options(more), fails }))
