/**
 * The options as the application writes them, and the Schema that reads those that are data.
 *
 * The names and defaults are those of the configuration reference (`docs/configuration.md`). Functions are taken as they
 * are; providers are read by `Provider/internal/ReadProvider.ts`.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { CallbacksOptions } from "../Callbacks.ts"
import type { CookieOverrides } from "../http/Cookie.ts"
import type { EventsOptions } from "../Events.ts"
import { isYes } from "./Flag.ts"
import type { Answer, Done } from "../internal/Answer.ts"
import { reveal, revealAll } from "../internal/Reveal.ts"
import type { Time } from "../internal/Times.ts"
import type { raw, skipCSRFCheck } from "../internal/Markers.ts"
import type { RetiredSecret } from "../crypto/RetiredSecrets.ts"
import type { Mailer } from "../Mailer.ts"
import type { StateStore } from "../SharedState.ts"
import { type JWT, PagesOptions, type Theme } from "../Models.ts"
import type { ProviderInput } from "../Provider/internal/ProviderOptions.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import type { PromiseAdapter } from "../authjs/PromiseAdapter.ts"
import type { WarningCode } from "../telemetry/Warnings.ts"

/**
 * A logger of the application's. What it does not implement goes to the console.
 *
 * @category models
 * @since 0.1.0
 */
export interface LoggerInstance {
  error: (error: Error) => void
  warn: (code: WarningCode, text?: string) => void
  debug: (message: string, metadata?: unknown) => void
}

/**
 * Session tokens. Functions have secrets as strings and `Age` in seconds; layers have them redacted and durations. Custom `encode`
 * and `decode` get strings and seconds in both.
 *
 * @category models
 * @since 0.1.0
 */
export interface JwtOptions<R = never, Secret = string, Age = number> {
  /** How long a token is valid. Default: `session.maxAge`. */
  readonly maxAge?: Age | undefined
  /** Secrets for session tokens, when they differ from `secret`. */
  readonly secret?: Secret | ReadonlyArray<Secret> | undefined
  /** Opens cookies that another program encrypted with A256GCM; they are written as A256CBC-HS512. Default: `false`. */
  readonly acceptA256GCM?: boolean | undefined
  /** Replaces the sealing of session tokens. */
  readonly encode?: ((params: JwtEncodeCall) => Answer<string, R>) | undefined
  /** Replaces the opening of session tokens. */
  readonly decode?: ((params: JwtDecodeCall) => Answer<JWT | null, R>) | undefined
}

/**
 * What a custom `jwt.encode` is given. `maxAge` is in seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface JwtEncodeCall {
  readonly token?: JWT
  readonly secret: string | Array<string>
  readonly salt: string
  readonly maxAge?: number
}

/**
 * What a custom `jwt.decode` is given.
 *
 * @category models
 * @since 0.1.0
 */
export interface JwtDecodeCall {
  readonly token?: string
  readonly secret: string | Array<string>
  readonly salt: string
  /** Retired secrets that open tokens at this time, where there are any. */
  readonly retiredSecrets?: ReadonlyArray<RetiredSecret>
  /** Seconds, as configured. */
  readonly maxAge?: number
}

/**
 * Sessions. Times are seconds for functions, and durations such as `"8 hours"` for layers.
 *
 * @category models
 * @since 0.1.0
 */
export interface SessionOptions<R = never, Age = number> {
  /** How sessions are kept. Default: `database` with an adapter, else `jwt`. */
  readonly strategy?: "jwt" | "database" | undefined
  /** How long a session lasts that is not used. Default: 30 days. */
  readonly maxAge?: Age | undefined
  /** How long after the sign-in a session ends, however often it is used. Default: never. */
  readonly absoluteMaxAge?: Age | undefined
  /**
   * Least time between two renewals. Default: one day, for tokens a tenth of `maxAge` where that is less. The function `Auth`
   * renews tokens at every read.
   */
  readonly updateAge?: Age | undefined
  /** Makes the tokens of database sessions. Default: a random UUID (RFC 9562 section 5.4). */
  readonly generateSessionToken?: (() => Answer<string, R>) | undefined
  /**
   * Do sessions outlive the browser? With `false` the cookie ends when the browser closes. With `"ask"` the person decides in the
   * form, by a field `rememberMe`; a form without it counts as no. `signIn` of the server decides for its sign-in. Default: `true`,
   * and a form may say no.
   */
  readonly rememberMe?: boolean | "ask" | undefined
  /**
   * Ends sessions that are tokens before they expire: at a sign-out, and by `revokeAll`. Each process then asks the shared
   * state. Default: `false`. Sessions in a database always end.
   */
  readonly revocation?: boolean | undefined
  /** Longest time until every process rejects a token session that was revoked. Default: one minute. */
  readonly revocationCheck?: Age | undefined
}

