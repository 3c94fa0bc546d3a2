/**
 * One thing that a provider, or somebody between, may do wrong, and how the visit must end. Pure data: the tests read it.
 */
import type { Dials, ForgedIssuer } from "../ForgingProvider.ts"

/** Values of `code=` that may follow the error; the list is closed. */
export type Code =
  | "flow_missing"
  | "flow_mismatch"
  | "access_denied"
  | "login_required"
  | "provider_unavailable"
  | "provider_error"
  | "invalid_response"
  | "invalid_token"
  | "profile_invalid"

/** How a visit must end. */
export type Outcome =
  | { readonly end: "signed in" }
  /** The provider is never reached. */
  | { readonly end: "refused at start"; readonly codes: ReadonlyArray<Code> }
  /** The provider's answer does not lead to a session. */
  | { readonly end: "refused"; readonly codes: ReadonlyArray<Code> }
  /** Refused before the provider is visited, or when the browser comes back. */
  | { readonly end: "refused anywhere"; readonly codes: ReadonlyArray<Code> }
  /** A session or a proper refusal: the value may be used or not, but nothing may break. */
  | { readonly end: "either"; readonly codes: ReadonlyArray<Code> }

/** A fault. */
export interface Fault {
  /** Numbers of the cases first, then what is wrong. */
  readonly title: string
  readonly dials: (issuer: ForgedIssuer) => Dials
  readonly outcome: Outcome
  /** Options of the provider that differ from those of an OpenID Connect provider with discovery. */
  readonly provider?: (issuer: ForgedIssuer) => Readonly<Record<string, unknown>>
  /** The answer names no attempt of this browser, so none may be given up for it. */
  readonly keepsAttempt?: true
  /** A further condition afterwards; throws when it is false. */
  readonly check?: (issuer: ForgedIssuer, session: Readonly<Record<string, unknown>> | undefined) => void
}

type Shape = Readonly<Record<string, unknown>>

/** A copy without some members. */
export const without = (honest: Shape, ...names: ReadonlyArray<string>): Shape =>
  Object.fromEntries(Object.entries(honest).filter(([name]) => !names.includes(name)))

/** Ends in a session. */
export const signedIn: Outcome = { end: "signed in" }

/** Ends at the sign-in page, with one of these codes. */
export const refused = (...codes: ReadonlyArray<Code>): Outcome => ({ end: "refused", codes })

/** Ends at the sign-in page before the provider is visited. */
export const refusedAtStart = (...codes: ReadonlyArray<Code>): Outcome => ({ end: "refused at start", codes })

/** Ends at the sign-in page, sooner or later. */
export const refusedAnywhere = (...codes: ReadonlyArray<Code>): Outcome => ({ end: "refused anywhere", codes })

/** Ends in a session or at the sign-in page. */
export const either = (...codes: ReadonlyArray<Code>): Outcome => ({ end: "either", codes })

/** JSON whose decompressed size is far beyond any honest document. */
export const bombSize = 64 * 1024 * 1024
