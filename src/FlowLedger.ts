/**
 * Remembers which sign-in attempts were used, so that none is used twice.
 *
 * A record in a cookie can be sent again; the ledger is what makes it count once. The default remembers in this process,
 * as long as an attempt could still be replayed. A deployment of several processes that wants the same across all of them
 * replaces the reference by one on shared storage.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flowMaxAge } from "./Cookie.ts"

/** Most attempts that are remembered; the oldest are forgotten first. */
const capacity = 20_000

/** Milliseconds after which a record would be refused as expired anyway. */
const lifetime = (flowMaxAge + 60) * 1000

/**
 * Remembers uses.
 *
 * @category models
 * @since 0.1.0
 */
export interface FlowLedgerService {
  /** `true` for the first caller with that key, `false` for all others. */
  readonly use: (key: string) => Effect.Effect<boolean>
}

/**
 * Makes a ledger that remembers in this process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (): FlowLedgerService => {
  const used = new Map<string, number>()
  return {
    use: (key) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const [old, time] of used) {
          if (time > now - lifetime && used.size < capacity) break
          used.delete(old)
        }
        if (used.has(key)) return false
        used.set(key, now)
        return true
      })
  }
}

/**
 * The ledger of used attempts. Keys are random and never shared, so one ledger serves every configuration of a process.
 *
 * @category references
 * @since 0.1.0
 */
export const FlowLedger: Context.Reference<FlowLedgerService> = Context.Reference("effect-doorman/FlowLedger", {
  defaultValue: makeMemory
})
