/**
 * Measures the cost of a session for a handler: an `HttpApi` endpoint and a route behind an access against the same without it, against the
 * opening of the token alone, and against the reading of a session by the facade. `minimal` is an endpoint behind a security
 * middleware that only opens the token and provides its name, `minimalRoute` a route that does the same: what `HttpApi`, a router
 * and the opening cost where nothing is decided.
 *
 *     node bench/protected.mjs [--rounds=40] [--quick] [--steps]
 *
 * Needs `npm run build`. Processor time, in rounds of all cases forward and backward; the ratios are taken
 * inside a round, and their medians printed as JSON. `decodes` is (protected - open) / decode: at most 3 is the bar. With
 * `--steps` it prints the steps of the run loop instead, in a bundle that counts them (`test/speed/Bundle.ts`).
 */
import { parseArgs } from "node:util"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Auth } from "../dist/index.js"
import { Doorman } from "../dist/Doorman.js"
import * as Access from "../dist/Access.js"
import { decode } from "../dist/compat/jwt.js"
import * as Http from "../dist/Http.js"
import * as Testing from "../dist/Testing.js"
import { median } from "./interleave.mjs"
import { inRounds, rounded } from "./rounds.mjs"

const { values } = parseArgs({
  options: {
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    steps: { type: "boolean", default: false }
  }
})
const rounds = Number(values.rounds ?? (values.quick ? 10 : 40))
/** Calls of each case before the first round: a request takes the compiler of V8 longer than the opening of a token. */
const warmUp = values.quick ? 2000 : 10_000
const calls = 400

/** A pinned origin, and no log between the figures. */
const origin = "https://app.example"
const secret = Redacted.value(Testing.secret)
const options = { providers: [], secret, origin }
const key = "__Secure-authjs.session-token"
class Opened extends Context.Service()("bench/Opened") {}
class OpenToken extends HttpApiMiddleware.Service()("bench/OpenToken", {
  security: { session: HttpApiSecurity.apiKey({ in: "cookie", key }) }
}) {}
const Name = Schema.Struct({ name: Schema.NullOr(Schema.String) })
const api = HttpApi.make("bench").add(
  HttpApiGroup.make("closed")
    .add(HttpApiEndpoint.get("me", "/me", { success: Name }))
    .middleware(Access.Default.RequireSession),
  HttpApiGroup.make("minimal")
    .add(HttpApiEndpoint.get("opened", "/opened", { success: Name }))
    .middleware(OpenToken),
  HttpApiGroup.make("open").add(HttpApiEndpoint.get("hello", "/hello", { success: Name }))
)
const handlers = Layer.mergeAll(
  HttpApiBuilder.group(api, "closed", (group) =>
    group.handle("me", () => Effect.map(Access.Default.CurrentUser, ({ name }) => ({ name })))
  ),
  HttpApiBuilder.group(api, "minimal", (group) =>
    group.handle("opened", () => Effect.map(Opened, ({ name }) => ({ name })))
  ),
  HttpApiBuilder.group(api, "open", (group) => group.handle("hello", () => Effect.succeed({ name: "Ada" })))
)
const openToken = Layer.succeed(OpenToken, {
  session: (handler, { credential }) =>
    Effect.flatMap(
      Effect.promise(() => decode({ token: Redacted.value(credential), salt: key, secret })),
      (claims) => Effect.provideService(handler, Opened, claims)
    )
})
const doorman = Doorman.layer(options).pipe(Layer.provide(FetchHttpClient.layer))
const named = Effect.map(Access.Default.CurrentUser, ({ name }) => HttpServerResponse.text(name ?? ""))
const opened = Effect.flatMap(HttpServerRequest, ({ cookies }) =>
  Effect.map(
    Effect.promise(() => decode({ token: cookies[key], salt: key, secret })),
    ({ name }) => HttpServerResponse.text(name)
  )
)
const { handler } = HttpRouter.toWebHandler(
  Layer.mergeAll(
    HttpApiBuilder.layer(api).pipe(
      Layer.provide(handlers),
      Layer.provide(openToken),
      Layer.provide(Http.layer(Access.Default))
    ),
    HttpRouter.add("GET", "/page", named).pipe(Layer.provide(Http.routes(Access.Default))),
    HttpRouter.add("GET", "/token", opened),
    HttpRouter.add("GET", "/plain", Effect.succeed(HttpServerResponse.text("Ada")))
  ).pipe(Layer.provide([doorman, HttpServer.layerServices])),
  { disableLogger: true }
)

const cookie = await Effect.runPromise(
  Effect.provide(Testing.signedInAs({ id: "7", name: "Ada" }, { origin }).cookie, doorman)
)
const headers = { cookie }
const [salt, token] = cookie
  .split("; ")
  .find((pair) => pair.includes("session-token"))
  .split("=")

const cases = {
  decode: async () => JSON.stringify(await decode({ token, salt, secret })),
  session: async () => (await Auth(new Request(`${origin}/auth/session`, { headers }), options)).text(),
  open: async () => (await handler(new Request(`${origin}/hello`, { headers }))).text(),
  protected: async () => (await handler(new Request(`${origin}/me`, { headers }))).text(),
  minimal: async () => (await handler(new Request(`${origin}/opened`, { headers }))).text(),
  minimalRoute: async () => (await handler(new Request(`${origin}/token`, { headers }))).text(),
  openRoute: async () => (await handler(new Request(`${origin}/plain`, { headers }))).text(),
  protectedRoute: async () => (await handler(new Request(`${origin}/page`, { headers }))).text()
}

for (const [name, run] of Object.entries(cases)) {
  const text = await run()
  if (!text.includes("Ada")) throw new Error(`${name} answered ${text}`)
}

const names = Object.keys(cases)

/** Steps of the run loop that a case takes once everything is warm. */
const stepsOf = async (run) => {
  for (let call = 0; call < 20; call++) await run()
  globalThis.runLoopSteps = 0
  for (let call = 0; call < 10; call++) await run()
  return globalThis.runLoopSteps / 10
}

if (values.steps) {
  const steps = {}
  for (const name of names) steps[name] = await stepsOf(cases[name])
  console.log(JSON.stringify(steps))
} else {
  for (const name of names) for (let call = 0; call < warmUp; call++) await cases[name]()
  const rows = await inRounds(cases, { calls, rounds })
  const decodes = (closed, open) => rounded(median(rows.map((row) => (row[closed] - row[open]) / row.decode)))
  console.log(
    JSON.stringify({
      node: process.version,
      microseconds: Object.fromEntries(names.map((name) => [name, rounded(median(rows.map((row) => row[name])))])),
      decodes: decodes("protected", "open"),
      decodesOfMinimal: decodes("minimal", "open"),
      decodesOfRoute: decodes("protectedRoute", "openRoute"),
      decodesOfMinimalRoute: decodes("minimalRoute", "openRoute"),
      protectedToSession: rounded(median(rows.map((row) => row.protected / row.session)))
    })
  )
}
