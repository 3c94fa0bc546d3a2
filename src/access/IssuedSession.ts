/**
 * Sessions of clients that have no cookies: issued by the application, and proven by a token alone.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { NotSignedIn, SessionUnavailable } from "./AccessProblem.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import type { SignInError } from "../Errors.ts"
import { lookUp } from "./ResolveSession.ts"
import { readSession } from "./ServerRequest.ts"
import { readCookie } from "../http/CookieHeader.ts"
import type { CookieHeader } from "../http/CookieHeader.ts"
import { longest } from "../internal/Text.ts"
import type { SessionId, UserId } from "../models/Id.ts"
import * as ServerSignIn from "../actions/ServerSignIn.ts"
import type { Platform, Services } from "../composition/Services.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"
import { authenticationOf, type Found, idOf } from "./SessionDecoder.ts"

type Everything = Context.Context<Services | Platform>

/**
 * A session that a token proves.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProvenSession {
  readonly userId: UserId
  readonly id: SessionId
  readonly expires: DateTime.Utc
  readonly generation: number | undefined
  /** When the user was authenticated, where it is known. */
  readonly authenticatedAt: DateTime.Utc | undefined
  /** The methods of the authentication (RFC 8176). */
  readonly amr: ReadonlyArray<string>
  /** The authentication context class of the authentication. */
  readonly acr: string | undefined
  /** What `callbacks.session` returned. */
  readonly session: Readonly<Record<string, unknown>>
}

const none: CookieHeader = { values: new Map(), conflicts: undefined }

/** Where no request says which scheme the site has, a public one is `https`. A token opens under both. */
const requestOf = (settings: Settings["Service"]): AuthRequest["Service"] =>
  readSession(new URL(settings.hosts.origin ?? "https://localhost"), none, new Headers(), "POST")

const decode = Schema.decodeUnknownEffect(
  Schema.StructWithRest(Schema.Struct({ expires: Schema.DateTimeUtcFromString }), [
    Schema.Record(Schema.String, Schema.Unknown)
  ])
)

const provenBy = (found: Found): Effect.Effect<ProvenSession, SessionUnavailable> =>
  Effect.matchEffect(decode(found.json.value()), {
    onFailure: () => Effect.fail(new SessionUnavailable({})),
    onSuccess: ({ expires, ...session }) =>
      Effect.succeed({
        userId: found.userId,
        id: idOf(found),
        expires,
        generation: found.generation,
        ...authenticationOf(found),
        session
      })
  })

/**
 * The session of a token, if it proves one. The shared state is asked at once whether it was revoked.
 *
 * @category combinators
 * @since 0.1.0
 */
export const get = Effect.fnUntraced(function* (
  services: Everything,
  token: Redacted.Redacted
): Effect.fn.Return<Option.Option<ProvenSession>, SessionUnavailable> {
  const text = Redacted.value(token)
  if (text.length > longest.token) return Option.none()
  const request = requestOf(Context.get(services, Settings))
  const here = yield* Effect.context<never>()
  const { found } = yield* lookUp(services, request, { authorization: `Bearer ${text}`, renewal: "never" }, here)
  return found === undefined ? Option.none() : Option.some(yield* provenBy(found))
})

/**
 * Issues a session: `callbacks.signIn` may refuse it, and events are emitted as for every sign-in.
 *
 * @category combinators
 * @since 0.1.0
 */
export const issue = Effect.fnUntraced(function* (
  services: Everything,
  user: ServerSignIn.NamedUser,
  options: ServerSignIn.IssueOptions
): Effect.fn.Return<
  ProvenSession & { readonly token: Redacted.Redacted },
  NotSignedIn | SessionUnavailable | SignInError
> {
  const settings = Context.get(services, Settings)
  const request = requestOf(settings)
  const { cookies, failure } = yield* Effect.provideContext(
    Effect.flatMap(ServerSignIn.statedAuthentication(options), (authentication) =>
      ServerSignIn.signIn(user, authentication, true)
    ),
    Context.add(services, AuthRequest, request)
  )
  if (failure !== undefined) return yield* failure
  const values = new Map(cookies.flatMap(({ name, value }) => (value === "" ? [] : [[name, value] as const])))
  const { name } = cookiesFor(settings, request.url).sessionToken
  const [text = ""] = readCookie({ values, conflicts: undefined }, name).candidates
  const token = Redacted.make(text, { label: "sessionToken" })
  const proven = Option.getOrUndefined(yield* get(services, token))
  return proven === undefined ? yield* new NotSignedIn({}) : { ...proven, token }
})
