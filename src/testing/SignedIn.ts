/**
 * A user who is signed in already, for tests of what follows a sign-in.
 *
 * For the unit test of a handler there is a layer, with the schemas of the application and nothing else. For requests there are
 * a `Cookie` header, a bearer token and a storage state of Playwright, sealed with the real keys of a `Doorman`, so that what
 * opens them is the code that opens them in production.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Access, type Decoder, Default } from "../Access.ts"
import { AuthRequest, bearerOf } from "../http/AuthRequest.ts"
import { encodedValue } from "../http/Cookie.ts"
import { Adapter, storageOf } from "../storage/Storage.ts"
import { Doorman } from "../Doorman.ts"
import type { AdapterError, SignInError } from "../Errors.ts"
import { readSession } from "../access/ServerRequest.ts"
import { decodeSession } from "../access/SessionDecoder.ts"
import { jsonForm } from "../internal/JsonText.ts"
import { parseCookieHeader } from "../http/CookieHeader.ts"
import { UserId } from "../models/Id.ts"
import * as ServerSignIn from "../actions/ServerSignIn.ts"
import { authenticatedNow } from "../session/Authentication.ts"
import { siteOrigin } from "./Browser.ts"
import * as GivenSession from "./GivenSession.ts"
import type { UserServices, VisitorServices } from "./GivenSession.ts"
import { stateOf, type StorageState } from "./StorageState.ts"

/**
 * There is no token for `Authorization: Bearer`: `callbacks.jwt` answered none, or `jwt.encode` made one that such a header
 * cannot carry (RFC 6750 section 2.1).
 *
 * @category errors
 * @since 0.1.0
 */
export class NoToken extends Data.TaggedError("NoToken")<{ readonly detail: string }> {
  override get message(): string {
    return this.detail
  }
}

/**
 * A signed-in user. Each member that asks the `Doorman` instance is a sign-in of its own: `callbacks.signIn` may refuse it, the
 * library emits events, and with a database there is another row.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignedIn<Self> {
  /** `CurrentUser`, `CurrentSession`, `MaybeSession` and the middlewares of the access, for handlers alone. */
  readonly layer: Layer.Layer<UserServices<Self>>
  /** The `Cookie` header of a browser that has signed in. */
  readonly cookie: Effect.Effect<string, SignInError, Doorman>
  /** A token for `Authorization: Bearer`. */
  readonly bearer: Effect.Effect<string, NoToken | SignInError, Doorman>
  /** The state of a browser of Playwright that has signed in. */
  readonly storageState: Effect.Effect<StorageState, SignInError, Doorman>
}

/**
 * Where and how a user is signed in.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignedInOptions extends ServerSignIn.SignInOptions {
  /** The origin of the site. Default: that of the `Doorman`'s options, else `https://app.test`. */
  readonly origin?: string | undefined
  /** The members beside the user that `callbacks.session` returns, for the layer. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
}

/**
 * A signed-in user. For the layer the members are those of the session that a client sees, and the access reads them by its
 * schemas; for cookies and tokens they are those of the user who signs in. A store that knows the user neither by the id nor by the
 * address is given them; one that makes ids of its own gives them another.
 *
 * @category constructors
 * @since 0.1.0
 */
export function signedInAs(user: ServerSignIn.NamedUser<string>, options?: SignedInOptions): SignedIn<Default>
export function signedInAs<Self, User extends Decoder, Claims extends Decoder>(
  user: ServerSignIn.NamedUser<string>,
  options: SignedInOptions & { readonly access: Access<Self, User, Claims> }
): SignedIn<Self>
export function signedInAs<Self, User extends Decoder, Claims extends Decoder>(
  user: ServerSignIn.NamedUser<string>,
  options: SignedInOptions & { readonly access?: Access<Self, User, Claims> } = {}
): SignedIn<Self> | SignedIn<Default> {
  const { access } = options
  const rest = requests(user, options)
  return access === undefined
    ? { ...rest, layer: handlers(Default, user, options) }
    : { ...rest, layer: handlers(access, user, options) }
}

