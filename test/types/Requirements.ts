/**
 * Requirements of each function of the options, checked by the compiler: this file is compiled by `npm run typecheck` and never
 * run. Each line has one function whose Effect needs a service of its own; the layer requires exactly that.
 */
// Only the compiler sees the rejected programs.
// @effect-diagnostics missingEffectContext:off
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth } from "../../src/Auth.ts"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
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
const adapter = Adapter.makeMemory()

// Objects of providers: each function by itself.
requires<Found>()(Doorman.layer({ providers: [{ ...credentials, authorize: () => person }] }))
requires<Found>()(Doorman.layer({ providers: [{ ...oauth, profile }] }))
requires<Found>()(Doorman.layer({ providers: [{ ...oauth, token: { request } }] }))
requires<Found>()(Doorman.layer({ providers: [{ ...oauth, token: { conform } }] }))
requires<Found>()(Doorman.layer({ providers: [{ ...oauth, userinfo: { request: userinfo } }] }))
requires<Found>()(Doorman.layer({ providers: [{ ...oidc, profile }] }))
requires<Found>()(Doorman.layer({ providers: [{ ...oidc, token: { request } }] }))
requires<Found>()(Doorman.layer({ providers: [{ ...oidc, userinfo: { request: userinfo } }] }))
requires<Found>()(Doorman.layer({ adapter, providers: [{ ...email, sendVerificationRequest: () => sql }] }))
requires<Found>()(Doorman.layer({ adapter, providers: [{ ...email, normalizeIdentifier: () => sql }] }))
requires<Found>()(Doorman.layer({ adapter, providers: [{ ...email, generateVerificationToken: () => sql }] }))
requires<Found>()(Doorman.layer({ adapter, providers: [{ ...keys, getUserInfo: owner }] }))
requires<Found>()(Doorman.layer({ adapter, providers: [{ ...keys, getRelayingParty: party }] }))

// Through factories.
requires<Found>()(Doorman.layer({ providers: [Credentials({ authorize: () => person })] }))
requires<Found>()(Doorman.layer({ providers: [GitHub({ profile })] }))
requires<Found>()(Doorman.layer({ providers: [GitHub({ token: { request } })] }))
requires<Found>()(Doorman.layer({ providers: [GitHub({ token: { conform } })] }))
requires<Found>()(Doorman.layer({ providers: [GitHub({ userinfo: { request: userinfo } })] }))
requires<Found>()(Doorman.layer({ providers: [Google({ profile })] }))
requires<Found>()(Doorman.layer({ adapter, providers: [Email({ sendVerificationRequest: () => sql })] }))
requires<Found>()(Doorman.layer({ adapter, providers: [Nodemailer({ normalizeIdentifier: () => sql })] }))
requires<Found>()(Doorman.layer({ adapter, providers: [Resend({ generateVerificationToken: () => sql })] }))
requires<Found>()(Doorman.layer({ adapter, providers: [Passkey({ getUserInfo: owner })] }))
requires<Found>()(Doorman.layer({ adapter, providers: [Passkey({ getRelayingParty: party })] }))
requires<Found>()(Doorman.layerConfig({ providers: [GitHub, () => GitHub({ profile })] }))

// Callbacks and events.
requires<Found>()(Doorman.layer({ providers: [GitHub], callbacks: { signIn: () => Effect.as(sql, true) } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], callbacks: { redirect: () => sql } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], callbacks: { jwt: ({ token }) => Effect.as(sql, token) } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], callbacks: { session: (it) => Effect.as(sql, it.session) } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], events: { signIn: () => sql } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], events: { signOut: () => sql } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], events: { createUser: () => sql } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], events: { updateUser: () => sql } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], events: { linkAccount: () => sql } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], events: { addressReleased: () => sql } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], events: { session: () => sql } }))

