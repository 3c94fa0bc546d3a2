/**
 * What a store may keep of a session besides its token, its user and its end.
 *
 * The stores of this library have columns for it. Adapters of Auth.js have not: they never receive a member of it. A store says by
 * its method `touchSession` that it has room for all of them.
 *
 * @since 0.1.0
 */
import { ownMember } from "../internal/OwnProperty.ts"
import { toLine } from "../internal/Text.ts"
import * as Stored from "../models/Stored.ts"

/** The details of a session. */
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
  /** What the browser said of itself, at most 256 characters. */
  readonly userAgent?: string | undefined
  /** The network address, where the application supplies it. */
  readonly clientAddress?: string | undefined
}

/** Names of the details. */
export const detailNames = [
  "createdAt",
  "lastSeenAt",
  "authenticatedAt",
  "amr",
  "acr",
  "userAgent",
  "clientAddress"
] as const satisfies ReadonlyArray<keyof SessionDetails>

/** Longest text of each detail, in UTF-16 code units. */
const longestText = 256

/** Longest list of methods: sixteen of 64 characters. One that is cut would name other methods. */
const longestMethods = 16 * 65

/** A text that a browser or a proxy sent, as it is stored. */
export const detailText = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === "" ? undefined : toLine(text, longestText)

/** A time in a row. */
export const timeIn = (row: object, name: string): Date | undefined => Stored.momentOf(ownMember(row, name))

/** A text in a row. */
export const textIn = (row: object, name: string, longest = longestText): string | undefined => {
  const value = ownMember(row, name)
  return typeof value === "string" && value !== "" ? toLine(value, longest) : undefined
}

/** The details of a row. Columns of the application with these names that hold something else count as empty. */
export const detailsOf = (row: object): SessionDetails => {
  const [createdAt, lastSeenAt, authenticatedAt] = [
    timeIn(row, "createdAt"),
    timeIn(row, "lastSeenAt"),
    timeIn(row, "authenticatedAt")
  ]
  const [amr, acr] = [textIn(row, "amr", longestMethods), textIn(row, "acr")]
  const [userAgent, clientAddress] = [textIn(row, "userAgent"), textIn(row, "clientAddress")]
  return {
    ...(createdAt && { createdAt }),
    ...(lastSeenAt && { lastSeenAt }),
    ...(authenticatedAt && { authenticatedAt }),
    ...(amr && { amr }),
    ...(acr && { acr }),
    ...(userAgent && { userAgent }),
    ...(clientAddress && { clientAddress })
  }
}

/** The row of a session as the callbacks of the application see it: the details are not for clients. */
export const withoutDetails = <A extends object>({
  acr: _acr,
  amr: _amr,
  authenticatedAt: _authenticatedAt,
  clientAddress: _clientAddress,
  createdAt: _createdAt,
  lastSeenAt: _lastSeenAt,
  userAgent: _userAgent,
  ...session
}: A & SessionDetails): Omit<A, keyof SessionDetails> => session
