/**
 * Leaves at most one session in a request.
 *
 * A browser may hold several session cookies of one name, which differ in domain or path. When they open for one person, the
 * newest counts. When they open for different people, the request has no session: the library cannot know which of them the
 * person in front of the browser is, and another host of the domain may have set one of them.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Adapter, storage } from "../storage/Storage.ts"
import { note, userOf } from "../audit/Trail.ts"
import { AuthConfig, cookiesFor } from "../AuthConfig.ts"
import type { AuthRequest } from "../AuthRequest.ts"
import { clearEverywhere, type ResponseCookie } from "../Cookie.ts"
import { type AdapterError, SessionConflict, type SharedStateError } from "../Errors.ts"
import * as ChunkedCookie from "../internal/ChunkedCookie.ts"
import type { CookieHeader } from "../internal/CookieHeader.ts"
import { type Choice, choose, openSession, type OpenSession } from "../internal/SeveralSessions.ts"
import { Jwt } from "../Jwt.ts"
import { SharedState } from "../SharedState.ts"
import { longest } from "../Subject.ts"
import { report } from "../telemetry/Report.ts"
import { isRevoked } from "./Revocation.ts"

/**
 * A request with at most one session. A `conflict` says that there were sessions of different people, which `cookies` remove
 * from the browser.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settled {
  readonly request: AuthRequest["Service"]
  readonly cookies: ReadonlyArray<ResponseCookie>
  readonly conflict?: SessionConflict
}

/**
 * Settles which session a request has. A request with one session cookie comes back as it is, at no cost. When the store
 * fails, the request has no session and the browser keeps its cookies.
 *
 * @category combinators
 * @since 0.1.0
 */
export const settle = Effect.fnUntraced(function* (
  request: AuthRequest["Service"]
): Effect.fn.Return<Settled, never, Adapter | AuthConfig | Jwt> {
  const settings = yield* AuthConfig
  if (!hasSeveral(settings, request)) return { request, cookies: [] }
  const template = cookiesFor(settings, request.url).sessionToken
  const { candidates, isCut, names } = ChunkedCookie.read(request.cookies, template.name)
  if (candidates.length < 2) return { request, cookies: [] }
  const sessions = yield* Effect.result(openAll(settings, candidates, template.name))
  if (Result.isFailure(sessions)) {
    yield* report(sessions.failure)
    return { request: { ...request, cookies: without(request.cookies, names) }, cookies: [] }
  }
  const choice = choose(sessions.success, isCut === true)
  if (choice === undefined) return { request, cookies: [] }
  if ("token" in choice) {
    return {
      request: { ...request, cookies: leading(request.cookies, template.name, choice, candidates) },
      cookies: []
    }
  }
  const userIds = choice.owners.flatMap((owner) => userOf(owner).userId ?? [])
  yield* note({ _tag: "SessionConflict", userIds })
  return {
    request: { ...request, cookies: without(request.cookies, names) },
    cookies: clearEverywhere(template, names, request),
    conflict: new SessionConflict({
      detail: "The browser sent session cookies of one name that open for different people"
    })
  }
})

/**
 * May a request have several sessions? Most have one session cookie: only these need a look.
 *
 * @category guards
 * @since 0.1.0
 */
export const hasSeveral = (
  settings: AuthConfig["Service"],
  { cookies: { conflicts, values }, url }: AuthRequest["Service"]
): boolean => {
  const { name } = cookiesFor(settings, url).sessionToken
  return conflicts?.has(name) === true || (values.has(name) && values.has(`${name}.0`))
}

/** The sessions that candidates open. */
const openAll = (
  settings: AuthConfig["Service"],
  candidates: ReadonlyArray<string>,
  name: string
): Effect.Effect<ReadonlyArray<OpenSession>, AdapterError | SharedStateError, Adapter | Jwt> =>
  Effect.map(
    Effect.forEach(
      candidates,
      (token): Effect.Effect<Option.Option<OpenSession>, AdapterError | SharedStateError, Adapter | Jwt> =>
        settings.session.strategy === "database" ? openRow(token) : openToken(token, name)
    ),
    (sessions) => sessions.flatMap((session) => Option.toArray(session))
  )

const openToken = (token: string, name: string): Effect.Effect<Option.Option<OpenSession>, never, Jwt> =>
  Effect.flatMap(Jwt, ({ decode }) =>
    Effect.match(decode(token, name), {
      onFailure: () => Option.none(),
      onSuccess: (claims) => Option.some(openSession(token, claims))
    })
  )

const openRow = Effect.fnUntraced(function* (
  token: string
): Effect.fn.Return<Option.Option<OpenSession>, AdapterError | SharedStateError, Adapter> {
  const adapter = yield* storage
  const now = yield* Clock.currentTimeMillis
  if (adapter === undefined || token.length > longest || (yield* isRevoked(yield* SharedState, token)))
    return Option.none()
  return Option.flatMap(yield* adapter.getSessionAndUser(token), ({ session, user }) => {
    const renewedAt = session.expires.getTime()
    return renewedAt > now ? Option.some({ token, owner: user.id, renewedAt }) : Option.none()
  })
})

/** The cookies of a request without those of the session. */
const without = ({ conflicts, values }: CookieHeader, names: ReadonlyArray<string>): CookieHeader => ({
  values: new Map([...values].filter(([name]) => !names.includes(name))),
  conflicts: conflicts === undefined ? undefined : new Map([...conflicts].filter(([name]) => !names.includes(name)))
})

/** The cookies of a request with the chosen session first; a sign-out ends the others too. */
const leading = (
  { conflicts, values }: CookieHeader,
  name: string,
  { token }: Extract<Choice, { readonly token: string }>,
  candidates: ReadonlyArray<string>
): CookieHeader => ({
  values: new Map(values).set(name, token),
  conflicts: new Map(conflicts).set(name, [token, ...candidates.filter((candidate) => candidate !== token)])
})
