/**
 * The session of a handler, checked by the compiler: this file is compiled by `npm run typecheck` and never run.
 */
// Each rejected program has an expected error, which the compiler checks.
// @effect-diagnostics missingEffectContext:off missingEffectError:off missingLayerContext:off
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { HttpClient } from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Access from "../../src/Access.ts"
import { Doorman } from "../../src/Doorman.ts"
import type { ConfigurationError } from "../../src/config/Settings.ts"
import * as Http from "../../src/Http.ts"
import * as Sessions from "../../src/Sessions.ts"
import type { SessionId, UserId } from "../../src/Models.ts"
import { forLayer } from "../ForLayer.ts"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles when both types are the same. */
declare const is: <A, B>(...found: Same<A, B> extends true ? [] : [A, B]) => void

type IsAny<T> = 0 extends 1 & T ? true : false
type Requires<Of> = Of extends Layer.Layer<infer _A, infer _E, infer R> ? R : never
type Needs<Of> = Of extends Effect.Effect<infer _A, infer _E, infer R> ? R : never
type Fails<Of> = Of extends Effect.Effect<infer _A, infer E, infer _R> ? E : never

// The layers need a doorman, and a router where they mount the actions; they fail with nothing.
const whole = Http.layer(Access.Default)
const middlewares = Http.layer(Access.Default, { mount: false })
const pages = Http.routes(Access.Default)
is<Requires<typeof whole>, Doorman | HttpRouter.HttpRouter>()
is<Layer.Error<typeof whole>, never>()
is<Requires<typeof middlewares>, Doorman>()
is<Requires<typeof pages>, Doorman>()
is<Requires<typeof Http.layerSameSite>, Doorman>()

// Programs say what they need and fail with.
const optional = Http.session(Access.Default)
const required = Http.requireSession(Access.Default)
const changed = Http.updateSession(Access.Default, {})
type Refusal = Access.NotAllowed | Access.NotSignedIn | Access.SessionUnavailable
is<Needs<typeof optional>, Doorman | HttpServerRequest>()
is<Fails<typeof optional>, Access.SessionUnavailable>()
is<Fails<typeof required>, Refusal>()
is<Fails<typeof changed>, Refusal>()
is<Needs<ReturnType<typeof Sessions.revoke>>, Doorman>()
is<Needs<typeof Http.handle>, Doorman | HttpServerRequest>()
is<Fails<typeof Http.handle>, never>()

// The user has the type of the application's own schema.
class Person extends Schema.Class<Person>("Person")({
  id: Schema.String,
  role: Schema.Literals(["admin", "guest"]),
  since: Schema.DateTimeUtcFromString
}) {}
class Staff extends Access.Service<Staff>()("staff", {
  user: Person,
  claims: Schema.Struct({ team: Schema.String })
}) {}
declare const token: Redacted.Redacted
declare const userId: UserId
const alone = Http.layer(Staff, { mount: false })
const requiredOfStaff = () => Http.requireSession(Staff)
is<Effect.Success<typeof Staff.CurrentUser>, Person>()
is<Effect.Success<typeof Staff.CurrentSession>, Access.ActiveSession<Person, { readonly team: string }>>()
is<Effect.Success<typeof Staff.MaybeSession>, Option.Option<Access.ActiveSession<Person, { readonly team: string }>>>()
is<Effect.Success<ReturnType<typeof requiredOfStaff>>["user"]["since"], DateTime.Utc>()
const sessionsOfStaff = () => ({
  verified: Sessions.verify(Staff, token),
  read: Sessions.get(Staff, token),
  issued: Sessions.issue(Staff, { id: userId })
})
type Sessioned = ReturnType<typeof sessionsOfStaff>
type StaffSession = Access.ActiveSession<Person, { readonly team: string }>
is<Effect.Success<Sessioned["verified"]>, StaffSession>()
is<Effect.Success<Sessioned["verified"]>["id"], SessionId>()
is<Effect.Success<Sessioned["read"]>, Option.Option<StaffSession>>()
is<Effect.Success<Sessioned["issued"]>, StaffSession & { readonly token: Redacted.Redacted }>()
is<Needs<Sessioned["issued"] | Sessioned["read"] | Sessioned["verified"]>, Doorman>()
is<Effect.Success<typeof Access.Default.CurrentUser>, Access.SessionUser>()
is<Effect.Success<typeof Access.Default.CurrentUser>["id"], UserId>()
is<Effect.Success<typeof Access.Default.CurrentSession>["userId"], UserId>()
is<Effect.Success<typeof Access.Default.CurrentSession>["id"], SessionId>()
const rule = Staff.allow(({ role }) => role === "admin")
is<Fails<typeof rule>, Access.NotAllowed>()
is<Needs<typeof rule>, Access.CurrentUser<Staff>>()
// @ts-expect-error the rule sees the user of the schema, which has no such role
export const never = Staff.allow(({ role }) => role === "owner")

