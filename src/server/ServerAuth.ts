/**
 * Sessions on an ordinary server: the functions of the Effect services as promises.
 *
 * @since 0.1.0
 */
import type { UnlinkOptions, Ways } from "../actions/UserAccounts.ts"
import type { AuditEvent } from "../telemetry/AuditEvent.ts"
import type { IncomingRequest } from "../config/HostPolicy.ts"
import type { EngineHandler } from "../http/PlainExchange.ts"
import type { NamedUser, SignInOptions } from "../actions/ServerSignIn.ts"
import type { ListedSession } from "../storage/Details.ts"
import type { UserData } from "../models/UserData.ts"
import type { AccountKey } from "../storage/AdapterShape.ts"
import type { ServerRequest } from "./IncomingRequest.ts"
import type { ServerSession, SessionFacts } from "./ServerSession.ts"

/** A session of a user: where they are signed in. @category models @since 0.1.0 */
export interface DeviceSession extends Omit<ListedSession, "amr"> {
  readonly amr?: ReadonlyArray<string>
}

/**
 * An access token of a provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlainToken {
  readonly accessToken: string
  readonly tokenType: string
  readonly scopes: ReadonlyArray<string>
  readonly expiresAt: Date | undefined
}

/** A session that is followed: what `getSession`, `sessions.get` and `sessions.issue` answer. @category models @since 0.1.0 */
export type FollowedServerSession = Pick<SessionFacts, "expires" | "id" | "userId"> &
  Partial<Pick<SessionFacts, "generation">>

/** How a user was authenticated for whom the application issues a session. @category models @since 0.1.0 */
export interface ServerIssueOptions extends Omit<SignInOptions, "rememberMe"> {
  /** When it happened. Default: now, where `amr` or `acr` say how. */
  readonly authenticatedAt?: Date | undefined
}

/**
 * The functions of `createAuth`. The functions that change a session answer the headers to set on the response, `set-cookie` among
 * them; those that read one set them on `answer`, where it is given: then a session that is used does not end. They reject
 * with the tagged errors of `effect-doorman/Errors` and `effect-doorman/Access`, such as `SessionUnavailable` when the store
 * is down.
 *
 * @category models
 * @since 0.1.0
 */
