/**
 * The state of one request while it is answered: the cookies that count by now, the session, and the cookies to set.
 *
 * A session is looked up once, however many middlewares and handlers ask for it. The library sets the resulting cookies on
 * every response just before it goes out, also on failures.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import * as HttpEffect from "effect/http/HttpEffect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Found } from "./SessionDecoder.ts"
import { SessionUnavailable } from "./AccessProblem.ts"
import { ClientAddress } from "../telemetry/AuditEmitter.ts"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest, bearerOf } from "../http/AuthRequest.ts"
import { type ResponseCookie, variantOf } from "../http/Cookie.ts"
import { Doorman } from "../Doorman.ts"
import { MalformedRequest } from "../Errors.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import type { CookieHeader } from "../http/CookieHeader.ts"
import * as PublicAddress from "./PublicAddress.ts"
import type { Platform, Services } from "../composition/Services.ts"
import * as Session from "../Session.ts"
import { clientAddressOf } from "../actions/RequestAdvice.ts"
import { report } from "../telemetry/Report.ts"
import { isKnown, lookUp } from "./ResolveSession.ts"
import { cookiesOf, readSession } from "./ServerRequest.ts"
import { withCookies } from "./ServerResponse.ts"

/** The session, or `undefined` for a signed-out visitor; it fails when this cannot be decided. */
export type Lookup = Effect.Effect<Found | undefined, SessionUnavailable>

/** The result of a program that changes the session: cookies to set in any case, and the failure, if any. */
export interface Changed<E> {
  readonly cookies: ReadonlyArray<ResponseCookie>
  readonly failure: E | undefined
}

type Program<A, E> = Effect.Effect<A, E, AuthRequest | Services | Platform>

/** Does the method of a request promise to change nothing (RFC 9110 section 9.2.1)? */
const isSafe = ({ method }: HttpServerRequest): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"

/** The state of one request at one `Doorman`. Functions make its programs: most requests run one of them. */
export interface RequestState {
  /** The services of the `Doorman`, with what is known of the connection. */
  readonly services: Context.Context<Services | Platform>
  /** The request as the programs of the library see it. Fails when it names no host. */
  readonly request: () => Effect.Effect<AuthRequest["Service"], MalformedRequest>
  /** The session, looked up when it is first asked for. `here` is the context of the place, and what is known at once an `Exit`. */
  readonly session: (here: Context.Context<never>) => Lookup
  /** The session, looked up anew, and checked at once whether it was revoked. */
  readonly fresh: (here: Context.Context<never>) => Lookup
  /** Looks the session up anew, with a change for the callbacks. The session from before stays when this fails. */
  readonly change: (data: unknown) => Lookup
  /** Runs a program that makes another session of this one: its cookies are set, and the session is looked up anew. */
  readonly replace: <E>(program: Program<Changed<E>, E>) => Effect.Effect<void, E | MalformedRequest>
  /** As `replace`, for the end of the session, however the request proved it. */
  readonly end: <E>(program: Program<Changed<E>, E>) => Effect.Effect<void, E | MalformedRequest>
  /** Sets cookies that say nothing of the session. */
  readonly set: (cookies: ReadonlyArray<ResponseCookie>) => Effect.Effect<void>
  /** Forgets the session that was read so far. */
  readonly forget: () => void
}

/** The services, with the address of the client where the server knows it. */
const withClientAddress = (services: RequestState["services"], server: HttpServerRequest): RequestState["services"] => {
  const settings = Context.get(services, Settings)
  const client = clientAddressOf(settings, new Headers(server.headers), PublicAddress.senderOf(server))
  return client === "unknown"
    ? services
    : Context.add(services, ClientAddress, typeof client === "object" ? client.address : undefined)
}

/** The public address of a request. Fails when it names no host, and when the options cannot be used at this address. */
const addressOf = (
  doorman: Doorman["Service"],
  services: RequestState["services"],
  server: HttpServerRequest
): Result.Result<URL, MalformedRequest> =>
  Result.flatMap(PublicAddress.of(server, Context.get(services, Settings).hosts), (url) => {
    const refusal = doorman.refusal?.(url)
    return refusal === undefined
      ? Result.succeed(url)
      : Result.fail(
          new MalformedRequest({
            detail: "The options cannot be used at the address of the request",
            blame: "operator",
            fix: refusal.remedy,
            cause: refusal
          })
        )
  })

/** The cookies of a request. A cookie that is set counts from then on, and goes out with the response. */
const makeCookies = (server: HttpServerRequest, settings: Settings["Service"]) => {
  let pending: Map<string, ResponseCookie> | undefined
  let current = cookiesOf(server)
  const attach = (context: Context.Context<never>) => {
    const cookies = new Map<string, ResponseCookie>()
    HttpEffect.appendPreResponseHandlerUnsafe(context, (_, response) =>
      Effect.succeed(setsSession(settings, response) ? response : withCookies(response, cookies.values()))
    )
    return cookies
  }
  return {
    read: () => current,
    set: (cookies: ReadonlyArray<ResponseCookie>): Effect.Effect<void> =>
      cookies.length === 0
        ? Effect.void
        : Effect.withFiber((fiber) => {
            pending ??= attach(fiber.context)
            for (const cookie of cookies) pending.set(variantOf(cookie), cookie)
            current = applied(current, cookies)
            return Effect.void
          })
  }
}

