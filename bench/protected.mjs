/**
 * What a session costs a handler: an `HttpApi` endpoint behind `RequireSession` against the same endpoint without it, and
 * against the bare reading of a session by the facade.
 *
 *     node bench/protected.mjs [--rounds=40]
 *
 * Needs a Node.js that runs TypeScript. Processor time, in rounds of all cases forward and backward; the ratios are taken
 * inside a round, and their medians printed as JSON. `overhead` is (protected - open) / session: at most 1.3 is the bar.
 */
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Auth from "../src/Auth.ts"
import * as Http from "../src/Http.ts"
import * as Testing from "../src/Testing.ts"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "40" } } })
const rounds = Number(values.rounds)
const calls = 400

const options = { providers: [], secret: Testing.secret, trustHost: true }
const Name = Schema.Struct({ name: Schema.NullOr(Schema.String) })
const api = HttpApi.make("bench").add(
  HttpApiGroup.make("closed")
    .add(HttpApiEndpoint.get("me", "/me", { success: Name }))
    .middleware(Http.RequireSession),
  HttpApiGroup.make("open").add(HttpApiEndpoint.get("hello", "/hello", { success: Name }))
)
const handlers = Layer.mergeAll(
  HttpApiBuilder.group(api, "closed", (group) =>
    group.handle("me", () => Effect.map(Http.CurrentUser, ({ name }) => ({ name })))
  ),
  HttpApiBuilder.group(api, "open", (group) => group.handle("hello", () => Effect.succeed({ name: "Ada" })))
)
const doorman = Auth.layer(options).pipe(Layer.provide(FetchHttpClient.layer))
const { handler } = HttpRouter.toWebHandler(
  HttpApiBuilder.layer(api).pipe(
    Layer.provide(handlers),
    Layer.provide(Http.layer),
    Layer.provide([doorman, HttpServer.layerServices])
  ),
  { disableLogger: true }
)

const origin = "http://localhost"
const cookie = await Effect.runPromise(
  Effect.provide(Testing.signedInAs({ id: "7", name: "Ada" }, { origin }).cookie, doorman)
)
const headers = { cookie }

const cases = {
  session: () => Auth.Auth(new Request(`${origin}/auth/session`, { headers }), options),
  open: () => handler(new Request(`${origin}/hello`, { headers })),
  protected: () => handler(new Request(`${origin}/me`, { headers }))
}

for (const [name, run] of Object.entries(cases)) {
  const text = await (await run()).text()
  if (!text.includes("Ada")) throw new Error(`${name} answered ${text}`)
}

/** Microseconds of processor time for one call. */
const measure = async (run) => {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) await (await run()).text()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / calls
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]

const rows = []
const names = Object.keys(cases)
for (let round = -5; round < rounds; round++) {
  const row = {}
  for (const name of round % 2 === 0 ? names : names.toReversed()) row[name] = await measure(cases[name])
  if (round >= 0) rows.push(row)
}

const rounded = (number) => Math.round(number * 100) / 100
console.log(
  JSON.stringify({
    node: process.version,
    microseconds: Object.fromEntries(names.map((name) => [name, rounded(median(rows.map((row) => row[name])))])),
    overhead: rounded(median(rows.map((row) => (row.protected - row.open) / row.session))),
    protectedToSession: rounded(median(rows.map((row) => row.protected / row.session)))
  })
)
