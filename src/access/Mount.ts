/**
 * The actions as routes of an `HttpRouter`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { type HttpServerError, isHttpServerError } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import * as HandleAction from "../composition/HandleAction.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { Doorman } from "../Doorman.ts"
import * as PublicAddress from "./PublicAddress.ts"
import { isEndpoint } from "../http/AuthAction.ts"
import {
  always,
  type Choose,
  type DoormanChoice,
  fromChoice,
  type NeedsOfChoice,
  refuseRequest
} from "./ChooseDoorman.ts"
import { Settings } from "../config/Settings.ts"
import { guardSpan } from "./Redaction.ts"
import { readAction } from "./ServerRequest.ts"
import { toServerResponse } from "./ServerResponse.ts"
import { report } from "../telemetry/Report.ts"

/** Where a `Doorman` is mounted. @category models @since 0.1.0 */
export interface MountOptions {
  /**
   * The path that this server sees, when a proxy in front strips or changes the public one, and on a router with a prefix the
   * path without it. Default: the base path of the options, which is always the public one, and `/auth` where `doorman`
   * chooses.
   */
  readonly path?: `/${string}` | "" | undefined
}

/** Answers the current request with the action that it names, at a `Doorman` whose actions are at `path`. */
const answer = (
  doorman: Doorman["Service"],
  path: string
): Effect.Effect<HttpServerResponse, never, HttpServerRequest> =>
  Effect.gen(function* () {
    const server = yield* HttpServerRequest
    const services = yield* doorman.servicesHere
    const settings = Context.get(services, Settings)
    const url = PublicAddress.routed(server, settings.hosts)
    if (url._tag === "Failure") {
      const { response } = yield* Effect.provideContext(
        HandleAction.reject(url.failure, new Headers(server.headers), settings, nowhere()),
        services
      )
      return toServerResponse(response)
    }
    const refusal = doorman.refusal?.(url.success)
    if (refusal !== undefined) {
      // The body holds no session, provider or token, for every client.
      yield* Effect.provideContext(report(refusal), services)
      return toServerResponse(AuthResponse.json(null, [], 500))
    }
    const address = rebase(url.success, path, settings.basePath)
    const answer = yield* Effect.provideContext(
      Effect.matchEffect(readAction(server, address, settings.basePath), {
        // A disconnecting client undoes nothing: the library completes the action, as the facade does.
        onSuccess: (read) => Effect.uninterruptible(Effect.provideService(HandleAction.handle, AuthRequest, read)),
        onFailure: (failure) => HandleAction.reject(failure, new Headers(server.headers), settings, address)
      }),
      services
    )
    const wantsRedirectBody = server.headers["x-auth-return-redirect"] !== undefined
    return toServerResponse(wantsRedirectBody ? AuthResponse.returningRedirect(answer.response) : answer.response)
  })

/** For pages about a request with an invalid host. */
const nowhere = (): URL => new URL("http://localhost/")

/** The public address of a request whose path was changed on its way. */
const rebase = (url: URL, path: string, basePath: string): URL => {
  if (path === basePath || !isBelow(path, url.pathname)) return url
  const address = new URL(url)
  address.pathname = `${basePath}${url.pathname.slice(path.length)}`
  return address
}

const isBelow = (path: string, pathname: string): boolean => pathname === path || pathname.startsWith(`${path}/`)

/** At the root every action has a route of its own, so that the rest of the site stays the application's. */
const actions = [
  "/session",
  "/csrf",
  "/providers",
  "/signin/*",
  "/signout/*",
  "/backchannel-logout/*",
  "/callback/*",
  "/error",
  "/verify-request",
  "/webauthn-options/*"
] as const

/**
 * The patterns of a path. Routers read some characters in their own way: a colon is doubled, and what cannot be written as a
 * pattern is left to {@link withoutRoute}.
 */
const patterns = (path: string): ReadonlyArray<HttpRouter.PathInput> => {
  if (!path.startsWith("/")) return actions
  return /[*;%?#]/.test(path) ? [] : [`/${path.slice(1).replaceAll(":", "::")}/*`]
}

/** Is it a path of this library, whatever a router makes of it? */
const isOurs = (path: string, url: string): boolean => {
  const pathname = url.replace(/[?#].*$/s, "")
  return path === "" ? isEndpoint(pathname.split("/")[1] ?? "") : isBelow(path, pathname)
}

/** Did the router find no route for the request? */
const isNotFound = (error: unknown): error is HttpServerError =>
  isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/**
 * Routers know no route for methods that they never heard of and for paths with broken escapes. Below the base path such
 * requests are answered here, after every route was tried.
 */
const withoutRoute =
  (path: string, handler: Effect.Effect<HttpServerResponse, never, HttpServerRequest>) =>
  <E>(
    app: Effect.Effect<HttpServerResponse, E, HttpServerRequest>
  ): Effect.Effect<HttpServerResponse, E, HttpServerRequest> =>
    Effect.catchIf(
      app,
      (error) => isNotFound(error) && isOurs(path, error.request.url),
      () => handler
    )

/** The paths of each `Doorman` at each router. */
const mounts = new WeakMap<object, WeakMap<object, Set<string>>>()

/** Whether the actions of a `Doorman` are at this path of a router already; from now on they are. */
const isMounted = (router: object, doorman: object, path: string): boolean => {
  const doormen = mounts.get(router) ?? new WeakMap<object, Set<string>>()
  const paths = doormen.get(doorman) ?? new Set<string>()
  const isKnown = paths.has(path)
  mounts.set(router, doormen.set(doorman, paths.add(path)))
  return isKnown
}

/** Answers the current request, whatever its path, with the `Doorman` of the context. */
export const handle: Effect.Effect<HttpServerResponse, never, Doorman | HttpServerRequest> = Effect.andThen(
  guardSpan,
  Effect.flatMap(Doorman, (doorman) => answer(doorman, doorman.settings.basePath))
)

/** All actions at a path of a router; `owner` is what they are mounted for. */
const mountAt = Effect.fnUntraced(function* (
  router: HttpRouter.HttpRouter,
  owner: object,
  choose: Choose,
  wanted: string
): Effect.fn.Return<void> {
  const path = wanted.replace(/\/+$/, "")
  if (isMounted(router, owner, path)) return
  const handler = Effect.andThen(
    guardSpan,
    choose((doorman) => answer(doorman, path), refuseRequest)
  )
  yield* router.addAll(patterns(path).map((pattern) => HttpRouter.route("*", pattern, handler)))
  yield* router.addGlobalMiddleware(withoutRoute(path, handler))
})

/** All actions of a `Doorman`. */
export const mount = (options: MountOptions = {}): Layer.Layer<never, never, Doorman | HttpRouter.HttpRouter> =>
  HttpRouter.use((router) =>
    Effect.flatMap(Doorman, (doorman) =>
      mountAt(router, doorman, always(doorman), options.path ?? doorman.settings.basePath)
    )
  )

/** All actions, each request at the `Doorman` that the application chooses for it. */
export const mountChoice = <R>(
  options: MountOptions & DoormanChoice<R>
): Layer.Layer<never, never, HttpRouter.HttpRouter | NeedsOfChoice<R>> =>
  HttpRouter.use((router) =>
    Effect.flatMap(fromChoice(options), (choose) => mountAt(router, options.doorman, choose, options.path ?? "/auth"))
  )
