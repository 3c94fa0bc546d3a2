/**
 * Configurations of many shapes, right ones and wrong ones, for requests that are made up.
 */
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { customFetch, skipCSRFCheck } from "../../src/internal/Markers.ts"
import type * as Mailer from "../../src/Mailer.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { idp } from "../MemoryProvider.ts"
import { acme, network, options, password } from "../Visitor.ts"

/** Permitted answers of a configuration with a status of 500 or more. */
export interface Configured {
  readonly name: string
  readonly options: Options
  /**
   * `never`: no answer of 5xx and no `error=Configuration`. `application`: a function of the application fails, or one
   * provider cannot be used. `refused`: nothing works, and every answer says so. `told`: as `never`, and the operator is told.
   */
  readonly fails: "never" | "told" | "application" | "refused"
}

const failing = (): never => {
  throw new Error("a function of the application failed")
}

// Wrong configurations are written as plain JavaScript would have them.
const unchecked = (more: object): Partial<Options> => more

/** Shared parts of the configurations of one round. */
export interface Surroundings {
  /** The network, in which the provider is. */
  readonly fetch: typeof globalThis.fetch
  /** Storage in a database. */
  readonly database: AdapterShape
  /** Links are sent to it. */
  readonly mailer: ReturnType<typeof Mailer.capture>
}

const nowhere = network().fetch

/** An application bounds the names that it lets in: a session that is too large is its own mistake, and an error in its log. */
const known = password(({ password, username }) =>
  password === "pw" && (username?.length ?? 0) <= 200
    ? { id: `id of ${username}`, name: username, email: "ann@example.com" }
    : null
)

const rowsIn = ({ database, fetch, mailer }: Surroundings) => {
  const oidc = (more: object = {}) =>
    idp({ id: "oidc", [customFetch]: fetch, ...more }) as unknown as Options["providers"][number]
  const providers = [known, acme({ [customFetch]: nowhere }), oidc()]
  const mailing = { providers: [...providers, Email(), Passkey()], experimental: { enableWebAuthn: true } }
  const stored = (more: Partial<Options> = {}): Partial<Options> => ({
    ...mailing,
    // With sessions in a database, authorize answers users of the store; none of these is one.
    providers: [password(() => null), ...mailing.providers.slice(1)],
    adapter: makeMemory(),
    mailer,
    ...more
  })
  const rows: ReadonlyArray<readonly [name: string, more: Partial<Options>, fails?: Configured["fails"]]> = [
    ["tokens", { providers }],
    ["root base path", { providers, basePath: "" }],
    ["without CSRF tokens", { providers, skipCSRFCheck }],
    ["own names of cookies", { providers, cookies: { sessionToken: { name: "sid" }, csrfToken: { name: "csrf" } } }],
    ["own pages", { providers, pages: { signIn: "/login", error: "/oops?x=1", signOut: "/bye", newUser: "/hi" } }],
    ["debugging", { providers, debug: true }],
    [
      "form_post",
      { providers: [...providers.slice(0, 2), oidc({ authorization: { params: { response_mode: "form_post" } } })] }
    ],
    ["redirect proxy", { providers, redirectProxyUrl: "https://proxy.example/auth" }],
    [
      "several secrets",
      { providers, secret: [`${"newest-secret-"}0123456789-abcdefghijk`, "older-secret-0123456789-abcdefghij"] }
    ],
    ["store and tokens", stored({ session: { strategy: "jwt" } })],
    ["store and sessions", stored()],
    ["database and sessions", stored({ adapter: database })],
    ["database and tokens", stored({ adapter: database, session: { strategy: "jwt" } })],
    ["redirects anywhere", { providers, callbacks: { redirect: ({ url }) => url } }],
    ["redirects oddly", { providers, callbacks: { redirect: () => "myapp://cb" } }],
    [
      "callbacks fail",
      { providers, callbacks: { signIn: failing, jwt: failing, session: failing, redirect: failing } },
      "application"
    ],
    ["authorize fails", { providers: [password(failing), acme()] }, "application"],
    ["events fail", { providers, events: { signIn: failing, signOut: failing, session: failing } }, "told"],
    ["own tokens fail", { providers, jwt: { encode: failing, decode: failing } }, "application"],
    [
      "one provider without a client",
      { providers: [...providers, acme({ id: "x", clientId: undefined })] },
      "application"
    ],
    ["one issuer is no URL", { providers: [password(), oidc({ issuer: "not a URL" })] }, "application"],
    ["passkeys without a store", { ...mailing }, "application"],
    ["no secret", { providers, secret: undefined }, "refused"],
    ["two providers with one id", { providers: [acme(), acme()] }, "refused"],
    ["database sessions without a store", { providers, session: { strategy: "database" } }, "refused"],
    ["providers are no list", unchecked({ providers: {} }), "refused"]
  ]
  return rows
}

export const configurations = (surroundings: Surroundings): ReadonlyArray<Configured> =>
  rowsIn(surroundings).map(([name, more, fails = "never"]) => ({ name, options: options(more), fails }))
