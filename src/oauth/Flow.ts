/**
 * The record of one sign-in attempt at a provider: what the browser keeps, sealed, between leaving and coming back.
 *
 * Everything that must be equal on both legs stands here (RFC 9700 sections 2.1 and 4.4): the provider and its issuer, the
 * redirect URI, the state, the PKCE verifier, the nonce. The record is written and read by `Checks.ts`; the protocol code
 * only compares with it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { RequestedSignIn } from "./RequestedSignIn.ts"

/**
 * One sign-in attempt.
 *
 * @category models
 * @since 0.1.0
 */
export interface Flow {
  /** Random name of this attempt; also the key under which its use is remembered. */
  readonly id: string
  /** Id of the provider that the browser was sent to. */
  readonly provider: string
  /** Issuer that the provider had then, when it has one. */
  readonly issuer: string | undefined
  /** The `redirect_uri` of the authorization request; the token request repeats it (RFC 6749 section 4.1.3). */
  readonly redirectUri: string
  /** Value of the `state` parameter; empty for an attempt that Auth.js began with PKCE or a nonce alone. */
  readonly state: string
  /** PKCE verifier (RFC 7636 section 4.1). */
  readonly codeVerifier: string | undefined
  /** Nonce of the ID token (OIDC Core section 3.1.2.1). */
  readonly nonce: string | undefined
  /** What the authorization request asked of the sign-in; absent for an attempt that Auth.js began. */
  readonly requested?: RequestedSignIn | undefined
  /** Where the person goes after signing in; validated when it was written. */
  readonly target: string
  /** Names the session that started the attempt, where accounts can be linked to it. */
  readonly session?: string | undefined
  /** Does the session outlive the browser? Absent for an attempt that began at Auth.js. */
  readonly isRemembered?: boolean | undefined
  /** When the browser was sent away, in milliseconds since 1970, where the provider can end sessions. */
  readonly begun?: number | undefined
}

const text = Schema.optional(Schema.String)

/** The record as the cookie has it, with the host where the attempt began. */
const FlowRecord = Schema.Struct({
  provider: Schema.String,
  issuer: text,
  redirectUri: text,
  state: Schema.String,
  /** The PKCE verifier. */
  value: text,
  nonce: text,
  requested: Schema.optional(RequestedSignIn),
  target: text,
  session: text,
  /** Present where the session ends with the browser. */
  temp: Schema.optional(Schema.Boolean),
  begun: Schema.optional(Schema.Number),
  host: text
})
export type FlowRecord = typeof FlowRecord.Type

/** Reads the record from the claims of its cookie. */
export const decodeRecord = Schema.decodeUnknownOption(FlowRecord)
