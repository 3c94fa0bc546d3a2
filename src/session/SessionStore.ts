/**
 * Where sessions are, as a service: in tokens (`TokenSessions.ts`) or in rows of a store (`DatabaseSessions.ts`). One of them is
 * chosen when a configuration is composed. No action asks which.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import type * as Effect from "effect/Effect"
import type { Callbacks } from "../Callbacks.ts"
import type { VisibleSession } from "../config/SessionParams.ts"
import type {
  AdapterError,
  AuthError,
  CallbackRouteError,
  JwtSessionError,
  MalformedRequest,
  SessionError,
  SessionTokenError,
  SharedStateError,
  SignOutError
} from "../Errors.ts"
import type { EventMessages, Events } from "../Events.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { fromJsonText, type JsonForm } from "../internal/JsonText.ts"
import type { Jwt, ReadToken } from "../Jwt.ts"
import type { Account, AdapterSession, AdapterUser, Profile, User } from "../Models.ts"
import type { SessionId, UserId } from "../models/Id.ts"
import type { Settings } from "../config/Settings.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import type { ListedSession } from "../storage/Details.ts"
import type { Adapter } from "../storage/Storage.ts"
import type { Steps } from "../storage/Steps.ts"
import type { Authentication } from "./Authentication.ts"
import type { SessionMark } from "./SessionMark.ts"
import type { RetainedSession } from "./TokenRevocation.ts"

type Request = AuthRequest["Service"]

/** The services that sessions need. They are asked for where an action runs: a store that is provided there has an effect. */
export type SessionParts = Adapter | Jwt | Settings

/** What a session is read with. */
export type ReadServices = SessionParts | AuthRequest | Callbacks | Events

/** What the session of a sign-in is made with. */
export type BeginServices = SessionParts | AuthRequest | Callbacks | SecureRandom.SecureRandom

/**
 * The session of the request and the cookies that renew or remove it; `session` is null for a signed-out visitor.
 *
 * @category models
 * @since 0.1.0
 */
export interface SessionAnswer {
  readonly session: VisibleSession | null
  /** The session as clients and handlers are given it. */
  readonly json: JsonForm
  /** When the session ends, as it was given to `callbacks.session`. */
  readonly end?: SessionEnd | undefined
  readonly cookies: ReadonlyArray<ResponseCookie>
  /** Whose session it is: the `sub` of the token, or the id in the store. */
  readonly userId?: string | undefined
  /** The token of a session in a database. */
  readonly sessionToken?: string | undefined
  /** What the library keeps of a session that is a token. */
  readonly mark?: SessionMark | undefined
  /** Names a session that is a token. */
  readonly sid?: string | undefined
  /** How the user was authenticated. */
  readonly authentication?: Authentication | undefined
}

/** The end of a session: the text of it, and the milliseconds since 1970 that it says. */
export interface SessionEnd {
  readonly text: string
  readonly at: number
}

/** The answer to a signed-out visitor. */
export const noSession: SessionAnswer = { session: null, json: fromJsonText("null"), cookies: [] }

/** An update that a client asks for; the callbacks decide what becomes of it. */
export type Change = { readonly session: unknown } | undefined

/**
 * When a session is renewed. `due` writes a token where `callbacks.jwt` changed it, and else after `updateAge`, a tenth of its life
 * or a day: an answer that is under way at a sign-out carries nothing then that could bring the session back. `always` is what the
 * function `Auth` does, as Auth.js: a row when it is due, the cookie of a token each time. `never` is for places where no cookie can
 * be set: nothing may move there that a cookie would have to follow, and changes of the token are dropped.
 *
 * @category models
 * @since 0.1.0
 */
export type Renewal = "always" | "due" | "never"

/**
 * A user who is signed in. `subject` names the session where accounts can be linked in it, `sessionToken` is that of a session
 * in a database.
 *
 * @category models
 * @since 0.1.0
 */
export interface CurrentUser {
  readonly user: AdapterUser
  readonly subject: string | undefined
  readonly sessionToken: string | undefined
  /** What the session is worth. */
  readonly authentication: Authentication
}

/** The sign-in of one browser by a proof that it may repeat within a minute. */
export interface RepeatableSignIn {
  /** Token of the session that the sign-in creates. */
  readonly sessionToken: string
  /** The sign-in was completed before: its session is answered again. */
  readonly repeats: boolean
}

/** Whose a new session is, what it is worth, and who was signed in before. */
export interface NewSession {
  readonly userId: UserId
  readonly current: CurrentUser | undefined
  readonly authentication: Authentication
}

/** A session that begins within the unit of work of its sign-in. Its token exists before: the application may generate it. */
export interface PreparedSession {
  /** Writes the session; the one that the browser had before ends with it. */
  readonly start: (steps: Steps, session: NewSession) => Effect.Effect<AdapterSession, AuthError, AuthRequest>
  /** Has a user a session of this token? A unit of work whose end is unknown counts where its session is there. */
  readonly isStarted: (userId: string) => Effect.Effect<boolean, AdapterError>
}

/** A sign-in whose user is resolved, and whose session begins. */
export interface ResolvedSignIn {
  readonly user: User
  readonly account: Account
  readonly profile?: Profile | undefined
  readonly isNewUser: boolean | undefined
  readonly authentication: Authentication
  /** What the unit of work wrote. */
  readonly row: AdapterSession | undefined
  /** Does the session outlive the browser? */
  readonly isRemembered: boolean
  /** Is the session to end with another one, at a provider, which calls it by an id? */
  readonly needsId: boolean
}

