/**
 * Measures the cost of a whole sign-in in a test: an application and a provider are built, a browser goes to the provider and back, and
 * reads a protected page. Nothing is kept from one run to the next.
 *
 *     node bench/testKit.mjs [--runs=200]
 *
 * Needs a Node.js that runs TypeScript. Prints the medians, in milliseconds, as JSON: at most 20 is the bar.
 */
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Doorman } from "../src/Doorman.ts"
import * as Access from "../src/Access.ts"
import * as Http from "../src/Http.ts"
import * as Testing from "../src/Testing.ts"

const { values } = parseArgs({ options: { runs: { type: "string", default: "200" } } })
const runs = Number(values.runs)

const idp = Testing.IdentityProvider.make()
const doorman = Doorman.layer({ providers: [idp.provider()], secret: Testing.secret, origin: Testing.siteOrigin })
const page = HttpRouter.add(
  "GET",
  "/me",
  Effect.map(Access.Default.CurrentUser, ({ name }) => HttpServerResponse.text(name ?? ""))
).pipe(Layer.provide(Http.routes(Access.Default)))
const app = Layer.merge(page, Http.layer(Access.Default)).pipe(Layer.provide(doorman))

const signIn = Effect.gen(function* () {
  const browser = yield* Testing.browser(app)
  yield* browser.signIn("idp", { as: "ada" })
  return yield* (yield* browser.get("/me")).text
}).pipe(Effect.scoped, Effect.provide([Testing.layer(), TestClock.layer()]))

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
const rounded = (number) => Math.round(number * 100) / 100

const wall = []
const processor = []
for (let run = 0; run < runs; run++) {
  const cpu = process.cpuUsage()
  const begun = performance.now()
  const name = await Effect.runPromise(signIn)
  wall.push(performance.now() - begun)
  const { system, user } = process.cpuUsage(cpu)
  processor.push((system + user) / 1000)
  if (name !== "Ada Lovelace") throw new Error(`signed in as ${name}`)
}

console.log(
  JSON.stringify({
    node: process.version,
    runs,
    first: rounded(wall[0] ?? 0),
    median: rounded(median(wall)),
    processor: rounded(median(processor))
  })
)
