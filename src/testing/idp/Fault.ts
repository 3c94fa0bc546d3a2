/**
 * The parts of a fault of the provider: what it changes, at which endpoint, and how the sign-in must end.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { FailureCode } from "../../Errors.ts"
import type { Members, With } from "./Signing.ts"

/**
 * The part of the provider that has the fault: its metadata document, its keys, the page where the user agrees,
 * the token endpoint, the ID token itself, or the userinfo endpoint (asked by providers with `idToken: false`).
 *
 * @category models
 * @since 0.1.0
 */
export type Place = "discovery" | "keys" | "authorize" | "token" | "idToken" | "userinfo"

/**
 * A fault that must end the sign-in with a failure.
 *
 * @category models
 * @since 0.1.0
 */
export interface RefusedFault {
  readonly outcome: "refused"
  /** The behaviour of the provider, in one sentence. */
  readonly what: string
  readonly place: Place
  /** The `_tag` of the failure. */
  readonly failure: "OAuthSignInError" | "OAuthCallbackError" | "OAuthProfileParseError" | "InvalidCheck"
  readonly code: FailureCode
  /** Does the failure say that a repeat may succeed? */
  readonly retryable: boolean
}

/**
 * A fault that a sign-in must survive.
 *
 * @category models
 * @since 0.1.0
 */
export interface AcceptedFault {
  readonly outcome: "accepted"
  /** The behaviour of the provider, in one sentence. */
  readonly what: string
  readonly place: Place
}

/**
 * The facts of a fault, as tests and the documentation read them.
 *
 * @category models
 * @since 0.1.0
 */
export type FaultFacts = RefusedFault | AcceptedFault

/**
 * The client could not reach the provider, because the fault `connectionRefused` is set.
 *
 * @category errors
 * @since 0.1.0
 */
export class ConnectionRefused extends Data.TaggedError("ConnectionRefused")<{ readonly code: "ECONNREFUSED" }> {
  override get message(): string {
    return "the fault connectionRefused of the test provider is set"
  }
}

/** How an answer travels: as it is, late, replaced, or not at all. */
export type ResponseChange = (
  answer: Effect.Effect<Response, ConnectionRefused>
) => Effect.Effect<Response, ConnectionRefused>

/** A change, and the part of the provider that it belongs to. */
export type Changes = ReadonlyArray<Change & { readonly place: Place }>

/** The input of a computed claim. */
export interface Moment {
  /** Seconds since 1970. */
  readonly now: number
  /** The token as it would be. */
  readonly claims: Members
}

/** The changes of a fault. An absent member changes nothing. */
export interface Change {
  /** The answer of the place, or of every endpoint. */
  readonly response?: ResponseChange
  readonly everywhere?: boolean
  /** The metadata. */
  readonly metadata?: (document: Members) => Members
  /** The published keys, given the first and the second. */
  readonly keys?: (first: Members, second: Members) => ReadonlyArray<Members>
  /** Members of the ID token; `undefined` takes one away. */
  readonly claims?: (moment: Moment) => Members
  /** Members of its header; `undefined` takes one away. */
  readonly header?: (second: Members) => Members
  /** The text that is signed. */
  readonly payload?: (text: string) => string
  /** The signing key. */
  readonly key?: With
  /** The token once it is signed; `undefined` for none. */
  readonly idToken?: (token: string) => string | undefined
  /** Members of the token response; `undefined` takes one away. */
  readonly tokens?: () => Members
  /** Members of the userinfo response; `undefined` takes one away. */
  readonly userinfo?: () => Members
  /** The parameters of the browser's return. */
  readonly back?: (parameters: URLSearchParams) => void
  /** The error of the person, or of the provider, instead of consent. */
  readonly decline?: string
  /** The code was redeemed before. */
  readonly redeemed?: boolean
}

/** A fault: its facts, and what it changes. */
export type Fault = FaultFacts & { readonly change: Change }

/** A fault for the sign-in to survive. */
export const acceptedFault = (place: Place, what: string, change: Change): Fault => ({
  outcome: "accepted",
  what,
  place,
  change
})

/** A fault that ends a sign-in with a failure of the given code. */
export const rejectedFault =
  (place: Place, failure: RefusedFault["failure"]) =>
  (code: FailureCode, what: string, change: Change): Fault => ({
    outcome: "refused",
    what,
    place,
    failure,
    code,
    retryable: code === "provider_unavailable",
    change
  })

/** The members of `members` with those of `changes`; what is `undefined` there is taken away. */
export const applyChanges = (members: Members, changes: Members): Members =>
  Object.fromEntries(Object.entries({ ...members, ...changes }).filter(([, value]) => value !== undefined))