/**
 * A session of this site, as others call it.
 *
 * @category models
 * @since 0.1.0
 */
export interface SiteSession {
  readonly id: string
  readonly userId: UserId | undefined
  /** The token of a session in a database. */
  readonly token?: string | undefined
}

/** A session that began: its cookies, and what others call it. Where the callbacks made no session, there is none to call. */
export interface BegunSession {
  readonly cookies: ReadonlyArray<ResponseCookie>
  readonly session: SiteSession | undefined
}

/** The result of a sign-out. */
export interface EndedSession {
  /** The cookies to clear. */
  readonly cookies: ReadonlyArray<ResponseCookie>
  /** The session that is over; `undefined` where there was none. */
  readonly over:
    | {
        /** What the event says; `undefined` for a session that could not be read. */
        readonly message: EventMessages["signOut"] | undefined
        readonly userId: unknown
        /** Works out the id of the session, which only a logout at a provider needs. */
        readonly idOf: () => string | undefined
      }
    | undefined
  /** Why the user is not signed out for certain. */
  readonly failure: SignOutError | undefined
}

/** The sessions of a request that are to end. */
export interface EndingSession {
  /** Why the request cannot end a session. */
  readonly refusal: MalformedRequest | undefined
  /** Could a page of another site ask for this in the browser of a user? */
  readonly isOfBrowser: boolean
  /** The token of the request, as `open` reads it. */
  readonly opened: ReadToken | undefined
  readonly end: Effect.Effect<EndedSession, never, SessionParts>
}

/**
 * A session that is followed: `CurrentSession`, or what `verify` returns.
 *
 * @category models
 * @since 0.1.0
 */
export interface FollowedSession {
  readonly id: SessionId | undefined
  readonly userId: UserId
  readonly expires: DateTime.Utc
  readonly generation?: number | undefined
}

/**
 * Reads, begins, renews, ends and lists sessions.
 *
 * @category models
 * @since 0.1.0
 */
export interface SessionStoreShape {
  /** Reads the session of the request. `opened` is what `open` returned, where that was called already. */
  readonly read: (
    change: Change,
    renewal: Renewal,
    opened: ReadToken | undefined
  ) => Effect.Effect<SessionAnswer, JwtSessionError | SessionTokenError, ReadServices>
  /**
   * Opens the token of the request, or one that came in a header. A session in a database has none to open: its cookie is a name
   * that the store knows.
   */
  readonly open: (request: Request, bearer?: string) => Effect.Effect<ReadToken | undefined, never, SessionParts>
  /** Names the owner of the request's session without asking a store; `undefined` means signed out. */
  readonly owner: (request: Request) => Effect.Effect<string | undefined, never, SessionParts>
  /** The user of the request's session; `undefined` without a session, with one that has ended, and for deleted users. */
  readonly user: (
    request: Request,
    adapter: AdapterShape
  ) => Effect.Effect<CurrentUser | undefined, AdapterError | SharedStateError, SessionParts>
  /** The owners of the sessions that the candidates of one cookie open. */
  readonly owners: (
    request: Request,
    candidates: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, AdapterError | SharedStateError, SessionParts>
  /** Prepares the session of a sign-in; `undefined` where nothing of it belongs into the unit of work. */
  readonly prepare: (
    repeatable: RepeatableSignIn | undefined,
    isRemembered: boolean
  ) => Effect.Effect<PreparedSession | undefined, CallbackRouteError, SessionParts | SecureRandom.SecureRandom>
  /** Makes the cookies of the session of a sign-in. */
  readonly begin: (signIn: ResolvedSignIn) => Effect.Effect<BegunSession, AuthError, BeginServices>
  /** Looks which sessions of a request a sign-out ends. `authorization` is the header, where its bearer may end a session. */
  readonly ending: (request: Request, authorization: string | null) => Effect.Effect<EndingSession, never, SessionParts>
  /** The sessions of a user that have not ended. */
  readonly list: (userId: UserId) => Effect.Effect<ReadonlyArray<ListedSession>, SessionError, SessionParts>
  /** Ends one session. `false` when it is known that there was none. */
  readonly end: (session: SiteSession) => Effect.Effect<boolean, SessionError, SessionParts>
  /**
   * Ends all sessions of a user but `except`, by its token where it has one in a store. `false`, and none is ended, where that one
   * has ended.
   */
  readonly endAll: (
    userId: UserId,
    except?: RetainedSession & { readonly token: string | undefined }
  ) => Effect.Effect<boolean, SessionError, SessionParts>
  /** Has a session ended? */
  readonly hasEnded: (session: FollowedSession) => Effect.Effect<boolean, SessionError, SessionParts>
}

/**
 * The sessions of a configuration. Its methods take the services of the request, as actions do.
 *
 * @effect-expect-leaking Adapter | Jwt | Settings
 * @category services
 * @since 0.1.0
 */
export class SessionStore extends Context.Service<SessionStore, SessionStoreShape>()(
  "effect-doorman/session/SessionStore"
) {}

/**
 * What is needed where sessions are read, begun or ended.
 *
 * @category models
 * @since 0.1.0
 */
export type SessionServices = SessionStore | SessionParts
