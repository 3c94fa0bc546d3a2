/**
 * What a handler gets of a session, held by the compiler: this file is compiled by `npm run typecheck` and never run.
 */
// What may not compile is expected to fail: the compiler says so, and nobody has to say it again.
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
import * as Schema from "effect/Schema"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Access from "../../src/Access.ts"
import * as Auth from "../../src/Auth.ts"
import type { ConfigurationError } from "../../src/AuthConfig.ts"
import type { Doorman } from "../../src/Doorman.ts"
import * as Http from "../../src/Http.ts"
import * as RpcDoor from "../../src/Rpc.ts"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles when both types are the same. */
declare const is: <A, B>(...found: Same<A, B> extends true ? [] : [A, B]) => void

type IsAny<T> = 0 extends 1 & T ? true : false
type Requires<Of> = Of extends Layer.Layer<infer _A, infer _E, infer R> ? R : never
type Needs<Of> = Of extends Effect.Effect<infer _A, infer _E, infer R> ? R : never
type Fails<Of> = Of extends Effect.Effect<infer _A, infer E, infer _R> ? E : never

// The door needs a doorman and a router, and fails with nothing.
is<Requires<typeof Http.layer>, Doorman | HttpRouter.HttpRouter>()
is<Layer.Error<typeof Http.layer>, never>()
is<Requires<typeof Http.layerSession>, Doorman>()
is<Requires<typeof Http.layerRoutes>, Doorman>()
is<Requires<typeof Http.layerSameSite>, Doorman>()
is<Requires<typeof RpcDoor.layer>, Doorman>()

// Programs say what they need and fail with.
is<Needs<typeof Http.session>, Doorman | HttpServerRequest>()
is<Fails<typeof Http.session>, Http.SessionUnavailable>()
is<Fails<typeof Http.requireSession>, Http.NotAllowed | Http.NotSignedIn | Http.SessionUnavailable>()
is<Fails<ReturnType<typeof Http.updateSession>>, Http.NotAllowed | Http.NotSignedIn | Http.SessionUnavailable>()
is<Needs<ReturnType<typeof Http.revokeSession>>, Doorman>()

// The user has the type of the application's own schema.
class Person extends Schema.Class<Person>("Person")({
  id: Schema.String,
  role: Schema.Literals(["admin", "guest"]),
  since: Schema.DateTimeUtcFromString
}) {}
const Staff = Access.make("staff", { user: Person, members: Schema.Struct({ team: Schema.String }) })
const door = Http.forAccess(Staff)
is<Effect.Success<typeof Staff.CurrentUser>, Person>()
is<Effect.Success<typeof Staff.CurrentSession>, Http.ActiveSession<Person, { readonly team: string }>>()
is<Effect.Success<typeof Staff.MaybeSession>, Option.Option<Http.ActiveSession<Person, { readonly team: string }>>>()
is<Effect.Success<typeof door.require>["user"]["since"], DateTime.Utc>()
is<Effect.Success<typeof Http.CurrentUser>, Http.SessionUser>()
is<Effect.Success<typeof Http.CurrentUser>["id"], string>()
is<Effect.Success<typeof Http.CurrentSession>["userId"], string>()
const rule = Staff.allow(({ role }) => role === "admin")
is<Fails<typeof rule>, Http.NotAllowed>()
is<Needs<typeof rule>, Access.CurrentUser<"staff">>()
// @ts-expect-error the rule sees the user of the schema, which has no such role
export const never = Staff.allow(({ role }) => role === "owner")

// A rule of a service: its failures and requirements stay in the type, also where the handler says what it answers.
class Projects extends Context.Service<Projects, { readonly isOwner: (id: string) => Effect.Effect<boolean> }>()(
  "test/Projects"
) {}
class Busy extends Data.TaggedError("Busy") {}
declare const isOwner: (id: string) => Effect.Effect<boolean, Busy, Projects>
const owner = Staff.allow(({ id }) => isOwner(id))
is<Fails<typeof owner>, Http.NotAllowed | Busy>()
is<Needs<typeof owner>, Access.CurrentUser<"staff"> | Projects>()
const quiet = Effect.asVoid(Staff.allow(({ id }) => Effect.orDie(isOwner(id))))
is<Needs<typeof quiet>, Access.CurrentUser<"staff"> | Projects>()
// @ts-expect-error the rule asks a service that the handler does not declare
export const undeclared: Effect.Effect<void, Http.NotAllowed, Access.CurrentUser<"staff">> = Effect.asVoid(
  Staff.allow(({ id }) => Effect.orDie(isOwner(id)))
)
// @ts-expect-error the rule fails with what the handler does not declare
export const unhandled: Effect.Effect<void, Http.NotAllowed, Access.CurrentUser<"staff"> | Projects> = Effect.asVoid(
  Staff.allow(({ id }) => isOwner(id))
)
// Two accesses are two services: the user of one is not that of the other.
const Other = Access.make("other", { user: Person })
// @ts-expect-error an id belongs to its access
export const mixed: Effect.Effect<Person, never, Access.CurrentUser<"other">> = Effect.map(
  Staff.CurrentUser,
  (user) => user
)
is<Needs<typeof Other.CurrentUser>, Access.CurrentUser<"other">>()