/**
 * The platform's function. The promise resolves when the mail was sent or has failed; it never rejects.
 *
 * @category models
 * @since 0.1.0
 */
export type WaitUntil = (sending: Promise<void>) => Done

/**
 * The options of both faces. `R` is what the Effects that its functions answer require: nothing for functions, what the
 * application provides for a layer, and `Storage` and `Mail` what the Effects of an adapter and a mailer require. Secrets are
 * strings for functions and `Redacted` for layers, times are seconds and durations.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<R = never, Storage = R, Mail = R, Secret = string, Age = number, Input = ProviderInput> {
  /** Provider objects, or factories of them. */
  providers: ReadonlyArray<Input>
  /** Path of the endpoints. Default: `/auth`. */
  basePath?: string | undefined
  /**
   * Newest first; the first one seals, all of them open. Each holds at least 16 random bytes in hex or base64, or 32
   * characters. A weak one is an error in production and a warning elsewhere.
   */
  secret?: Secret | Array<Secret> | undefined
  /** Secrets of before, weak ones too, that open session tokens until their date and have no other use. At most 8. */
  retiredSecrets?: ReadonlyArray<RetiredSecret<Secret>> | undefined
  /**
   * The public origin of the site, such as `https://app.example`: no host of a request counts then. `setEnvDefaults` and
   * `Doorman.layerConfig` take it from `AUTH_URL`.
   */
  origin?: string | undefined
  /**
   * Without an `origin`: the hosts that requests may name, such as `app.example` or `*.preview.example`. Others are 400. With a
   * scheme, such as `https://app.example`, an entry says that browsers reach the host by it, whatever a proxy makes of it.
   */
  trustedHosts?: ReadonlyArray<string> | undefined
  /**
   * The networks of the proxies in front, such as `10.0.0.0/8` or `::1`: their `X-Forwarded-For`, `-Proto` and `-Host` count,
   * where the connection of a request is known. A web `Request` has none.
   */
  trustedProxies?: ReadonlyArray<string> | undefined
  /** Without both: the host of requests is trusted, because a reverse proxy or platform in front checks it. */
  trustHost?: boolean | undefined
  /** `Secure` cookies with name prefixes. Default: for `https:` requests. */
  useSecureCookies?: boolean | undefined
  /** Names and attributes of cookies that differ from the defaults. */
  cookies?: CookieOverrides<Age> | undefined
  session?: SessionOptions<R, Age> | undefined
  jwt?: JwtOptions<R, Secret, Age> | undefined
  pages?: Partial<PagesOptions> | undefined
  theme?: Theme | undefined
  callbacks?: CallbacksOptions<R> | undefined
  events?: EventsOptions<R> | undefined
  logger?: Partial<LoggerInstance> | undefined
  debug?: boolean | undefined
  /** Base of a deployment that receives the answers of providers for others. */
  redirectProxyUrl?: string | undefined
  /** On the proxy: origins that answers may be forwarded to. Default: every deployment with the same secret. */
  redirectProxyOrigins?: ReadonlyArray<string> | undefined
  /**
   * What follows when a person proves an address that a user holds who never proved it. `"ask"` (default): the person signs in
   * with a method of that user as well, or begins a new account. `"release"`: a new account gets the address. `"keep"`: the
   * person is signed in as that user, as with Auth.js, although another person may have created it.
   */
  unprovenAddress?: "ask" | "release" | "keep" | undefined
  /**
   * Where the tokens of providers are kept. `"cookie"`: those of the sign-in in a sealed cookie of the browser, for sites
   * without a store. Default: in the store, where there is one.
   */
  providerTokens?: "cookie" | undefined
  experimental?: { readonly enableWebAuthn?: boolean | undefined } | undefined
  /**
   * Storage: an Auth.js adapter, or one of `Adapter`. For a layer also an Effect of one, such as `Adapter` itself, which the
   * layer then requires.
   */
  adapter?: PromiseAdapter | AdapterShape | Effect.Effect<AdapterShape, unknown, Storage> | undefined
  /** Sends the mails of email providers that do not themselves. For a layer also an Effect of one, such as `Mailer` itself. */
  mailer?: Mailer["Service"] | Effect.Effect<Mailer["Service"], unknown, Mail> | undefined
  /** The store of what all processes of the site must agree on; without one it is the memory of each process. */
  sharedState?: StateStore | undefined
  /**
   * Sends sign-in mails after the answer: given the promise of each, it keeps the process alive until the mail is sent, such
   * as `waitUntil` of Cloudflare and Vercel. Without it the answer waits for the mail.
   */
  waitUntil?: WaitUntil | undefined
  /**
   * The address of the client by a header that the proxy in front sets, such as `(headers) => headers.get("fly-client-ip")`. A
   * header that clients can set themselves must not be read here. Default: the address of the connection, or the one that
   * `trustedProxies` forward, where it is public.
   */
  clientAddress?: ((headers: Headers) => string | null | undefined) | undefined
  raw?: typeof raw | undefined
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
}

