/**
 * The cost of a session for a handler: an `HttpApi` endpoint and a route behind an access, against the same without it, in openings of the
 * token. Processor time, in rounds of all cases forward and backward; the ratios are taken inside a round, and their medians printed as
 * JSON.
 *
 *     node bench/protected.mjs [--quick]
 *
 * Needs `npm run build`.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Doorman } from "../dist/Doorman.js"
import * as Access from "../dist/Access.js"
import { decode } from "../dist/compat/jwt.js"
import * as Http from "../dist/Http.js"
import * as Testing from "../dist/Testing.js"
import { median } from "./interleave.mjs"

const isQuick = process.argv.includes("--quick")
const rounds = isQuick ? 10 : 40
/** Calls of each case before the first round: a request takes the compiler of V8 longer than the opening of a token. */
const warmUp = isQuick ? 2000 : 10_000
const calls = 400

const origin = "https://app.example"
const secret = Redacted.value(Testing.secret)
const Name = Schema.Struct({ name: Schema.NullOr(Schema.String) })
const api = HttpApi.make("bench").add(
  HttpApiGroup.make("closed")
    .add(HttpApiEndpoint.get("me", "/me", { success: Name }))
    .middleware(Access.Default.RequireSession),
  HttpApiGroup.make("open").add(HttpApiEndpoint.get("hello", "/hello", { success: Name }))
)
const handlers = Layer.mergeAll(
  HttpApiBuilder.group(api, "closed", (group) =>
    group.handle("me", () => Effect.map(Access.Default.CurrentUser, ({ name }) => ({ name })))
  ),
  HttpApiBuilder.group(api, "open", (group) => group.handle("hello", () => Effect.succeed({ name: "Ada" })))
)
const doorman = Doorman.layer({ providers: [], secret, origin }).pipe(Layer.provide(FetchHttpClient.layer))
const named = Effect.map(Access.Default.CurrentUser, ({ name }) => HttpServerResponse.text(name ?? ""))
const { handler } = HttpRouter.toWebHandler(
  Layer.mergeAll(
    HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(Http.layer(Access.Default))),
    HttpRouter.add("GET", "/page", named).pipe(Layer.provide(Http.routes(Access.Default))),
    HttpRouter.add("GET", "/plain", Effect.succeed(HttpServerResponse.text("Ada")))
  ).pipe(Layer.provide([doorman, HttpServer.layerServices])),
  { disableLogger: true }
)

const cookie = await Effect.runPromise(
  Effect.provide(Testing.signedInAs({ id: "7", name: "Ada" }, { origin }).cookie, doorman)
)
const [salt, token] = cookie
  .split("; ")
  .find((pair) => pair.includes("session-token"))
  .split("=")
const get = (path) => async () => (await handler(new Request(`${origin}${path}`, { headers: { cookie } }))).text()

const cases = {
  decode: async () => JSON.stringify(await decode({ token, salt, secret })),
  open: get("/hello"),
  protected: get("/me"),
  openRoute: get("/plain"),
  protectedRoute: get("/page")
}
const names = Object.keys(cases)

for (const name of names) {
  const text = await cases[name]()
  if (!text.includes("Ada")) throw new Error(`${name} answered ${text}`)
  for (let call = 0; call < warmUp; call++) await cases[name]()
}

/** Microseconds of processor time for one call. */
const measure = async (run) => {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) await run()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / calls
}

const rows = []
for (let round = 0; round < rounds; round++) {
  const row = {}
  for (const name of round % 2 === 0 ? names : names.toReversed()) row[name] = await measure(cases[name])
  rows.push(row)
}
const openings = (closed, open) => median(rows.map((row) => (row[closed] - row[open]) / row.decode))
console.log(
  JSON.stringify({
    decodes: openings("protected", "open"),
    decodesOfRoute: openings("protectedRoute", "openRoute")
  })
)
process.exit(0)
