/**
 * What each function of the options requires, held by the compiler: this file is compiled by `npm run typecheck` and never
 * run. Each line has one function whose Effect needs a service of its own; the layer requires exactly that.
 */
// What must not compile is shown to the compiler alone.
// @effect-diagnostics missingEffectContext:off
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Auth from "../../src/Auth.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import { Email } from "../../src/Provider/Email.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { Google } from "../../src/Provider/Google.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { Resend } from "../../src/Provider/Resend.ts"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles when the layer requires exactly this. */
declare const requires: <Wanted>() => <L extends Layer.Any>(
  layer: L,
  ...found: Same<Layer.Services<L>, Wanted> extends true ? [] : [Layer.Services<L>]
) => void

/** The application's own database client. */
class SqlClient extends Context.Service<SqlClient, { readonly find: (name: string) => Effect.Effect<string> }>()(
  "test/SqlClient"
) {}
class Journal extends Context.Service<Journal, { readonly write: (line: string) => Effect.Effect<void> }>()(
  "test/Journal"
) {}

const sql = Effect.flatMap(SqlClient, ({ find }) => find("ann"))
const person = Effect.map(sql, (id) => ({ id }))
const profile = () => person
const request = () => Effect.map(sql, (token) => ({ tokens: { access_token: token } }))
const conform = () => Effect.as(sql, undefined)
const userinfo = () => Effect.map(sql, (login) => ({ login }))
const owner = () => Effect.map(person, (user) => ({ user, exists: true }))
const party = () => Effect.map(sql, (id) => ({ id, name: id, origin: `https://${id}` }))
const oauth = { id: "own", name: "Own", type: "oauth" } as const
const oidc = { id: "own", name: "Own", type: "oidc" } as const
const email = { id: "own", name: "Own", type: "email" } as const
const keys = { id: "own", name: "Own", type: "webauthn" } as const
const credentials = { id: "own", name: "Own", type: "credentials", credentials: { name: {} } } as const

type Found = HttpClient | SqlClient

// Objects of providers: each function by itself.
requires<Found>()(Auth.layer({ providers: [{ ...credentials, authorize: () => person }] }))
requires<Found>()(Auth.layer({ providers: [{ ...oauth, profile }] }))
requires<Found>()(Auth.layer({ providers: [{ ...oauth, token: { request } }] }))
requires<Found>()(Auth.layer({ providers: [{ ...oauth, token: { conform } }] }))
requires<Found>()(Auth.layer({ providers: [{ ...oauth, userinfo: { request: userinfo } }] }))
requires<Found>()(Auth.layer({ providers: [{ ...oidc, profile }] }))
requires<Found>()(Auth.layer({ providers: [{ ...oidc, token: { request } }] }))
requires<Found>()(Auth.layer({ providers: [{ ...oidc, userinfo: { request: userinfo } }] }))
requires<Found>()(Auth.layer({ providers: [{ ...email, sendVerificationRequest: () => sql }] }))
requires<Found>()(Auth.layer({ providers: [{ ...email, normalizeIdentifier: () => sql }] }))
requires<Found>()(Auth.layer({ providers: [{ ...email, generateVerificationToken: () => sql }] }))
requires<Found>()(Auth.layer({ providers: [{ ...keys, getUserInfo: owner }] }))
requires<Found>()(Auth.layer({ providers: [{ ...keys, getRelayingParty: party }] }))

// The same through factories.
requires<Found>()(Auth.layer({ providers: [Credentials({ authorize: () => person })] }))
requires<Found>()(Auth.layer({ providers: [GitHub({ profile })] }))
requires<Found>()(Auth.layer({ providers: [GitHub({ token: { request } })] }))
requires<Found>()(Auth.layer({ providers: [GitHub({ token: { conform } })] }))
requires<Found>()(Auth.layer({ providers: [GitHub({ userinfo: { request: userinfo } })] }))
requires<Found>()(Auth.layer({ providers: [Google({ profile })] }))
requires<Found>()(Auth.layer({ providers: [Email({ sendVerificationRequest: () => sql })] }))
requires<Found>()(Auth.layer({ providers: [Nodemailer({ normalizeIdentifier: () => sql })] }))
requires<Found>()(Auth.layer({ providers: [Resend({ generateVerificationToken: () => sql })] }))
requires<Found>()(Auth.layer({ providers: [Passkey({ getUserInfo: owner })] }))
requires<Found>()(Auth.layer({ providers: [Passkey({ getRelayingParty: party })] }))
requires<Found>()(Auth.layerConfig({ providers: [GitHub, () => GitHub({ profile })] }))

// Callbacks and events.
requires<Found>()(Auth.layer({ providers: [GitHub], callbacks: { signIn: () => Effect.as(sql, true) } }))
requires<Found>()(Auth.layer({ providers: [GitHub], callbacks: { redirect: () => sql } }))
requires<Found>()(Auth.layer({ providers: [GitHub], callbacks: { jwt: ({ token }) => Effect.as(sql, token) } }))
requires<Found>()(Auth.layer({ providers: [GitHub], callbacks: { session: (it) => Effect.as(sql, it.session) } }))
requires<Found>()(Auth.layer({ providers: [GitHub], events: { signIn: () => sql } }))
requires<Found>()(Auth.layer({ providers: [GitHub], events: { signOut: () => sql } }))
requires<Found>()(Auth.layer({ providers: [GitHub], events: { createUser: () => sql } }))
requires<Found>()(Auth.layer({ providers: [GitHub], events: { updateUser: () => sql } }))
requires<Found>()(Auth.layer({ providers: [GitHub], events: { linkAccount: () => sql } }))
requires<Found>()(Auth.layer({ providers: [GitHub], events: { addressReleased: () => sql } }))
requires<Found>()(Auth.layer({ providers: [GitHub], events: { session: () => sql } }))

// Several functions of one provider, and of several: none is lost.
requires<Found | Journal>()(
  Auth.layer({
    providers: [
      GitHub({ profile, userinfo: { request: () => Effect.as(Journal, {}) } }),
      Credentials({ authorize: () => null })
    ]
  })
)
requires<Found | Journal>()(
  Auth.layerConfig({
    providers: [{ ...credentials, authorize: () => person }, Email({ sendVerificationRequest: () => Journal })]
  })
)

// What every request has is not required.
requires<HttpClient>()(
  Auth.layer({
    providers: [
      {
        ...credentials,
        authorize: () =>
          Effect.gen(function* () {
            yield* HttpServerRequest
            yield* Effect.addFinalizer(() => Effect.void)
            return null
          })
      }
    ]
  })
)

const unfinished = Auth.layer({ providers: [Credentials({ authorize: () => person })] })
// @ts-expect-error the service of `authorize` is not provided
requires<never>()(unfinished.pipe(Layer.provide(FetchHttpClient.layer)))
// @ts-expect-error the function `Auth` has nowhere to take it from
void Auth.Auth(new Request("https://app.example"), { providers: [Credentials({ authorize: () => person })] })
// @ts-expect-error nor for a profile
void Auth.Auth(new Request("https://app.example"), { providers: [GitHub({ profile })] })
// @ts-expect-error nor for an event
void Auth.Auth(new Request("https://app.example"), { providers: [GitHub], events: { signIn: () => sql } })
// @ts-expect-error a function answers what it is asked for
Auth.layer({ providers: [Credentials({ authorize: () => Effect.succeed(5) })] })
// @ts-expect-error no such option of a provider
Auth.layer({ providers: [GitHub({ clientSecrt: "" })] })
