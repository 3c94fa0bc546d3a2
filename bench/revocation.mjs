/**
 * Measures the cost of `session.revocation` for a read of a session that is a token, with the shared state in memory: switched off, switched on,
 * and where every read asks the shared state.
 *
 *     node bench/revocation.mjs [--rounds=40] [--quick]
 *
 * Needs `npm run build`. Processor time, in rounds of all cases forward and backward; the ratios are taken inside a round, and
 * their medians printed as JSON. `on` is at most 1.15 times `off`: that is the bar.
 */
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth } from "../dist/index.js"
import { Doorman } from "../dist/Doorman.js"
import * as Testing from "../dist/Testing.js"
import { median } from "./interleave.mjs"
import { inRounds, rounded } from "./rounds.mjs"

const { values } = parseArgs({ options: { rounds: { type: "string" }, quick: { type: "boolean", default: false } } })
const rounds = Number(values.rounds ?? (values.quick ? 10 : 40))
const calls = 400

const origin = "https://app.example"
const options = { providers: [], secret: Redacted.value(Testing.secret), origin }

/** A read of a session that began at a site with these options. */
const readOf = async (session) => {
  const doorman = Doorman.layer({ ...options, session }).pipe(Layer.provide(FetchHttpClient.layer))
  const cookie = await Effect.runPromise(
    Effect.provide(Testing.signedInAs({ id: "7", name: "Ada" }, { origin }).cookie, doorman)
  )
  const config = { ...options, session }
  const read = async () => (await Auth(new Request(`${origin}/auth/session`, { headers: { cookie } }), config)).text()
  const text = await read()
  if (!text.includes("Ada")) throw new Error(`the session is ${text}`)
  return read
}

const cases = {
  off: await readOf({ strategy: "jwt" }),
  on: await readOf({ strategy: "jwt", revocation: true }),
  asked: await readOf({ strategy: "jwt", revocation: true, revocationCheck: 0 })
}
const rows = await inRounds(cases, { calls, rounds })
const ratio = (name) => rounded(median(rows.map((row) => row[name] / row.off)))
console.log(
  JSON.stringify({
    node: process.version,
    microseconds: Object.fromEntries(
      Object.keys(cases).map((name) => [name, rounded(median(rows.map((row) => row[name])))])
    ),
    onToOff: ratio("on"),
    askedToOff: ratio("asked")
  })
)
