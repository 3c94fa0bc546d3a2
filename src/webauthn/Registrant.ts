/**
 * A signed-out visitor of the sign-in page: the profile that they typed and, where the caller needs it, the id of the user in
 * the store.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isUserId, type UserId } from "../models/Id.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { type AdapterError, CallbackRouteError, isAuthError } from "../Errors.ts"
import { parse } from "../models/EmailAddress.ts"
import { fromAnswer } from "../internal/Answer.ts"
import type { WebAuthnProvider } from "../Provider/internal/Provider.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { userByEmail } from "../storage/UserByEmail.ts"
import { internalOf } from "./RelyingParty.ts"

/**
 * A person who is not signed in.
 *
 * @category models
 * @since 0.1.0
 */
export interface Registrant {
  /** The profile for a new user. */
  readonly user: {
    readonly email: string
    readonly name?: string
    readonly image?: string
    /** Blanks: cookies that hold the person are as long for an address without a name as for one with a name. */
    readonly padding?: string
  }
  /** Id of the user who has the address; `undefined` when no user has it, or when the store was not asked. */
  readonly userId: UserId | undefined
}

const text = Schema.optional(Schema.NullOr(Schema.String))
const UserInfo = Schema.NullOr(
  Schema.Struct({
    user: Schema.Struct({ id: text, email: Schema.String, name: text, image: text }),
    exists: Schema.Boolean
  })
)
const decode = Schema.decodeUnknownEffect(UserInfo)

/**
 * The registrant of a request; `undefined` when it names no address, or an invalid one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const readRegistrant = Effect.fnUntraced(function* (
  provider: WebAuthnProvider,
  adapter: AdapterShape
): Effect.fn.Return<Registrant | undefined, AdapterError | CallbackRouteError, AuthRequest> {
  const request = yield* AuthRequest
  const { getUserInfo } = provider
  if (getUserInfo !== undefined) return yield* askUserInfo(provider, getUserInfo, adapter)
  const [given, ...more] = request.url.searchParams.getAll("email")
  const email = more.length > 0 ? undefined : addressOf(given)
  if (email === undefined) return undefined
  if (!provider.usernameFirst) return { user: { email }, userId: undefined }
  const user = yield* userByEmail(adapter, email)
  return { user: { email }, userId: Option.getOrUndefined(Option.map(user, ({ id }) => id)) }
})

const addressOf = (given: string | undefined): string | undefined => {
  const address = parse(given)
  return Result.isSuccess(address) ? address.success : undefined
}

/** Asks the function of the application, which may look into the store as it would into that of Auth.js. */
const askUserInfo = Effect.fnUntraced(function* (
  provider: WebAuthnProvider,
  getUserInfo: NonNullable<WebAuthnProvider["getUserInfo"]>,
  adapter: AdapterShape
): Effect.fn.Return<Registrant | undefined, AdapterError | CallbackRouteError, AuthRequest> {
  const request = yield* AuthRequest
  const run = Effect.runPromiseWith(yield* Effect.context())
  const look =
    <K, A>(call: (key: K) => Effect.Effect<Option.Option<A>, AdapterError>) =>
    (key: K): Promise<A | null> =>
      run(Effect.map(call(key), Option.getOrNull))
  const options = {
    provider: provider.source,
    url: new URL(request.url),
    adapter: {
      getUser: (id: string) => (isUserId(id) ? look(adapter.getUser)(id) : Promise.resolve(null)),
      getUserByEmail: (email: string) =>
        Option.match(Option.fromUndefinedOr(addressOf(email)), {
          onNone: () => Promise.resolve(null),
          onSome: look((address) => userByEmail(adapter, address))
        })
    }
  }
  const answer = yield* fromAnswer("getUserInfo", () => getUserInfo(options, internalOf(request))).pipe(
    Effect.flatMap(decode),
    Effect.mapError((cause) =>
      isAuthError(cause) && cause._tag === "AdapterError"
        ? cause
        : new CallbackRouteError({
            provider: provider.id,
            detail: "getUserInfo must answer { user: { email }, exists } or null",
            cause
          })
    )
  )
  const email = answer === null ? undefined : addressOf(answer.user.email)
  if (answer === null || email === undefined) return undefined
  // The stored data of an existing user is not given to a visitor who types their address.
  if (answer.exists)
    return { user: { email, padding: paddingOf({}) }, userId: isUserId(answer.user.id) ? answer.user.id : undefined }
  const { image, name } = answer.user
  const labels = { ...(name ? { name } : {}), ...(image ? { image } : {}) }
  return { user: { email, ...labels, padding: paddingOf(labels) }, userId: undefined }
})

/** Characters up to which the data of a person are filled: 512, or a multiple of it. */
const block = 512

const paddingOf = (own: object): string => {
  const { length } = new TextEncoder().encode(JSON.stringify(own))
  return " ".repeat((block - (length % block)) % block)
}
