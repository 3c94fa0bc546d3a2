/** Signs a person in at a provider of the testing module, by the real programs and under the clock of the test. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type { Options } from "../../src/config/Settings.ts"
import { layer as servicesLayer } from "../ServicesLayer.ts"
import type { Consent, TestProvider } from "../../src/testing/IdentityProvider.ts"
import { cookieOf, countedBytes, form, options, program, secret, site } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

/** The services of a site with one provider. */
export const siteWith = (
  idp: TestProvider,
  more: Parameters<TestProvider["provider"]>[0] = {},
  rest: Partial<Options> = {}
) =>
  servicesLayer(forLayer({ ...options(), secret, providers: [idp.provider(more)], ...rest })).pipe(
    Layer.provideMerge(countedBytes()),
    Layer.provide(idp.layer),
    Layer.merge(Layer.mergeAll(Logger.layer([]), Layer.succeed(References.MinimumLogLevel, "None")))
  )

/** Starts a sign-in: what the site answered, and what the browser holds then. */
export const start = Effect.gen(function* () {
  const csrf = (yield* program(new Request(`${site}/auth/csrf`))).response
  const { csrfToken } = (yield* Effect.promise(() => csrf.json())) as { csrfToken: string }
  const cookie = cookieOf(csrf)
  const started = yield* program(form("/auth/signin/idp", { csrfToken }, { cookie }))
  return { ...started, cookie: `${cookie}; ${cookieOf(started.response)}` }
})

/** One sign-in from the first request to the last. */
export const signIn = Effect.fnUntraced(function* (idp: TestProvider, consent?: Consent) {
  const started = yield* start
  if (started.failure !== undefined) return started
  const back = yield* idp.authorize(started.response.headers.get("location") ?? "", consent)
  return yield* program(new Request(back, { headers: { cookie: started.cookie } }))
})

/** Does an answer give the browser a session? */
export const hasSession = (response: Response): boolean =>
  response.headers.getSetCookie().some((line) => /session-token[^=]*=[^;]+/.test(line))

/** The user of the session in an answer. */
export const userOf = Effect.fnUntraced(function* (response: Response) {
  const cookie = cookieOf(response)
  const session = (yield* program(new Request(`${site}/auth/session`, { headers: { cookie } }))).response
  return ((yield* Effect.promise(() => session.json())) as { user?: Record<string, unknown> } | null)?.user
})