// A rule of a service: its failures and requirements stay in the type, also where the handler says what it answers.
class Projects extends Context.Service<Projects, { readonly isOwner: (id: string) => Effect.Effect<boolean> }>()(
  "test/Projects"
) {}
class Busy extends Data.TaggedError("Busy") {}
declare const isOwner: (id: string) => Effect.Effect<boolean, Busy, Projects>
const owner = Staff.allow(({ id }) => isOwner(id))
is<Fails<typeof owner>, Access.NotAllowed | Busy>()
is<Needs<typeof owner>, Access.CurrentUser<Staff> | Projects>()
const quiet = Effect.asVoid(Staff.allow(({ id }) => Effect.orDie(isOwner(id))))
is<Needs<typeof quiet>, Access.CurrentUser<Staff> | Projects>()
// @ts-expect-error the rule asks a service that the handler does not declare
export const undeclared: Effect.Effect<void, Access.NotAllowed, Access.CurrentUser<Staff>> = Effect.asVoid(
  Staff.allow(({ id }) => Effect.orDie(isOwner(id)))
)
// @ts-expect-error the rule fails with what the handler does not declare
export const unhandled: Effect.Effect<void, Access.NotAllowed, Access.CurrentUser<Staff> | Projects> = Effect.asVoid(
  Staff.allow(({ id }) => isOwner(id))
)
// Two accesses are two services: the user of one is not that of the other.
class Other extends Access.Service<Other>()("other", { user: Person }) {}
// @ts-expect-error an id belongs to its access
export const mixed: Effect.Effect<Person, never, Access.CurrentUser<Other>> = Effect.map(
  Staff.CurrentUser,
  (user) => user
)
is<Needs<typeof Other.CurrentUser>, Access.CurrentUser<Other>>()

// A handler behind the middleware has session and user; the api then asks for the middleware.
const who = HttpApiEndpoint.get("who", "/who", { success: Schema.String })
class Guarded extends HttpApi.make("guarded").add(HttpApiGroup.make("g").add(who).middleware(Staff.RequireSession)) {}
const name = Effect.map(Staff.CurrentUser, ({ id }) => id)
const guarded = HttpApiBuilder.layer(Guarded).pipe(
  Layer.provide(HttpApiBuilder.group(Guarded, "g", (handlers) => handlers.handle("who", () => name)))
)
is<
  Extract<Requires<typeof guarded>, { readonly "~effect/http-api/HttpApiMiddleware": unknown }>,
  Access.RequireSession<Staff>
>()
const served = guarded.pipe(Layer.provide(alone))
is<Extract<Requires<typeof served>, Doorman>, Doorman>()

// Without the middleware nothing provides the user: the handler keeps asking for it, and no server can be made of it.
class Open extends HttpApi.make("open").add(HttpApiGroup.make("g").add(who)) {}
const open = HttpApiBuilder.layer(Open).pipe(
  Layer.provide(HttpApiBuilder.group(Open, "g", (handlers) => handlers.handle("who", () => name)))
)
declare const complete: Layer.Layer<Doorman, ConfigurationError>
const server = <A, E>(app: Layer.Layer<A, E, Layer.Services<typeof whole> | Platform>) => app
type Platform = Exclude<Layer.Services<typeof served>, Doorman>
server(served)
// @ts-expect-error the user is provided to handlers behind the middleware alone
server(open)

// For routes of a router.
const page = Effect.map(Staff.CurrentUser, ({ id }) => HttpServerResponse.text(id))
const routed = HttpRouter.add("GET", "/page", page)
const request = new Request("https://app.example/page")
export const answered: Promise<Response> = HttpRouter.toWebHandler(
  routed.pipe(Layer.provide(Http.routes(Staff)), Layer.provide(complete))
).handler(request)
// @ts-expect-error nothing provides the user to this route: whoever calls the handler would have to
export const unanswered: Promise<Response> = HttpRouter.toWebHandler(routed).handler(request)

