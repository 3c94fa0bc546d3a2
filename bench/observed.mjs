/**
 * Measures the cost of observation: the reading of a session without observers, and with metrics, an audit listener, and a tracer.
 *
 *     node bench/observed.mjs [--rounds=60]
 *
 * Needs a Node.js that runs TypeScript. Processor time, in rounds of all cases forward and backward; the ratios to `nobody`
 * are taken inside a round, and their medians printed as JSON.
 */
import { parseArgs } from "node:util"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import * as Action from "../src/Action.ts"
import * as Audit from "../src/Audit.ts"
import { Doorman } from "../src/Doorman.ts"
import { AuthRequest, fromWeb } from "../src/http/AuthRequest.ts"
import { toWeb } from "../src/http/AuthResponse.ts"
import * as Telemetry from "../src/Telemetry.ts"
import { encode } from "../src/compat/Token.ts"
import { median } from "./interleave.mjs"
import { inRounds, rounded } from "./rounds.mjs"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "60" } } })
const rounds = Number(values.rounds)
const calls = 500

const secret = "a secret of the bench: 0123456789 abcdefghijklmnop"
const salt = "authjs.session-token"
const doorman = Doorman.layer({ providers: [], secret, trustHost: true }).pipe(Layer.provide(FetchHttpClient.layer))
const cookie = `${salt}=${await encode({ token: { sub: "7", name: "Ada" }, secret, salt })}`

const metrics = Telemetry.layer
const audit = Audit.layerSink(() => Effect.void)
const tracer = Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new Tracer.NativeSpan(options) }))
const watchers = { nobody: Layer.empty, metrics, audit, tracer, all: Layer.mergeAll(metrics, audit, tracer) }

/** The services of a doorman, beside whoever looks on. */
const services = Effect.gen(function* () {
  const watching = yield* Effect.context()
  return Context.merge(watching, (yield* Doorman).services)
})

/** One request, under the eyes of a watcher. */
const caseOf = async (watcher) => {
  const context = await Effect.runPromise(Effect.provide(services, Layer.provideMerge(doorman, watcher)))
  return async () => {
    const request = new Request("http://localhost/auth/session", { headers: { cookie } })
    const program = Effect.flatMap(fromWeb(request, "/auth"), (read) =>
      Effect.provideService(Action.handle, AuthRequest, read)
    )
    const { response } = await Effect.runPromiseWith(context)(program)
    return toWeb(response)
  }
}

const cases = Object.fromEntries(
  await Promise.all(Object.entries(watchers).map(async ([name, watcher]) => [name, await caseOf(watcher)]))
)

for (const [name, run] of Object.entries(cases)) {
  const text = await (await run()).text()
  if (!text.includes("Ada")) throw new Error(`${name} answered ${text}`)
}

const names = Object.keys(cases)
const rows = await inRounds(cases, { calls, rounds })

const each = (value) =>
  Object.fromEntries(names.map((name) => [name, rounded(median(rows.map((row) => value(row, name))))]))
console.log(
  JSON.stringify({
    node: process.version,
    microseconds: each((row, name) => row[name]),
    toNobody: each((row, name) => row[name] / row.nobody)
  })
)