/** A program that begins with the context of the place where it runs. What needs no turn is an `Exit`. */
type Begin<A, E> = (here: Context.Context<never>) => Effect.Effect<A, E>

/** Runs the programs of a request one after the other: a lookup that began before a change must not overtake it. */
const makeTurns = () => {
  let running: Latch.Latch | undefined
  let turns = 0
  const wait = <A, E>(
    begin: Begin<A, E>,
    ended: (exit: Exit.Exit<A, E>) => void,
    begun?: { readonly program: Effect.Effect<A, E>; readonly turn: number }
  ): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      let hasBegun = false
      let mine: Latch.Latch | undefined
      const inTurn: Effect.Effect<A, E> = Effect.withFiber((fiber) => {
        if (running !== undefined) return Effect.andThen(running.await, inTurn)
        hasBegun = true
        const program = begun?.turn === turns ? begun.program : begin(fiber.context)
        turns++
        if (!isKnown(program)) running = mine = Latch.makeUnsafe()
        return program
      })
      return Effect.onExitPrimitive(inTurn, (exit) => {
        if (!hasBegun) return undefined
        if (mine !== undefined) running = undefined
        ended(exit)
        mine?.openUnsafe()
        return undefined
      })
    })
  /** Takes a turn in a running fiber, whose context is `here`. What is known at once takes no step of the run loop. */
  const now = <A, E>(
    here: Context.Context<never>,
    begin: Begin<A, E>,
    ended: (exit: Exit.Exit<A, E>) => void
  ): Effect.Effect<A, E> => {
    if (running !== undefined) return wait(begin, ended)
    const program = begin(here)
    if (!isKnown(program)) return wait(begin, ended, { program, turn: turns })
    turns++
    ended(program)
    return program
  }
  return { now, wait }
}

/** Reads a request as the programs of the library see it. Few of them look at a header, so headers are made when one does. */
const makeReader = (
  doorman: Doorman["Service"],
  services: RequestState["services"],
  server: HttpServerRequest,
  cookies: () => CookieHeader
) => {
  const headers = new Headers(server.headers)
  return {
    headers,
    readRequest: (): Result.Result<AuthRequest["Service"], MalformedRequest> =>
      Result.map(addressOf(doorman, services, server), (url) =>
        readSession(url, cookies(), headers, isSafe(server) ? "GET" : "POST")
      )
  }
}

const make = (
  doorman: Doorman["Service"],
  services: RequestState["services"],
  server: HttpServerRequest
): RequestState => {
  const settings = Context.get(services, Settings)
  const cookies = makeCookies(server, settings)
  const turns = makeTurns()
  const { headers, readRequest } = makeReader(doorman, services, server, cookies.read)
  let authorization = server.headers["authorization"]
  let known: Exit.Exit<Found | undefined, SessionUnavailable> | undefined

  const requestNow = () => Effect.suspend(() => Effect.fromResult(readRequest()))

  const find = (change: { readonly session: unknown } | undefined, isFresh = false): Lookup => {
    const read = readRequest()
    if (Result.isFailure(read)) return signedOutAt(services, read.failure)
    // A request that may change something is checked at once.
    const asked = isFresh ? { ...read.success, method: "POST" as const } : read.success
    return Effect.flatMapEager(
      lookUp(services, asked, { change, renewal: "due", authorization }),
      ({ cookies: answered, found }) =>
        answered.length === 0 ? Effect.succeed(found) : Effect.as(cookies.set(answered), found)
    )
  }
  const look = (): Lookup => known ?? find(undefined)
  const remember = (exit: Exit.Exit<Found | undefined, SessionUnavailable>): void => {
    // An interrupted lookup has no result: the next caller looks again.
    if (Exit.isSuccess(exit) || !Cause.hasInterrupts(exit.cause)) known = exit
  }
  const run = <E>(program: Program<Changed<E>, E>, as: AuthRequest["Service"]): Effect.Effect<void, E> =>
    Effect.flatMap(Effect.provideContext(program, Context.add(services, AuthRequest, as)), (changed) => {
      known = undefined
      return Effect.andThen(
        cookies.set(changed.cookies),
        changed.failure === undefined ? Effect.void : Effect.fail(changed.failure)
      )
    })
  const end = <E>(program: Program<Changed<E>, E>) =>
    Effect.gen(function* () {
      const read = yield* requestNow()
      const token = bearerOf(authorization)
      if (token === undefined) return yield* run(program, read)
      const found = yield* Effect.result(look())
      // A token that was not read may be the one of the session: it is ended with the others.
      const proved = Result.isFailure(found) || found.success?.via === "bearer"
      authorization = undefined
      const { name } = cookiesFor(settings, read.url).sessionToken
      const as = proved ? readSession(read.url, beside(read.cookies, name, token), headers) : read
      return yield* run(Effect.map(program, clearing(read.cookies)), as)
    })

  return {
    services,
    request: requestNow,
    session: (here) => known ?? turns.now(here, look, remember),
    fresh: (here) => turns.now(here, () => find(undefined, true), remember),
    change: (data) =>
      turns.wait(
        () => find({ session: Session.omitReserved(data) }),
        (exit) => {
          if (Exit.isSuccess(exit)) known = exit
        }
      ),
    replace: (program) => turns.wait(() => Effect.flatMap(requestNow(), (read) => run(program, read)), constVoid),
    end: (program) => turns.wait(() => end(program), constVoid),
    set: cookies.set,
    forget: () => {
      known = undefined
    }
  }
}

