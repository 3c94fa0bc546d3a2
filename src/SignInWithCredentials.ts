/**
 * The callback action of credentials providers: a form with a name and a password, or whatever the provider asks for.
 *
 * `authorize` is given the fields that the provider declares, as text; everything else in the body stays outside. A
 * provider that declares no fields is given every text field but the library's own.
 *
 * @since 0.1.0
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { AuthConfig } from "./AuthConfig.ts"
import { AuthRequest, toWeb } from "./AuthRequest.ts"
import type * as AuthResponse from "./AuthResponse.ts"
import type { Callbacks } from "./Callbacks.ts"
import * as CallbackUrl from "./CallbackUrl.ts"
import { complete } from "./Callback.ts"
import { Csrf } from "./Csrf.ts"
import {
  type AuthError,
  CallbackRouteError,
  CredentialsSignin,
  MalformedRequest,
  MethodNotAllowed,
  recognise
} from "./Errors.ts"
import type { Events } from "./Events.ts"
import { fromAnswer } from "./internal/Answer.ts"
import { Jwt, subject } from "./Jwt.ts"
import type { Account, User } from "./Models.ts"
import type { CredentialsProvider } from "./Provider/Provider.ts"

/**
 * `POST callback/‹provider›`.
 *
 * @category actions
 * @since 0.1.0
 */
export const signInWithCredentials = Effect.fnUntraced(function* (
  provider: CredentialsProvider
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | Csrf | Events | Jwt | SecureRandom.SecureRandom
> {
  const request = yield* AuthRequest
  if (request.method !== "POST") {
    return yield* new MethodNotAllowed({ allow: "POST", provider: provider.id, detail: "Credentials come by POST" })
  }
  const { skipCsrfCheck } = yield* AuthConfig
  if (!skipCsrfCheck) {
    const { read } = yield* Jwt
    yield* (yield* Csrf).verify(request, subject(yield* read(request)))
  }
  const credentials = yield* typed(provider, request.body ?? {})
  const answer = yield* Effect.mapError(
    fromAnswer("authorize", () => provider.authorize(credentials, toWeb(request))),
    (cause) => recognise(cause) ?? new CallbackRouteError({ detail: "authorize failed", provider: provider.id, cause })
  )
  const user = yield* person(provider, answer)
  const account: Account = { providerAccountId: user.id, type: "credentials", provider: provider.id }
  const target = yield* CallbackUrl.target(request)
  const remembered = yield* CallbackUrl.remember(request, target)
  return yield* complete({ user, account, credentials }, { user, account, isNewUser: false }, target, remembered, 303)
})

/** Fields of the library's own in every form. */
const own: ReadonlySet<string> = new Set(["csrfToken", "callbackUrl"])

const typed = (
  provider: CredentialsProvider,
  body: Readonly<Record<string, unknown>>
): Effect.Effect<Readonly<Record<string, string>>, MalformedRequest> => {
  const names =
    provider.fields.length > 0
      ? provider.fields.map((field) => field.name).filter((name) => Object.hasOwn(body, name))
      : Object.keys(body).filter((name) => !own.has(name))
  const credentials: Record<string, string> = {}
  for (const name of names) {
    const value = body[name]
    if (typeof value !== "string") return Effect.fail(new MalformedRequest({ detail: "A credential is not text" }))
    credentials[name] = value
  }
  return Effect.succeed(credentials)
}

/** Nobody is signed in without an id: a user that has none of their own gets a random one for this session. */
const person = Effect.fnUntraced(function* (
  provider: CredentialsProvider,
  answer: unknown
): Effect.fn.Return<User & { readonly id: string }, CredentialsSignin | CallbackRouteError, SecureRandom.SecureRandom> {
  if (answer === null || answer === undefined || answer === false) {
    return yield* new CredentialsSignin({
      code: "credentials",
      provider: provider.id,
      detail: "authorize did not accept the credentials"
    })
  }
  const id: unknown = typeof answer === "object" ? Reflect.get(answer, "id") : false
  if (typeof answer !== "object" || !isId(id)) {
    return yield* new CallbackRouteError({
      detail: "authorize must return a user whose id is text or a whole number, or null",
      provider: provider.id
    })
  }
  if (id !== undefined && id !== null) return { ...answer, id: String(id) }
  const random = yield* SecureRandom.SecureRandom
  return { ...answer, id: yield* random.uuidV4() }
})

const isId = (id: unknown): boolean =>
  id === undefined || id === null || (typeof id === "string" ? id !== "" : Number.isSafeInteger(id) && id !== 0)