/**
 * A signed-out visitor: `MaybeSession` for the unit test of a handler behind `OptionalSession`, and the middlewares of the access,
 * which reject every call behind `RequireSession`.
 *
 * @category layers
 * @since 0.1.0
 */
export const signedOut: {
  (): Layer.Layer<VisitorServices<Default>>
  <Self, User extends Decoder, Claims extends Decoder>(
    access: Access<Self, User, Claims>
  ): Layer.Layer<VisitorServices<Self>>
} = <Self, User extends Decoder, Claims extends Decoder>(
  access?: Access<Self, User, Claims>
): Layer.Layer<VisitorServices<Default>> | Layer.Layer<VisitorServices<Self>> =>
  access === undefined ? GivenSession.signedOut(Default) : GivenSession.signedOut(access)

const handlers = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  user: ServerSignIn.NamedUser<string>,
  options: SignedInOptions
): Layer.Layer<UserServices<Self>> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const ends = (yield* Clock.currentTimeMillis) + month
      const json = jsonForm({ ...options.claims, user, expires: isoOf(ends) })
      const session = yield* decodeSession(access, {
        json,
        userId: UserId.make(user.id),
        sessionToken: undefined,
        name: `signedInAs ${user.id}`,
        via: "cookie",
        authentication: yield* authenticatedNow(options.amr ?? [], options.acr),
        decoded: []
      })
      return GivenSession.signedIn(access, session)
    })
  )

const month = 30 * 24 * 60 * 60 * 1000

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

const requests = (
  user: ServerSignIn.NamedUser<string>,
  { acr, amr, origin }: SignedInOptions
): Pick<SignedIn<never>, "bearer" | "cookie" | "storageState"> => {
  const signedIn = Effect.gen(function* () {
    const doorman = yield* Doorman
    const sessionUser = yield* findUser(doorman, user)
    const url = new URL(origin ?? doorman.settings.hosts.origin ?? siteOrigin)
    const request = readSession(url, parseCookieHeader(undefined), new Headers())
    const { cookies } = yield* Effect.provideContext(
      ServerSignIn.signIn(sessionUser, yield* authenticatedNow(amr ?? [], acr)),
      Context.add(yield* doorman.servicesHere, AuthRequest, request)
    )
    return { cookies, url }
  })
  return {
    cookie: Effect.map(signedIn, ({ cookies }) =>
      cookies.map((cookie) => `${cookie.name}=${encodedValue(cookie)}`).join("; ")
    ),
    bearer: Effect.flatMap(signedIn, ({ cookies }) => {
      // A large token is cut into several cookies, in order; one that is removed is empty.
      const token = cookies.map(({ value }) => value).join("")
      return bearerOf(`Bearer ${token}`) === token
        ? Effect.succeed(token)
        : Effect.fail(
            new NoToken({
              detail:
                token === ""
                  ? "callbacks.jwt answered no token"
                  : "jwt.encode made a token that Authorization: Bearer cannot carry (RFC 6750 section 2.1)"
            })
          )
    }),
    storageState: Effect.map(signedIn, ({ cookies, url }) => stateOf(cookies, url))
  }
}

/** The user as the store has them; created there if missing. A store that generates ids gives them another id. */
const findUser = Effect.fnUntraced(function* (
  { services }: Doorman["Service"],
  user: ServerSignIn.NamedUser<string>
): Effect.fn.Return<ServerSignIn.NamedUser, AdapterError> {
  const adapter = storageOf(Context.get(services, Adapter))
  const id = UserId.make(user.id)
  if (adapter === undefined) return { ...user, id }
  const { email } = user
  const byAddress = typeof email === "string" && email !== "" ? adapter.getUserByEmail(email) : Effect.succeedNone
  const found = Option.firstSomeOf([yield* adapter.getUser(id), yield* byAddress])
  const row = Option.isSome(found)
    ? found.value
    : yield* adapter.createUser({
        ...Object.fromEntries(Object.entries(user)),
        id,
        email: email ?? undefined,
        emailVerified: null
      })
  return Object.assign({}, user, { id: row.id })
})