/**
 * How a field is read, as an annotation of its Schema.
 *
 * @internal
 */
export interface FieldRules {
  /** Brings the spellings of both faces, and those of plain JavaScript, into the one that the Schema accepts. */
  readonly read?: (value: unknown) => unknown
  /** Counts `null` as a value. Elsewhere it means that the field is not set. */
  readonly isNullable?: boolean
  /**
   * What a wrong value stops. Default: the site. `"part"`: the library does no more without the field, and leaves it out. A group
   * says it for its members.
   */
  readonly stops?: "site" | "part"
}

const option = <S extends Schema.Constraint>(schema: S, rules: FieldRules = {}) =>
  Schema.optional(schema).annotate({ ...rules })

/** A field that a rule of its own checks. */
const anything = (rules: FieldRules = {}) => option(Schema.Unknown, rules)

const part = { stops: "part" } as const

const isFunction = (value: unknown): value is (...args: ReadonlyArray<never>) => unknown => typeof value === "function"
const Function = Schema.declare(isFunction, { expected: "a function" })

const functions = <const Name extends string>(names: ReadonlyArray<Name>) =>
  Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.optional(Function)])))

const flag = (rules: FieldRules = {}) => option(Schema.Boolean, { read: isYes, ...rules })

const duration = { expected: 'seconds, or a duration such as "8 hours"' }
const Seconds = Schema.declare((value): value is number => Number.isFinite(value), duration)
const NonNegativeSeconds = Schema.declare(
  (value): value is number => Number.isFinite(value) && Number(value) >= 0,
  duration
)

/** Seconds as a number or as its text, or a duration. */
const readSeconds = (value: unknown): unknown =>
  typeof value === "string" && /^\s*\d+\s*$/.test(value)
    ? Number(value)
    : isTime(value)
      ? Option.match(Duration.fromInput(value), { onNone: () => value, onSome: Duration.toSeconds })
      : value

/** An object of other members would be a duration of zero. */
const isTime = (value: unknown): value is Time =>
  typeof value === "string" || Duration.isDuration(value) || isUnits(value)

const isUnits = (value: unknown): boolean => {
  const names = typeof value === "object" && value !== null && !(Symbol.iterator in value) ? Object.keys(value) : []
  return names.length > 0 && names.every((name) => units.has(name))
}

const units = new Set(["weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"])

const seconds = (rules: FieldRules = {}) => option(NonNegativeSeconds, { read: readSeconds, ...rules })

/** `Auth` takes strings; a `Redacted`, as layers take it, means the same. */
const secrets = option(Schema.Union([Schema.String, Schema.Array(Schema.String)]), { read: revealAll })