// In the handlers of an API.
const forbidden = HttpApiEndpoint.get("edit", "/edit", { error: Access.NotAllowed })
class Edited extends HttpApi.make("edited").add(
  HttpApiGroup.make("g").add(forbidden).middleware(Staff.RequireSession)
) {}
type Asked = HttpRouter.Request<"Requires", Projects>
// Written in the handler itself, where the compiler knows what the handler may answer.
const dying = HttpApiBuilder.group(Edited, "g", (handlers) =>
  handlers.handle("edit", () => Effect.orDie(Effect.asVoid(Staff.allow(({ id }) => isOwner(id)))))
)
is<IsAny<Requires<typeof dying>>, false>()
is<Extract<Requires<typeof dying>, Asked>, Asked>()
const plain = HttpApiBuilder.group(Edited, "g", (handlers) =>
  handlers.handle("edit", () => Effect.orDie(Effect.asVoid(Staff.allow(({ role }) => role === "admin"))))
)
is<IsAny<Requires<typeof plain>>, false>()
is<Extract<Requires<typeof plain>, Asked>, never>()
server(HttpApiBuilder.layer(Edited).pipe(Layer.provide(plain), Layer.provide(alone)))
// @ts-expect-error nothing provides the service of the rule
server(HttpApiBuilder.layer(Edited).pipe(Layer.provide(dying), Layer.provide(alone)))

// Without `Doorman.layer` the error names its service: `Doorman`.
// @ts-expect-error Type 'Doorman' is not assignable to type 'never'
export const forgotten: Layer.Layer<Access.RequireSession<Staff> | Access.OptionalSession<Staff>> = alone
export const remembered: Layer.Layer<
  Access.RequireSession<Staff> | Access.OptionalSession<Staff>,
  ConfigurationError,
  HttpClient
> = alone.pipe(Layer.provide(Doorman.layer({ providers: [] })))

// Procedures have the user of the same access.
const Calls = RpcGroup.make(Rpc.make("Who", { success: Schema.String }).middleware(Staff.RequireSession))
is<Requires<ReturnType<typeof calls>>, never>()
const calls = () => Calls.toLayer({ Who: () => name })
const Unguarded = RpcGroup.make(Rpc.make("Who", { success: Schema.String }))
const unguarded = Unguarded.toLayer({ Who: () => name })
is<Requires<typeof unguarded>, Access.CurrentUser<Staff>>()

// A rule of a service in a procedure.
const Edits = RpcGroup.make(Rpc.make("Edit", { error: Access.NotAllowed }).middleware(Staff.RequireSession))
const asking = Edits.toLayer({ Edit: () => Effect.asVoid(Staff.allow(({ id }) => Effect.orDie(isOwner(id)))) })
is<Requires<typeof asking>, Projects>()
const ruled = Edits.toLayer({ Edit: () => Effect.orDie(Effect.asVoid(Staff.allow(({ role }) => role === "admin"))) })
is<Requires<typeof ruled>, never>()
const died = Edits.toLayer({ Edit: () => Effect.orDie(Effect.asVoid(Staff.allow(({ id }) => isOwner(id)))) })
is<Requires<typeof died>, Projects>()

// Callbacks have the types of the user and the claims.
const Role = Schema.Literals(["admin", "guest"])
class Shop extends Access.Service<Shop>()("shop", {
  user: Schema.Struct({ id: Schema.String, name: Schema.String, role: Role }),
  claims: Schema.Struct({ basket: Schema.Number })
}) {}
const typed = Shop.callbacks({
  jwt: ({ token, trigger }) => {
    is<typeof token.role, "admin" | "guest" | undefined>()
    is<typeof token.basket, number | undefined>()
    return trigger === "signIn" ? { ...token, role: "guest", basket: 0 } : token
  },
  session: ({ session, token }) =>
    Effect.as(Projects, {
      ...session,
      user: { name: session.user?.name ?? "", role: token?.role ?? "guest" },
      expires: session.expires,
      basket: token?.basket ?? 0
    }),
  signIn: ({ user }) => (user.id === undefined ? false : Effect.as(Other.CurrentUser, true))
})
const bare = { providers: [], secret: "" }
const shop = Doorman.layer(forLayer({ ...bare, callbacks: typed }))
is<Requires<typeof shop>, HttpClient | Projects | Access.CurrentUser<Other>>()
// @ts-expect-error the schema of the user has no such role
Shop.callbacks({ jwt: ({ token }) => ({ ...token, role: "owner" }) })
// @ts-expect-error the schema of the user requires a name and a role
Shop.callbacks({ session: ({ session }) => ({ expires: session.expires, user: {}, basket: 1 }) })
// @ts-expect-error the schema of the claims requires the basket
Shop.callbacks({ session: ({ session }) => ({ expires: session.expires, user: { name: "", role: "guest" } }) })
// @ts-expect-error no such callback
Shop.callbacks({ singIn: () => false })
