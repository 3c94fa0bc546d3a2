/**
 * What is known of one request while it is answered: the cookies that count by now, the session, and the cookies to set.
 *
 * A session is looked up once, however many middlewares and handlers ask for it. Whatever cookies come of that are set on
 * the answer just before it goes out, whoever makes it, a failure included.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { SessionUnavailable } from "../AccessProblem.ts"
import { ClientAddress } from "../audit/Trail.ts"
import { AuthRequest } from "../AuthRequest.ts"
import type { ResponseCookie } from "../Cookie.ts"
import { Doorman } from "../Doorman.ts"
import type { MalformedRequest } from "../Errors.ts"
import type { CookieHeader } from "../internal/CookieHeader.ts"
import * as PublicAddress from "../PublicAddress.ts"
import type { Platform, Services } from "../Services.ts"
import * as Session from "../Session.ts"
import { type Found, lookUp } from "./Lookup.ts"
import { cookiesOf, readSession } from "./ServerRequest.ts"
import { withCookies } from "./ServerResponse.ts"

/** Somebody, or nobody; a failure says that this is not known. */
export type Lookup = Effect.Effect<Found | undefined, SessionUnavailable>

/** The state of one request at one doorman. */
export interface RequestState {
  /** The request as the programs of the library see it. Fails when it names no host. */
  readonly request: Effect.Effect<AuthRequest["Service"], MalformedRequest>
  /** Runs a program of the library for this request. */
  readonly run: <A, E>(
    program: Effect.Effect<A, E, AuthRequest | Services | Platform>
  ) => Effect.Effect<A, E | MalformedRequest>
  /** The session, looked up when it is first asked for. */
  readonly session: Lookup
  /** Looks the session up anew, with a change that the callbacks are told of. */
  readonly change: (data: unknown) => Lookup
  /** Sets cookies on the answer, and lets them count for whatever is asked from here on. */
  readonly deliver: (cookies: ReadonlyArray<ResponseCookie>) => Effect.Effect<void>
  /** What was found so far counts no more. */
  readonly forget: Effect.Effect<void>
}

const make = (doorman: Doorman["Service"], server: HttpServerRequest): RequestState => {
  const services = Context.add(doorman.services, ClientAddress, Option.getOrUndefined(server.remoteAddress))
  const pending = new Map<string, ResponseCookie>()
  let made: Headers | undefined
  // Few programs look at a header, and making them costs more than looking up a session.
  const headers = () => (made ??= new Headers(server.headers))
  let cookies = cookiesOf(server)
  let lookup: Lookup | undefined
  let isAttached = false

  const request = Effect.suspend(() =>
    Effect.map(PublicAddress.of(server, doorman.origin), (url) => readSession(url, cookies, headers))
  )

  const run: RequestState["run"] = (program) =>
    Effect.flatMap(request, (read) => Effect.provideContext(program, Context.add(services, AuthRequest, read)))

  const deliver: RequestState["deliver"] = (answered) =>
    answered.length === 0
      ? Effect.void
      : Effect.withFiber((fiber) => {
          for (const cookie of answered) pending.set(cookie.name, cookie)
          cookies = applied(cookies, answered)
          if (!isAttached) {
            isAttached = true
            HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_, response) =>
              Effect.succeed(withCookies(response, pending.values()))
            )
          }
          return Effect.void
        })

  const find = Effect.fnUntraced(function* (
    change: { readonly session: unknown } | undefined
  ): Effect.fn.Return<Found | undefined, SessionUnavailable> {
    const read = yield* Effect.result(request)
    if (Result.isFailure(read)) {
      // Without a host nobody can tell which cookies are meant.
      yield* Effect.logInfo(read.failure)
      return undefined
    }
    const authorization = server.headers["authorization"]
    const looked = yield* lookUp(doorman.settings, services, read.success, { change, renewal: "due", authorization })
    yield* deliver(looked.cookies)
    return looked.found
  })

  const kept = (change: { readonly session: unknown } | undefined): Lookup => {
    const found = Effect.runSync(Effect.cached(find(change)))
    // Who was interrupted has found nothing: the next one looks again.
    lookup = Effect.onInterrupt(found, () => Effect.sync(() => (lookup = undefined)))
    return lookup
  }

  return {
    request,
    run,
    deliver,
    forget: Effect.sync(() => {
      lookup = undefined
    }),
    session: Effect.suspend(() => lookup ?? kept(undefined)),
    change: (data) => Effect.suspend(() => kept({ session: Session.wished(data) }))
  }
}

/** The cookies of a browser after an answer. */
const applied = ({ conflicts, values }: CookieHeader, answered: ReadonlyArray<ResponseCookie>): CookieHeader => {
  const after = new Map(values)
  const unclear = new Map(conflicts)
  for (const { name, value } of answered) {
    unclear.delete(name)
    if (value === "") after.delete(name)
    else after.set(name, value)
  }
  return { values: after, conflicts: unclear.size === 0 ? undefined : unclear }
}

/** States live as long as the requests that they belong to; two doormen know nothing of each other's. */
const states = new WeakMap<Doorman["Service"], WeakMap<object, RequestState>>()

/** The state of a request at a doorman. */
export const stateOf = (doorman: Doorman["Service"], server: HttpServerRequest): Effect.Effect<RequestState> =>
  Effect.withFiber((fiber) => {
    const requests = states.get(doorman) ?? new WeakMap<object, RequestState>()
    states.set(doorman, requests)
    const known = requests.get(server.source)
    if (known !== undefined) return Effect.succeed(known)
    const made = make(doorman, server)
    requests.set(server.source, made)
    // Once answered, a request is over: who uses the same object again begins anew.
    HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_, response) => {
      requests.delete(server.source)
      return Effect.succeed(response)
    })
    return Effect.succeed(made)
  })

/** The state of the request that is being answered. */
export const current: Effect.Effect<RequestState, never, Doorman | HttpServerRequest> = Effect.gen(function* () {
  return yield* stateOf(yield* Doorman, yield* HttpServerRequest)
})
