/**
 * Ids with a type each: the compiler rejects the id of a session where the id of a user is expected.
 *
 * They stand apart from the other models, because contracts that clients share load them.
 *
 * @since 0.1.0
 */
import * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"

/**
 * The id of a user: the one of the store, or the `sub` of a session token. `UserId.make(text)` makes one.
 *
 * @category models
 * @since 0.1.0
 */
export const UserId = Schema.NonEmptyString.pipe(Schema.brand("effect-doorman/UserId"))
/** @category models @since 0.1.0 */
export type UserId = typeof UserId.Type

/** An id that code without brands says is the one of a user. @internal */
export const asUserId = Brand.nominal<UserId>()

/** Can a user have this id? @internal */
export const isUserId = (id: unknown): id is UserId => typeof id === "string" && id !== ""

/**
 * The id of a session: the digest of its token, or of the id inside of a token, as `sessionIdOf` computes it. It is not the token.
 *
 * @category models
 * @since 0.1.0
 */
export const SessionId = Schema.String.check(Schema.isPattern(/^[\w-]{43}$/)).pipe(
  Schema.brand("effect-doorman/SessionId")
)
/** @category models @since 0.1.0 */
export type SessionId = typeof SessionId.Type

/** An id that code without brands says is the one of a session. Stores find nothing by any other text. @internal */
export const asSessionId = Brand.nominal<SessionId>()

/**
 * The id of an account: a provider, and the id of the user at that provider. Both are compared byte by byte.
 *
 * @category models
 * @since 0.1.0
 */
export const AccountId = Schema.Struct({ provider: Schema.String, providerAccountId: Schema.String }).pipe(
  Schema.brand("effect-doorman/AccountId")
)
/** @category models @since 0.1.0 */
export type AccountId = typeof AccountId.Type

/** An id that is a whole number in another system. Zero stands for "none" in too many of them. @internal */
export const WholeNumber = /* @__PURE__ */ Schema.Int.check(/* @__PURE__ */ Schema.makeFilter((id) => id !== 0))