// A handler behind the middleware has session and user; the api then asks for the middleware.
const who = HttpApiEndpoint.get("who", "/who", { success: Schema.String })
class Guarded extends HttpApi.make("guarded").add(HttpApiGroup.make("g").add(who).middleware(Staff.RequireSession)) {}
const name = Effect.map(Staff.CurrentUser, ({ id }) => id)
const guarded = HttpApiBuilder.layer(Guarded).pipe(
  Layer.provide(HttpApiBuilder.group(Guarded, "g", (handlers) => handlers.handle("who", () => name)))
)
is<
  Extract<Requires<typeof guarded>, { readonly "~effect/http-api/HttpApiMiddleware": unknown }>,
  Access.RequireSession<"staff">
>()
const served = guarded.pipe(Layer.provide(door.layer))
is<Extract<Requires<typeof served>, Doorman>, Doorman>()

// Without the middleware nothing provides the user: the handler keeps asking for it, and no server can be made of it.
class Open extends HttpApi.make("open").add(HttpApiGroup.make("g").add(who)) {}
const open = HttpApiBuilder.layer(Open).pipe(
  Layer.provide(HttpApiBuilder.group(Open, "g", (handlers) => handlers.handle("who", () => name)))
)
declare const complete: Layer.Layer<Doorman, ConfigurationError>
const server = <A, E>(app: Layer.Layer<A, E, Layer.Services<typeof Http.layer> | Platform>) => app
type Platform = Exclude<Layer.Services<typeof served>, Doorman>
server(served)
// @ts-expect-error the user is provided to handlers behind the middleware alone
server(open)

// The same for routes of a router.
const page = Effect.map(Staff.CurrentUser, ({ id }) => HttpServerResponse.text(id))
const routed = HttpRouter.add("GET", "/page", page)
const request = new Request("https://app.example/page")
export const answered: Promise<Response> = HttpRouter.toWebHandler(
  routed.pipe(Layer.provide(door.routes), Layer.provide(complete))
).handler(request)
// @ts-expect-error nothing provides the user to this route: whoever calls the handler would have to
export const unanswered: Promise<Response> = HttpRouter.toWebHandler(routed).handler(request)

// The same in the handlers of an api.
const forbidden = HttpApiEndpoint.get("edit", "/edit", { error: Http.NotAllowed })
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
server(HttpApiBuilder.layer(Edited).pipe(Layer.provide(plain), Layer.provide(door.layer)))
// @ts-expect-error nothing provides the service of the rule
server(HttpApiBuilder.layer(Edited).pipe(Layer.provide(dying), Layer.provide(door.layer)))

// Whoever forgets `Auth.layer` is told its service by name: `Doorman`.
// @ts-expect-error Type 'Doorman' is not assignable to type 'never'
export const forgotten: Layer.Layer<Access.RequireSession<"staff"> | Access.OptionalSession<"staff">> = door.layer
export const remembered: Layer.Layer<
  Access.RequireSession<"staff"> | Access.OptionalSession<"staff">,
  ConfigurationError,
  HttpClient
> = door.layer.pipe(Layer.provide(Auth.layer({ providers: [] })))

// Procedures have the user of the same access.
const StaffRpc = RpcDoor.make(Staff)
const Calls = RpcGroup.make(Rpc.make("Who", { success: Schema.String }).middleware(StaffRpc.RequireSession))
is<Requires<ReturnType<typeof calls>>, never>()
const calls = () => Calls.toLayer({ Who: () => name })
const Unguarded = RpcGroup.make(Rpc.make("Who", { success: Schema.String }))
const unguarded = Unguarded.toLayer({ Who: () => name })
is<Requires<typeof unguarded>, Access.CurrentUser<"staff">>()

// A rule of a service in a procedure.
const Edits = RpcGroup.make(Rpc.make("Edit", { error: Http.NotAllowed }).middleware(StaffRpc.RequireSession))
const asking = Edits.toLayer({ Edit: () => Effect.asVoid(Staff.allow(({ id }) => Effect.orDie(isOwner(id)))) })
is<Requires<typeof asking>, Projects>()
const ruled = Edits.toLayer({ Edit: () => Effect.orDie(Effect.asVoid(Staff.allow(({ role }) => role === "admin"))) })
is<Requires<typeof ruled>, never>()
const died = Edits.toLayer({ Edit: () => Effect.orDie(Effect.asVoid(Staff.allow(({ id }) => isOwner(id)))) })
is<Requires<typeof died>, Projects>()