export interface ServerAuth {
  /** Answers a request to one of the endpoints below `basePath`. */
  readonly handler: EngineHandler
  /** Path of the endpoints, such as `/auth`. */
  readonly basePath: string
  /** The public URL of a request of `node:http`; `undefined` where the answer is 400. */
  readonly requestUrl: (request: IncomingRequest | Request) => URL | undefined
  /**
   * The session of a request; `null` for a signed-out visitor, for a request that changes something and comes from another
   * site, and for one that no browser sends: without a host, or with the method `TRACE`.
   */
  readonly getSession: (request: ServerRequest, answer?: Headers) => Promise<ServerSession | null>
  /**
   * The session of a request. Rejects with `NotSignedIn` for a signed-out visitor, and with `NotAllowed` for a request of
   * another site.
   */
  readonly requireSession: (request: ServerRequest, answer?: Headers) => Promise<ServerSession>
  /**
   * The session of a request, whose sign-in meets a requirement; `maxAge` in seconds. Rejects as `requireSession`, and with
   * `StepUpRequired` where the sign-in is too old or too weak: its `challenge` is a value of `WWW-Authenticate`, and its
   * `authorizationParams` are the query of a sign-in that meets the requirement.
   */
  readonly requireAssurance: (
    request: ServerRequest,
    requirement: {
      readonly maxAge?: number | undefined
      readonly acr?: ReadonlyArray<string> | undefined
      readonly amr?: ReadonlyArray<string> | undefined
    },
    answer?: Headers
  ) => Promise<ServerSession>
  /** Signs a user in, in the browser of the request: the application has made sure who it is, by the methods of `options`. */
  readonly signIn: (request: ServerRequest, user: NamedUser<string>, options?: SignInOptions) => Promise<Headers>
  /** Signs out the browser of the request. */
  readonly signOut: (request: ServerRequest) => Promise<Headers>
  /** Hands `data` to the callbacks as an update, and keeps what they make of the session. */
  readonly updateSession: (
    request: ServerRequest,
    data: Readonly<Record<string, unknown>>
  ) => Promise<{ readonly session: ServerSession; readonly headers: Headers }>
  /** Sessions of a user: rows in a database are listed, and those that are tokens can be revoked with `session.revocation`. */
  readonly sessions: {
    /** The sessions that have not ended. The times and what else is known are missing where the adapter does not keep them. */
    readonly list: (userId: string) => Promise<ReadonlyArray<DeviceSession>>
    /** `false` when the database had none of that id. */
    readonly revoke: (userId: string, sessionId: string) => Promise<boolean>
    readonly revokeAll: (userId: string) => Promise<void>
    /**
     * Signs a user in without a browser: a client sends the `token` as `Authorization: Bearer`. The application has authenticated
     * the user; `callbacks.signIn` may still refuse. Without `amr`, `acr` and `authenticatedAt` the session proves no recent sign-in.
     */
    readonly issue: (
      user: NamedUser<string>,
      options?: ServerIssueOptions
    ) => Promise<ServerSession & { readonly token: string }>
    /** The session that a token proves, or `null`. Reading renews no session; each call asks whether it was revoked. */
    readonly get: (token: string) => Promise<ServerSession | null>
    /** As `get`; rejects with `NotSignedIn` for a token that proves no session. */
    readonly verify: (token: string) => Promise<ServerSession>
    /**
     * Follows a session, for a socket that outlives the request that proved it. Calls `ended` once: at most `every` seconds after the
     * session has ended, by default `session.revocationCheck`, or with the failure where that cannot be checked. Returns a function
     * that stops it.
     */
    readonly changes: (
      session: FollowedServerSession,
      ended: (failure?: unknown) => void,
      options?: { readonly every?: number | undefined }
    ) => () => void
  }
  /** The ways by which a user can sign in. */
  readonly accounts: {
    readonly list: (userId: string) => Promise<Ways>
    /** Everything that the store holds of a user, without secrets; `null` for a user whom it does not know. */
    readonly export: (userId: string) => Promise<UserData | null>
    /** Names a passkey: one line of at most 100 characters. `false` when the user has no such passkey. */
    readonly renamePasskey: (userId: string, credentialID: string, label: string) => Promise<boolean>
    /** Removes a user with their accounts, sessions and passkeys; `false` for a user whom the store does not know. */
    readonly remove: (userId: string) => Promise<boolean>
    readonly unlink: (userId: string, account: AccountKey, options?: UnlinkOptions) => Promise<void>
  }
  /** Access tokens of the providers, refreshed before they end. See `effect-doorman/ProviderTokens`. */
  readonly providerTokens: {
    /**
     * The token for the user of a request; with `providerTokens: "cookie"` from the cookie of its browser. Sets the cookies of the
     * session and a renewed one of the tokens on `answer`, also where it rejects. Rejects as `requireSession` as well.
     */
    readonly getCurrent: (
      request: ServerRequest,
      answer: Headers,
      options: {
        readonly provider: string
        readonly providerAccountId?: string | undefined
        readonly minimumValidity?: number | undefined
      }
    ) => Promise<PlainToken>
    /**
     * A token of the user that is valid for at least `minimumValidity` seconds, 60 by default. Rejects with
     * `ReauthenticationRequired` when the user has to sign in at the provider again, and with `ProviderTokenError` when the
     * provider gives no token now.
     */
    readonly get: (request: {
      readonly userId: string
      readonly provider: string
      readonly providerAccountId?: string | undefined
      readonly minimumValidity?: number | undefined
    }) => Promise<PlainToken>
    /** Revokes the tokens of the user at the provider (RFC 7009), and removes them from the store. The account stays. */
    readonly revoke: (request: {
      readonly userId: string
      readonly provider: string
      readonly providerAccountId?: string | undefined
    }) => Promise<void>
  }
  /** Calls a function with each audit event; the response waits for it. Returns a function that removes the listener. */
  readonly onEvent: (listener: Listener) => () => void
  /**
   * Releases what the instance made: its services with their caches, the sessions that it follows, and its listeners. A call after
   * that makes the services anew.
   */
  readonly dispose: () => Promise<void>
}

/**
 * A function that receives audit events.
 *
 * @category models
 * @since 0.1.0
 */
export type Listener = (event: AuditEvent) => unknown
