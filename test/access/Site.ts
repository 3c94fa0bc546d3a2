/**
 * A site of Effect with a doorman, in the process of the test: its routes under the clock of the test, what it logs, what it
 * reports, and browsers in front of it.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as ErrorReporter from "effect/ErrorReporter"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import * as Sql from "../../src/Sql.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { LogLimit, makeLogLimiter } from "../../src/Telemetry.ts"
import { random } from "../sql/Engine.ts"
import { options, type Visitor, visitor } from "../Visitor.ts"
import { forLayer, type PlainOptions } from "../ForLayer.ts"
import { offline } from "../Offline.ts"

export const start = 1_800_000_000_000

/** A time of the clock of the test, in milliseconds. */
export const dateOf = (at: number): Date => new Date(at)

export const sessionCookie = "__Host-authjs.session-token"

/** Waits until whatever was forked waits for the clock or for nothing that will come. */
export const settled = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** What a site said about itself. */
export interface Told {
  readonly logged: Array<{ readonly level: string; readonly message: unknown }>
  readonly reported: Array<unknown>
}

export interface Site {
  readonly handler: (request: Request) => Promise<Response>
  readonly ask: (request: Request) => Effect.Effect<Response>
  readonly get: (path: string, headers?: Record<string, string>) => Effect.Effect<Response>
  readonly post: (path: string, headers?: Record<string, string>, body?: string) => Effect.Effect<Response>
  readonly browser: () => Browser
  readonly told: Told
  /** Tags of what was logged as an error. */
  readonly errors: () => ReadonlyArray<string>
}

/** A browser whose requests are Effects. */
export interface Browser {
  readonly cookies: Visitor["cookies"]
  readonly get: (path: string, headers?: Record<string, string>) => Effect.Effect<Response>
  readonly post: (
    path: string,
    headers?: Record<string, string>,
    fields?: Readonly<Record<string, string>>
  ) => Effect.Effect<Response>
  readonly signIn: (name?: string) => Effect.Effect<Response>
}

export const origin = "https://app.example"

/** Routes may ask for whatever the site provides; a test that asks for more dies. */
const given = (routes: Layer.Layer<never, never, unknown>): Layer.Layer<never, never, Given> =>
  // @effect-diagnostics-next-line unsafeEffectTypeAssertion:off
  routes as Layer.Layer<never, never, Given>

/** What routes may ask for. */
type Given =
  | Doorman
  | HttpRouter.HttpRouter
  | Layer.Success<
      | ReturnType<typeof Http.layer<Access.Default, typeof Access.SessionUser, typeof Access.Default.claims>>
      | typeof HttpServer.layerServices
    >

/** Builds a site of these routes. */
export const site = <R>(
  routes: Layer.Layer<never, never, R>,
  more: Partial<PlainOptions> = {}
): Effect.Effect<Site, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const told: Told = { logged: [], reported: [] }
    const doorman = Doorman.layer(forLayer({ ...options(), logger: undefined, ...more })).pipe(Layer.provide(offline))
    const app = given(routes).pipe(
      HttpRouter.provideRequest(doorman),
      Layer.provideMerge(Http.layer(Access.Default)),
      Layer.provide(doorman),
      Layer.provide(HttpServer.layerServices)
    )
    const spoken = yield* Layer.build(listening(told))
    return yield* Effect.gen(function* () {
      const effect = yield* HttpRouter.toHttpEffect(app)
      const context = yield* Effect.context<never>()
      return make(HttpEffect.toWebHandlerWith<never, Scope.Scope | HttpServerRequest>(context)(effect), told)
    }).pipe(Effect.orDie, Effect.provideContext(spoken))
  })

const listening = (told: Told): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([
      Logger.make(({ cause, logLevel, message }) => {
        for (const one of Array.isArray(message) ? message : [message])
          told.logged.push({ level: logLevel, message: one })
        if (cause.reasons.length > 0) told.logged.push({ level: logLevel, message: Cause.squash(cause) })
      })
    ]),
    Layer.succeed(References.MinimumLogLevel, "Info"),
    Layer.sync(LogLimit, makeLogLimiter),
    ErrorReporter.layer([ErrorReporter.make(({ cause }) => void told.reported.push(cause))])
  )

const make = (handler: Site["handler"], told: Told): Site => {
  const ask: Site["ask"] = (request) => Effect.promise(() => handler(request))
  return {
    handler,
    ask,
    told,
    get: (path, headers = {}) => ask(new Request(`${origin}${path}`, { headers })),
    post: (path, headers = {}, body) =>
      ask(new Request(`${origin}${path}`, { method: "POST", headers, body: body ?? null })),
    errors: () =>
      told.logged
        .filter(({ level }) => level === "Error")
        .map(({ message }) => (message as { readonly _tag?: string })._tag ?? String(message)),
    browser: () => {
      const person = visitor(handler)
      return {
        cookies: person.cookies,
        get: (path, headers) => Effect.promise(() => person.get(path, headers)),
        post: (path, headers = {}, fields = {}) => Effect.promise(() => person.post(path, fields, headers)),
        signIn: (name) => Effect.promise(() => person.signIn(name))
      }
    }
  }
}

export const json = (response: Response) => Effect.promise(() => response.json())

/** Cookies that an answer sets. */
export const setBy = (response: Response): ReadonlyArray<string> => response.headers.getSetCookie()

/** A store in which every call is counted, and which can be down or hang. */
export interface Watched {
  readonly store: AdapterShape
  readonly calls: Map<string, number>
  readonly count: (method: string) => number
  readonly state: { down: boolean; hang: string | undefined }
}

export const watched = (store: AdapterShape = makeMemory()): Watched => {
  const calls = new Map<string, number>()
  const state: Watched["state"] = { down: false, hang: undefined }
  const wrapped = Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      typeof method !== "function" || name === "transaction"
        ? method
        : (...args: Array<unknown>) =>
            Effect.suspend(() => {
              calls.set(name, (calls.get(name) ?? 0) + 1)
              if (state.hang === name) return Effect.never
              if (state.down) return Effect.die(new Error("ECONNREFUSED canary-of-the-store"))
              return (method as (...args: Array<unknown>) => Effect.Effect<unknown>)(...args)
            })
    ])
  )
  return { store: wrapped as unknown as AdapterShape, calls, count: (method) => calls.get(method) ?? 0, state }
}

/** An empty SQLite database as storage; it lasts as long as the scope. */
export const sqlite: Effect.Effect<AdapterShape, never, Scope.Scope> = Effect.orDie(
  Effect.flatMap(Layer.build(Layer.merge(Layer.fresh(Sqlite.layer({ filename: ":memory:" })), random)), (context) =>
    Effect.provide(Sql.make(), context)
  )
)

/** The two stores that sessions are tested with. */
export const stores: ReadonlyArray<readonly [string, Effect.Effect<AdapterShape, never, Scope.Scope>]> = [
  ["memory", Effect.sync(makeMemory)],
  ["SQLite", sqlite]
]

export const text = (body: string): HttpServerResponse.HttpServerResponse => HttpServerResponse.text(body)

/** A user in a store; the store says under which id. */
export const person = (store: AdapterShape, name = "Ann"): Effect.Effect<string> =>
  Effect.orDie(
    Effect.map(
      store.createUser({ id: asUserId(name), email: `${name}@example.com`.toLowerCase(), emailVerified: null, name }),
      ({ id }) => id
    )
  )

/** A route that signs a user in. */
export const entering = (id: string, path: `/${string}` = "/enter") =>
  HttpRouter.add("POST", path, Effect.as(Http.signIn({ id: asUserId(id) }), text("in")).pipe(Effect.orDie))
