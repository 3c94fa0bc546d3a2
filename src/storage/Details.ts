/**
 * Details that a store may keep of a session besides its token, its user and its end, and of a passkey besides its key; and
 * sessions as their user sees them in a list.
 *
 * The stores of this library have columns for the details. Adapters of Auth.js have not: they never receive one. A store says by
 * its methods `touchSession` and `describeAuthenticator` that it has room for all details of a session and of a passkey.
 *
 * @since 0.1.0
 */
import { isOf } from "../internal/IsOf.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import { toLine } from "../internal/Text.ts"
import * as Stored from "../models/Stored.ts"
import { sha256 } from "../crypto/Sha256.ts"
import { asSessionId, SessionId } from "../models/Id.ts"

/**
 * The details of a session.
 *
 * @category models
 * @since 0.1.0
 */
export interface SessionDetails {
  /** When the session began. */
  readonly createdAt?: Date | undefined
  /** When the session was last used, to within five minutes. */
  readonly lastSeenAt?: Date | undefined
  /** When the user was authenticated. */
  readonly authenticatedAt?: Date | undefined
  /** The methods of the authentication (RFC 8176), separated by blanks. */
  readonly amr?: string | undefined
  /** The authentication context class of the authentication. */
  readonly acr?: string | undefined
  /** The user agent of the browser, at most 256 characters. */
  readonly userAgent?: string | undefined
  /** The network address, where the application supplies it. */
  readonly clientAddress?: string | undefined
}

/** What each detail of a session holds: a time, a text, or a list of methods. */
export const sessionDetails = {
  createdAt: "time",
  lastSeenAt: "time",
  authenticatedAt: "time",
  amr: "methods",
  acr: "text",
  userAgent: "text",
  clientAddress: "text"
} as const satisfies { readonly [Name in keyof SessionDetails]-?: DetailKind }

type DetailKind = "methods" | "text" | "time"

const isDetailName = (name: string): name is keyof SessionDetails => Object.hasOwn(sessionDetails, name)

/** Names of the details. */
export const detailNames: ReadonlyArray<keyof SessionDetails> = Object.keys(sessionDetails).filter(isDetailName)

/** Longest text of each detail, in UTF-16 code units. */
const longestText = 256

/** Longest list of methods: sixteen of 64 characters. A cut list would name other methods. */
const longestMethods = 16 * 65

/** A text that a browser or a proxy sent, as it is stored. */
export const detailText = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === "" ? undefined : toLine(text, longestText)

/** A detail of a row. */
const readDetail = (row: object, name: string, kind: DetailKind): Date | string | undefined => {
  const value = ownMember(row, name)
  if (kind === "time") return Stored.momentOf(value)
  return typeof value === "string" && value !== ""
    ? toLine(value, kind === "methods" ? longestMethods : longestText)
    : undefined
}

const readDetails = (row: object, kinds: Readonly<Record<string, DetailKind>>): object =>
  Object.fromEntries(
    Object.entries(kinds)
      .map(([name, kind]) => [name, readDetail(row, name, kind)] as const)
      .filter(([, value]) => value !== undefined)
  )

/** The details of a row. Columns of the application with these names that hold something else count as empty. */
export const detailsOf = (row: object): SessionDetails => readDetails(row, sessionDetails)

/** The row of a session as the callbacks of the application see it: the details are not for clients. */
export const withoutDetails = <A extends object>(session: A & SessionDetails): Omit<A, keyof SessionDetails> =>
  Object.fromEntries(Object.entries(session).filter(([name]) => !isDetailName(name))) as Omit<A, keyof SessionDetails>

/**
 * The details of a passkey.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyDetails {
  /** The name that its user gave it. */
  readonly label?: string | undefined
  /** When it was registered. */
  readonly createdAt?: Date | undefined
  /** The time of the last sign-in with it. */
  readonly lastUsedAt?: Date | undefined
}

/** What each detail of a passkey holds. */
export const keyDetails = {
  label: "text",
  createdAt: "time",
  lastUsedAt: "time"
} as const satisfies { readonly [Name in keyof KeyDetails]-?: DetailKind }

/** The details of a row. Columns of the application with these names that hold something else count as empty. */
export const keyDetailsOf = (row: object): KeyDetails => readDetails(row, keyDetails)

/**
 * A session in a list: named by a digest, without the token that is as good as a password.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedSession extends SessionDetails {
  /** The {@link sessionIdOf} of its token. */
  readonly id: SessionId
  readonly expires: Date
}

/**
 * The id of the session of a token: its SHA-256 as 43 characters of base64url, the same in every store. It is not secret, the
 * token cannot be computed from it, and it is no token itself.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sessionIdOf = (token: string): SessionId => asSessionId(sha256(token, "base64url"))

/** Can a session have this id? @internal */
export const isSessionId: (id: unknown) => id is SessionId = isOf(SessionId)

/** Most sessions of one user that are listed. @internal */
export const mostListed = 1000

/** The sessions that have not ended, the one that ends last first, and no more than may be listed. @internal */
export const listed = (sessions: ReadonlyArray<ListedSession>, now: number): ReadonlyArray<ListedSession> =>
  sessions
    .filter(({ expires }) => expires.getTime() > now)
    .sort((one, other) => other.expires.getTime() - one.expires.getTime() || (one.id < other.id ? -1 : 1))
    .slice(0, mostListed)
