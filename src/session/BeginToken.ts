/**
 * The session of a sign-in, where sessions are tokens.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Callbacks, type JwtParams } from "../Callbacks.ts"
import { Settings } from "../config/Settings.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { type AuthError, recognise } from "../Errors.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { memberOf } from "../internal/OwnProperty.ts"
import { Jwt } from "../Jwt.ts"
import type { Account } from "../Models.ts"
import { isUserId } from "../models/Id.ts"
import { markedWith } from "./Authentication.ts"
import { endOf, firstMark, markAt, withEpoch } from "./SessionMark.ts"
import type { BeginContext, BegunSession, ResolvedSignIn } from "./SessionStore.ts"
import { tokenSessionId } from "./TokenRevocation.ts"

/**
 * Longest picture in a token, in characters: with the rest of the token and the cookies beside it, a request stays below the
 * 16 kB of headers that servers read.
 */
const longestPicture = 8192

/** The picture that a token carries. */
const carried = (image: string | null | undefined, { provider }: Account): Effect.Effect<string | null | undefined> =>
  typeof image === "string" && image.length > longestPicture
    ? Effect.as(
        Effect.logWarning(
          `The picture of a user of ${provider} is left out of the session token: it has ${image.length} characters, and a cookie has room for ${longestPicture}`
        ),
        null
      )
    : Effect.succeed(image)

/**
 * Makes the token of a new session.
 *
 * @category combinators
 * @since 0.1.0
 */
export const beginToken = Effect.fnUntraced(function* (
  services: BeginContext,
  { account, authentication, isNewUser, needsId, profile, user }: ResolvedSignIn
): Effect.fn.Return<BegunSession, AuthError> {
  const { jwt: format, session } = Context.get(services, Settings)
  const jwt = Context.get(services, Jwt)
  const request = Context.get(services, AuthRequest)
  const params: JwtParams = {
    token: {
      name: memberOf(user, "name"),
      // A store keeps an empty text where there is no address.
      email: memberOf(user, "email") === "" ? null : memberOf(user, "email"),
      picture: yield* carried(memberOf(user, "image"), account),
      sub: memberOf(user, "id")
    },
    user,
    account,
    ...(profile === undefined ? {} : { profile }),
    isNewUser: account.type === "credentials" ? false : isNewUser,
    trigger: isNewUser === true ? "signUp" : "signIn"
  }
  // An error of Auth.js that the callback threw decides the answer.
  const token = yield* Effect.mapError(
    Context.get(services, Callbacks).jwt(params),
    (failure) => recognise(failure.cause) ?? failure
  )
  const names = jwt.present(request)
  if (token === null) return { cookies: jwt.remove(request, names), session: undefined }
  const now = Context.get(services, Clock.Clock).currentTimeMillisUnsafe()
  const { randomBytes } = Context.get(services, SecureRandom.SecureRandom)
  // The application's own format says no more than an option asks for.
  const hasId = format.encode === undefined || jwt.revocation !== undefined || needsId
  const first = hasId ? firstMark(Base64Url.encode(yield* randomBytes(16))) : undefined
  const epoch = jwt.revocation === undefined ? undefined : yield* jwt.revocation.epochFor(token.sub)
  const mark = markAt(markedWith(withEpoch(first, epoch), authentication), session.absoluteMaxAge, now)
  const expires = Math.min(now + session.maxAge * 1000, endOf(mark) ?? Number.POSITIVE_INFINITY)
  const id = tokenSessionId({ claims: token, mark })
  return {
    cookies: yield* jwt.write(request, token, names, expires, mark),
    session: id === undefined ? undefined : { id, userId: isUserId(token.sub) ? token.sub : undefined }
  }
})