// Session tokens.
requires<Found>()(Doorman.layer({ providers: [GitHub], jwt: { encode: () => sql } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], jwt: { decode: () => Effect.map(sql, (sub) => ({ sub })) } }))
requires<Found>()(Doorman.layer({ providers: [GitHub], session: { generateSessionToken: () => sql } }))
requires<Found | Journal>()(
  Doorman.layerConfig({
    providers: [GitHub],
    jwt: { maxAge: "1 minute", encode: ({ salt }) => Effect.as(Journal, salt), decode: () => null },
    session: { maxAge: "1 minute", generateSessionToken: () => sql }
  })
)
// @ts-expect-error the function `Auth` has nowhere to take it from
void Auth(new Request("https://app.example"), { providers: [GitHub], jwt: { encode: () => sql } })
// @ts-expect-error a token is text
Doorman.layer({ providers: [GitHub], jwt: { encode: () => Effect.succeed(5) } })
// @ts-expect-error claims are an object, or nothing
Doorman.layer({ providers: [GitHub], jwt: { decode: () => Effect.succeed("claims") } })
// @ts-expect-error a token is text
Doorman.layer({ providers: [GitHub], session: { generateSessionToken: () => Effect.succeed(5) } })
// @ts-expect-error no such function
Doorman.layer({ providers: [GitHub], jwt: { encod: () => "" } })

// Several functions of one provider, and of several: none is lost.
requires<Found | Journal>()(
  Doorman.layer({
    providers: [
      GitHub({ profile, userinfo: { request: () => Effect.as(Journal, {}) } }),
      Credentials({ authorize: () => null })
    ]
  })
)
requires<Found | Journal>()(
  Doorman.layerConfig({
    adapter,
    providers: [{ ...credentials, authorize: () => person }, Email({ sendVerificationRequest: () => Journal })]
  })
)

// Services of every request are not required.
requires<HttpClient>()(
  Doorman.layer({
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

const unfinished = Doorman.layer({ providers: [Credentials({ authorize: () => person })] })
// @ts-expect-error the service of `authorize` is not provided
requires<never>()(unfinished.pipe(Layer.provide(FetchHttpClient.layer)))
// @ts-expect-error the function `Auth` has nowhere to take it from
void Auth(new Request("https://app.example"), { providers: [Credentials({ authorize: () => person })] })
// @ts-expect-error nor for a profile
void Auth(new Request("https://app.example"), { providers: [GitHub({ profile })] })
// @ts-expect-error nor for an event
void Auth(new Request("https://app.example"), { providers: [GitHub], events: { signIn: () => sql } })
// @ts-expect-error a function answers what it is asked for
Doorman.layer({ providers: [Credentials({ authorize: () => Effect.succeed(5) })] })
// @ts-expect-error no such option of a provider
Doorman.layer({ providers: [GitHub({ clientSecrt: "" })] })

// Secrets of a layer are redacted, times are durations, and options have their names.
const secret = Redacted.make("")
requires<HttpClient>()(
  Doorman.layer({
    providers: [GitHub],
    secret: [secret, secret],
    retiredSecrets: [{ secret, until: "2026-12-31" }],
    session: { maxAge: "8 hours", absoluteMaxAge: Duration.days(7), updateAge: { minutes: 5 } },
    jwt: { secret, maxAge: "1 hour" }
  })
)
// @ts-expect-error a plain secret
Doorman.layer({ providers: [GitHub], secret: "" })
// @ts-expect-error a plain secret among others
Doorman.layer({ providers: [GitHub], secret: [secret, ""] })
// @ts-expect-error a plain secret of before
Doorman.layer({ providers: [GitHub], retiredSecrets: [{ secret: "", until: "2026-12-31" }] })
// @ts-expect-error a plain secret for tokens
Doorman.layer({ providers: [GitHub], jwt: { secret: "" } })
// @ts-expect-error a number is seconds in `Auth` and milliseconds in Effect
Doorman.layer({ providers: [GitHub], session: { maxAge: 3600 } })
// @ts-expect-error the same for the end of a session
Doorman.layer({ providers: [GitHub], session: { absoluteMaxAge: 3600 } })
// @ts-expect-error the same for renewals
Doorman.layer({ providers: [GitHub], session: { updateAge: 3600 } })
// @ts-expect-error the same for tokens
Doorman.layer({ providers: [GitHub], jwt: { maxAge: 3600 } })
// @ts-expect-error the same for cookies
Doorman.layer({ providers: [GitHub], cookies: { state: { options: { maxAge: 60 } } } })
// @ts-expect-error no such option of sessions
Doorman.layer({ providers: [GitHub], session: { maxage: "1 hour" } })
// @ts-expect-error a Config is no time: `Layer.unwrap` reads it
Doorman.layer({ providers: [GitHub], session: { maxAge: Config.Duration("") } })

// @ts-expect-error no such option of sessions
Doorman.layerConfig({ providers: [GitHub], session: { maxage: "1 hour" } })
// @ts-expect-error `Auth` has seconds
void Auth(new Request("https://app.example"), { providers: [GitHub], session: { maxAge: "1 hour" } })