const readRetired = (list: unknown): unknown =>
  Array.isArray(list)
    ? list.map((one: unknown) =>
        typeof one === "object" && one !== null && "secret" in one ? { ...one, secret: reveal(one.secret) } : one
      )
    : list

const readSameSite = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value)

const cookie = option(
  Schema.Struct({
    name: option(Schema.NonEmptyString),
    options: option(
      Schema.Struct({
        maxAge: option(Seconds, { read: readSeconds }),
        domain: option(Schema.String),
        path: option(Schema.String),
        httpOnly: option(Schema.Boolean),
        secure: option(Schema.Boolean),
        partitioned: option(Schema.Boolean),
        priority: option(Schema.Literals(["low", "medium", "high"])),
        sameSite: option(Schema.Union([Schema.Boolean, Schema.Literals(["lax", "strict", "none"])]), {
          read: readSameSite
        }),
        expires: option(Schema.Date),
        encode: option(Function)
      })
    )
  })
)

/**
 * The options: the Schema of each field, how it is read, and what a wrong value stops. Members that the library does not know
 * are ignored, unless their names are near these.
 *
 * @category models
 * @since 0.1.0
 */
export const OptionsSchema = Schema.Struct({
  providers: Schema.Array(Schema.Unknown),
  basePath: option(Schema.String),
  secret: secrets,
  // Checked by a rule of its own, whose message repeats no value.
  retiredSecrets: anything({ read: readRetired }),
  // Checked by rules of their own: `HostProblems.ts`. Without one of these every host counts, so `null` is no absence.
  origin: anything({ isNullable: true }),
  trustedHosts: anything({ isNullable: true }),
  trustedProxies: anything(),
  trustHost: flag(),
  useSecureCookies: flag(),
  cookies: option(
    Schema.Struct({
      sessionToken: cookie,
      callbackUrl: cookie,
      csrfToken: cookie,
      pkceCodeVerifier: cookie,
      state: cookie,
      nonce: cookie,
      webauthnChallenge: cookie
    })
  ),
  session: option(
    Schema.Struct({
      strategy: option(Schema.Literals(["jwt", "database"])),
      maxAge: seconds(),
      absoluteMaxAge: seconds(),
      updateAge: seconds(part),
      generateSessionToken: option(Function, part),
      rememberMe: option(Schema.Union([Schema.Boolean, Schema.Literal("ask")])),
      revocation: flag(),
      revocationCheck: seconds()
    })
  ),
  jwt: option(
    Schema.Struct({
      maxAge: seconds(),
      secret: secrets,
      acceptA256GCM: flag(),
      encode: option(Function),
      decode: option(Function)
    })
  ),
  pages: option(PagesOptions, part),
  // Checked by rules of their own: `pages/Theme.ts`.
  theme: option(
    Schema.Struct({
      brandColor: anything({ isNullable: true }),
      buttonText: anything({ isNullable: true }),
      colorScheme: anything({ isNullable: true }),
      logo: anything({ isNullable: true })
    }),
    part
  ),
  // `authorized` is a callback of next-auth.
  callbacks: option(functions(["signIn", "redirect", "jwt", "session", "authorized"])),
  events: option(
    functions([
      "signIn",
      "signOut",
      "createUser",
      "updateUser",
      "deleteUser",
      "linkAccount",
      "addressReleased",
      "reauthenticationRequired",
      "session"
    ]),
    part
  ),
  logger: option(Schema.Record(Schema.String, Schema.Unknown), part),
  debug: anything(),
  redirectProxyUrl: option(Schema.String, part),
  redirectProxyOrigins: option(Schema.Array(Schema.String), { isNullable: true }),
  unprovenAddress: option(Schema.Literals(["ask", "release", "keep"])),
  providerTokens: option(Schema.Literal("cookie"), part),
  experimental: option(Schema.Struct({ enableWebAuthn: flag() }), part),
  adapter: anything(),
  mailer: anything(),
  sharedState: anything(),
  waitUntil: option(Function, part),
  clientAddress: option(Function, part),
  raw: anything(),
  skipCSRFCheck: anything()
})
