/**
 * The options of `Auth` as applications for Auth.js write them.
 *
 * They are those of `config/Options.ts`, with two differences. The parameters of callbacks and events have the types of Auth.js: a
 * callback that reads `token.sub` need not ask first whether sessions are tokens. And functions are given plain values and return
 * values and promises, because this entry holds a copy of Effect of its own.
 *
 * @since 0.1.0
 */
import type { Options, SessionOptions } from "../config/Options.ts"
import type { MailerOfBoth, PlainMailer } from "../models/PlainMailer.ts"
import type { Awaitable, Plain, Unchecked } from "../internal/Untyped.ts"
import type {
  Account,
  AdapterSession,
  AdapterUser,
  DefaultSession,
  JWT,
  PagesOptions,
  Profile,
  Session,
  User
} from "../models/Shape.ts"
import type { PromiseStateStore } from "../storage/PromiseState.ts"
import type { StoreAdapter } from "../authjs/AuthJsAdapter.ts"
import type { JWTOptions } from "./Token.ts"
import type { Provider } from "./providers.ts"
import type { CookiesOptions, LoggerInstance } from "./Settings.ts"

/**
 * The parameters of the `session` callback: `token` with JWT sessions, `user` with database sessions.
 *
 * @category models
 * @since 0.1.0
 */
export type SessionCallbackParams = {
  session: { user: AdapterUser } & AdapterSession & Session
  /** There where sessions are in a database. */
  user: AdapterUser
  /** There where sessions are tokens. */
  token: JWT
  /** The data that a client sent to the session action; never trust it. */
  newSession: Unchecked
  trigger?: "update"
}

/**
 * The application's functions: they decide who may sign in, where browsers are sent, what is kept in a token and what of a
 * session clients see. They return a value or a promise.
 *
 * @category models
 * @since 0.1.0
 */
export interface CallbacksOptions {
  /** May this person sign in? `true` lets them, a string sends them there, anything else refuses. Default: `true`. */
  signIn?: (params: {
    user: User | AdapterUser
    account: Account | null
    /** Claims of the provider (OAuth and OpenID Connect). */
    profile?: Profile
    /** Present when a link is about to be sent (email providers). */
    email?: { verificationRequest?: boolean }
    /** The submitted fields (credentials providers). */
    credentials?: Record<string, Unchecked>
  }) => Awaitable<boolean | string>
  /** Where may a browser be sent? Default: URLs of the site's own origin. */
  redirect?: (params: { url: string; baseUrl: string }) => Awaitable<string>
  /** The session for clients. Default: name, email and image of the user, and the expiry. */
  session?: (params: SessionCallbackParams) => Awaitable<Session | DefaultSession>
  /** The claims of the token; `null` ends the session. Default: the token as it is. */
  jwt?: (params: {
    token: JWT
    /** There at a sign-in, like `account` and `profile`. */
    user: User | AdapterUser
    account?: Account | null
    profile?: Profile
    /** Why the token is made or changed; `undefined` when a session is read. */
    trigger?: "signIn" | "signUp" | "update"
    /** Use `trigger === "signUp"` instead. */
    isNewUser?: boolean
    /** The data that a client sent to the session action; never trust it. */
    session?: Unchecked
  }) => Awaitable<JWT | null>
}

/**
 * The application's handlers: they receive what happened, for audit logs.
 *
 * @category models
 * @since 0.1.0
 */
export interface EventsOptions {
  /** A user signed in. */
  signIn?: (message: {
    user: User
    account?: Account | null
    profile?: Profile
    isNewUser?: boolean
  }) => Awaitable<void>
  /** A user signed out. */
  signOut?: (message: { session: AdapterSession | null | undefined | void } | { token: JWT | null }) => Awaitable<void>
  createUser?: (message: { user: User }) => Awaitable<void>
  updateUser?: (message: { user: User }) => Awaitable<void>
  linkAccount?: (message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
  }) => Awaitable<void>
  /** A person proved an address, and the user who held it without proof (`previousUserId`) lost it. */
  addressReleased?: (message: { email: string; userId: string; previousUserId: string }) => Awaitable<void>
  /** The provider accepts the tokens of an account no more: the user has to sign in there again. */
  reauthenticationRequired?: (message: {
    userId: string
    account: { provider: string; providerAccountId: string }
  }) => Awaitable<void>
  /** A session was read. */
  session?: (message: { session: Session; token: JWT }) => Awaitable<void>
}

/**
 * The options of `Auth`. `docs/configuration.md` has their defaults.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthConfig extends Omit<
  Options,
  | "adapter"
  | "callbacks"
  | "cookies"
  | "events"
  | "jwt"
  | "logger"
  | "mailer"
  | "pages"
  | "providers"
  | "session"
  | "sharedState"
  | "waitUntil"
> {
  /** Provider objects, or factories of them. */
  providers: Array<Provider>
  /** Session tokens. `maxAge` is in seconds; `secret` is for secrets that differ from the other ones. */
  jwt?:
    | (Partial<JWTOptions> & { secret?: string | Array<string> | undefined; acceptA256GCM?: boolean | undefined })
    | undefined
  pages?: Partial<PagesOptions> | undefined
  callbacks?: CallbacksOptions | undefined
  events?: EventsOptions | undefined
  /** Storage: an adapter for Auth.js, `sqlite` or `postgres`. */
  adapter?: StoreAdapter | undefined
  /** Sends the mails of email providers that do not themselves. */
  mailer?: PlainMailer | MailerOfBoth | undefined
  session?:
    | (Omit<SessionOptions, "generateSessionToken"> & {
        /** Makes the tokens of database sessions. Default: a random UUID (RFC 9562 section 5.4). */
        readonly generateSessionToken?: (() => Awaitable<string>) | undefined
      })
    | undefined
  /** The store of what all processes of the site must agree on; without one it is the memory of each process. */
  sharedState?: PromiseStateStore | undefined
  /**
   * Sends sign-in mails after the answer: given the promise of each, it keeps the process alive until the mail is sent, such
   * as `waitUntil` of Cloudflare and Vercel. Without it the answer waits for the mail.
   */
  waitUntil?: ((sending: Promise<void>) => Plain) | undefined
  logger?: Partial<LoggerInstance> | undefined
  cookies?: Partial<CookiesOptions> | undefined
}
