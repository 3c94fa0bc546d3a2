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
import { Auth } from "../src/Auth.ts"
import { Doorman } from "../src/Doorman.ts"
import * as Access from "../src/Access.ts"
import * as Http from "../src/Http.ts"
import * as Testing from "../src/Testing.ts"
import { median } from "./interleave.mjs"
import { inRounds, rounded } from "./rounds.mjs"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "40" } } })
const rounds = Number(values.rounds)
const calls = 400

const options = { providers: [], secret: Testing.secret, trustHost: true }
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
const doorman = Doorman.layer(options).pipe(Layer.provide(FetchHttpClient.layer))
const { handler } = HttpRouter.toWebHandler(
  HttpApiBuilder.layer(api).pipe(
    Layer.provide(handlers),
    Layer.provide(Http.layer(Access.Default)),
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
  session: async () => (await Auth(new Request(`${origin}/auth/session`, { headers }), options)).text(),
  open: async () => (await handler(new Request(`${origin}/hello`, { headers }))).text(),
  protected: async () => (await handler(new Request(`${origin}/me`, { headers }))).text()
}

for (const [name, run] of Object.entries(cases)) {
  const text = await run()
  if (!text.includes("Ada")) throw new Error(`${name} answered ${text}`)
}

const names = Object.keys(cases)
const rows = await inRounds(cases, { calls, rounds })

console.log(
  JSON.stringify({
    node: process.version,
    microseconds: Object.fromEntries(names.map((name) => [name, rounded(median(rows.map((row) => row[name])))])),
    overhead: rounded(median(rows.map((row) => (row.protected - row.open) / row.session))),
    protectedToSession: rounded(median(rows.map((row) => row.protected / row.session)))
  })
)
