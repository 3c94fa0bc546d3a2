/**
 * The refreshes of provider tokens that run in this process: callers that want the same one wait for it, and are all
 * answered alike.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Fiber from "effect/Fiber"
import type * as Redacted from "effect/Redacted"
import type {
  AdapterError,
  InvalidProvider,
  MissingAdapter,
  MissingAdapterMethods,
  ProviderTokenError,
  ReauthenticationRequired,
  SharedStateError
} from "../Errors.ts"

/**
 * An access token of a user at a provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderToken {
  readonly accessToken: Redacted.Redacted
  /** `bearer`, or `dpop` for a token that is bound to the key of the provider's `dpop` (RFC 9449). */
  readonly tokenType: string
  /** What the provider granted. */
  readonly scopes: ReadonlyArray<string>
  /** When the token ends; absent where the provider does not say. */
  readonly expiresAt: DateTime.Utc | undefined
}

/**
 * What asking for a token fails with.
 *
 * @category models
 * @since 0.1.0
 */
export type TokenFailure =
  | AdapterError
  | InvalidProvider
  | MissingAdapter
  | MissingAdapterMethods
  | ProviderTokenError
  | ReauthenticationRequired
  | SharedStateError

/** Refreshes by account and refresh token. */
type Refreshes = Map<string, Fiber.Fiber<ProviderToken, TokenFailure>>

/** No refresh yet. */
export const make = (): Refreshes => new Map<string, Fiber.Fiber<ProviderToken, TokenFailure>>()

/** The refreshes that run. */
export const RunningRefreshes: Context.Reference<Refreshes> = Context.Reference(
  "effect-doorman/ProviderTokens/RunningRefreshes",
  { defaultValue: make }
)