/** The session of a request that cannot be read. */
const signedOutAt = (services: RequestState["services"], failure: MalformedRequest): Lookup =>
  Effect.andThen(
    // Without a host the library cannot decide which cookies are meant.
    Effect.provideContext(report(failure), services),
    // With options that cannot be used it is not known who is signed in.
    failure.blame === "operator" ? Effect.fail(new SessionUnavailable({})) : Effect.succeed(undefined)
  )

/** Leaves out the cookies that the browser does not have: a client with a bearer token is given none to delete. */
const clearing =
  ({ values }: CookieHeader) =>
  <E>(changed: Changed<E>): Changed<E> => ({
    ...changed,
    cookies: changed.cookies.filter(({ name }) => values.has(name))
  })

/** Does an answer say itself what becomes of the session, as that of a sign-out does? Then it has the last word. */
const setsSession = (settings: Settings["Service"], { cookies }: HttpServerResponse): boolean => {
  const names = [settings.plainCookies.sessionToken.name, settings.secureCookies.sessionToken.name]
  return Object.values(cookies.cookies).some((set) =>
    names.some((name) => set.name === name || set.name.startsWith(`${name}.`))
  )
}

/** Cookies among which one has a further value. */
const beside = ({ conflicts, values }: CookieHeader, name: string, value: string): CookieHeader => {
  const first = values.get(name)
  return first === undefined || first === ""
    ? { values: new Map(values).set(name, value), conflicts }
    : { values, conflicts: new Map(conflicts).set(name, [first, value]) }
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

const requestsOf = (doorman: Doorman["Service"]): WeakMap<object, RequestState> => {
  const known = states.get(doorman)
  if (known !== undefined) return known
  const requests = new WeakMap<object, RequestState>()
  states.set(doorman, requests)
  return requests
}

/** The state of a request at a `Doorman`; `here` is the context of the request. */
export const stateIn = (
  doorman: Doorman["Service"],
  server: HttpServerRequest,
  here: Context.Context<never>
): Effect.Effect<RequestState> => {
  const requests = requestsOf(doorman)
  const known = requests.get(server.source)
  if (known !== undefined) return Effect.succeed(known)
  return Effect.mapEager(doorman.servicesHere, (services) => {
    const made = make(doorman, withClientAddress(services, server), server)
    requests.set(server.source, made)
    // Once answered, a request is over: who uses the same object again begins anew.
    HttpEffect.appendPreResponseHandlerUnsafe(here, (_, response) => {
      requests.delete(server.source)
      return Effect.succeed(response)
    })
    return made
  })
}

/** The state of the request that is being answered, at its `Doorman`. */
export const stateOf = (doorman: Doorman["Service"], server: HttpServerRequest): Effect.Effect<RequestState> =>
  Effect.contextWith((here: Context.Context<never>) => stateIn(doorman, server, here))

/** The state of the request that is being answered. */
export const current: Effect.Effect<RequestState, never, Doorman | HttpServerRequest> = Effect.gen(function* () {
  return yield* stateOf(yield* Doorman, yield* HttpServerRequest)
})

/** Runs a program that ends sessions, in a request or outside of one; a session of the request is looked up anew after it. */
export const revoking = Effect.fnUntraced(function* <A, E>(
  program: Effect.Effect<A, E, SessionServices>
): Effect.fn.Return<A, E, Doorman> {
  const doorman = yield* Doorman
  const server = yield* Effect.serviceOption(HttpServerRequest)
  if (Option.isNone(server)) return yield* Effect.provideContext(program, yield* doorman.servicesHere)
  const state = yield* stateOf(doorman, server.value)
  return yield* Effect.andThen(
    // Audit events of the program name the request that it belongs to.
    Effect.matchEffect(state.request(), {
      onFailure: () => Effect.provideContext(program, state.services),
      onSuccess: (request) => Effect.provideContext(program, Context.add(state.services, AuthRequest, request))
    }),
    (answer) => {
      state.forget()
      return Effect.succeed(answer)
    }
  )
})
