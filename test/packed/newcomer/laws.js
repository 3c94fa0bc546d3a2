/**
 * The laws of storage and of shared state on the entries of promises: `laws.js sqlite <file>`, `postgres <url>` or `redis <url>`. It
 * prints how many were kept, and each law that was not. The stores have the clock of their own copy of `effect`, so time really passes.
 */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { make } from "effect-doorman/SharedState"
import { laws, run } from "effect-doorman/testing/AdapterLaws"
import { laws as stateLaws } from "effect-doorman/testing/SharedStateLaws"

const [engine, place] = process.argv.slice(2)

const openers = {
  sqlite: async () => (await import("effect-doorman/sqlite")).sqlite(place, { sweep: false }),
  postgres: async () =>
    (await import("effect-doorman/postgres")).postgres({ url: place, sweep: false, prepare: false }),
  redis: async () => (await import("effect-doorman/redis")).redis({ url: place })
}

const [store, other] = [await openers[engine](), await openers[engine]()]
const found = { adapter: [], sharedState: [] }

if (engine !== "redis")
  for (const law of laws) {
    const outcome = await run(law, () => store).then(
      ({ _tag, missing }) => (_tag === "kept" ? "kept" : `skipped without ${missing.join()}`),
      ({ reason }) => `${law.name}: ${reason}`
    )
    // Promises have no transactions.
    if (outcome !== "skipped without transaction") found.adapter.push(outcome)
  }

const stateOf = (opened) => make(engine === "redis" ? opened : opened.sharedState)
const subject = { state: stateOf(store), peer: stateOf(other), advance: Effect.sleep, many: 300 }
// One after another: a window of four seconds must not pass while callers wait for each other.
found.sharedState = await Effect.runPromise(
  Effect.forEach(stateLaws, (law) =>
    Effect.match(law.check(subject), {
      onSuccess: () => "kept",
      onFailure: ({ reason }) => `${law.name}: ${reason}`
    })
  ).pipe(Effect.provide(Logger.layer([])))
)
await Promise.all([store.close(), other.close()])

for (const [what, outcomes] of Object.entries(found)) {
  console.log(what, outcomes.filter((outcome) => outcome === "kept").length)
  for (const outcome of outcomes) if (outcome !== "kept") console.log(`  ${outcome}`)
}
