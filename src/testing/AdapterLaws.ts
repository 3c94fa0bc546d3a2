/**
 * The rules that storage keeps, as programs that check it.
 *
 * Every law stands alone, makes what it needs under names of its own and can be repeated, on an empty store or on one that
 * holds other things. Laws about methods that a store does not have are skipped, with the names of these methods. Nothing
 * here depends on a test runner: from Effect code run `check` or `law.check`, from Promise code `run`.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { Adapter, type AdapterShape, fromPromises, type PromiseAdapter } from "../Adapter.ts"
import type { AdapterMethod } from "../storage/AdapterShape.ts"
import { accountLaws } from "./laws/Accounts.ts"
import { authenticatorLaws } from "./laws/Authenticators.ts"
import { type Law, LawBroken } from "./laws/Law.ts"
import { raceLaws } from "./laws/Races.ts"
import { sessionLaws } from "./laws/Sessions.ts"
import { tokenLaws } from "./laws/Tokens.ts"
import { transactionLaws } from "./laws/Transactions.ts"
import { userLaws } from "./laws/Users.ts"

export { type Law, LawBroken } from "./laws/Law.ts"
export type { AdapterMethod } from "../storage/AdapterShape.ts"

/**
 * Every law.
 *
 * @category laws
 * @since 0.1.0
 */
export const laws: ReadonlyArray<Law> = [
  ...userLaws,
  ...accountLaws,
  ...sessionLaws,
  ...tokenLaws,
  ...authenticatorLaws,
  ...raceLaws,
  ...transactionLaws
]

/**
 * The result of a law on a store.
 *
 * @category models
 * @since 0.1.0
 */
export type Outcome =
  | { readonly _tag: "kept" }
  | { readonly _tag: "broken"; readonly reason: string }
  /** The store lacks methods without which the law says nothing. */
  | { readonly _tag: "skipped"; readonly missing: ReadonlyArray<AdapterMethod> }

/**
 * A law and what became of it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Finding {
  readonly law: Law
  readonly outcome: Outcome
}

/**
 * Anything that storage can be built from: storage itself, or an Auth.js adapter.
 *
 * @category models
 * @since 0.1.0
 */
export type Subject = AdapterShape | PromiseAdapter

const isStorage = (subject: Subject): subject is AdapterShape => "methods" in subject && subject.methods instanceof Set

const storageOf = (subject: Subject): AdapterShape => (isStorage(subject) ? subject : fromPromises(subject))

/**
 * The methods that a law needs and a store does not have. A law with any says nothing about the store.
 *
 * @category combinators
 * @since 0.1.0
 */
export const missing = (law: Law, subject: Subject): ReadonlyArray<AdapterMethod> => {
  const { methods } = storageOf(subject)
  return law.needs.filter((method) => !methods.has(method))
}

const outcomeOf = (exit: Exit.Exit<void, LawBroken>): Outcome => {
  if (Exit.isSuccess(exit)) return { _tag: "kept" }
  const broken = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  return { _tag: "broken", reason: broken === undefined ? "it came to no end" : broken.reason }
}

/**
 * Checks a store against every law, or against those that are given, one after the other.
 *
 * @category combinators
 * @since 0.1.0
 */
export const check = (
  subject: Subject,
  options?: { readonly laws?: ReadonlyArray<Law> }
): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.forEach(options?.laws ?? laws, (law): Effect.Effect<Finding> => {
    const absent = missing(law, subject)
    return absent.length > 0
      ? Effect.succeed({ law, outcome: { _tag: "skipped", missing: absent } })
      : Effect.map(Effect.exit(Effect.provideService(law.check, Adapter, storageOf(subject))), (exit) => ({
          law,
          outcome: outcomeOf(exit)
        }))
  })

/**
 * Checks one law, for test runners that know promises. It rejects with `LawBroken` when the store does not keep the law;
 * else it answers whether the law was kept, or skipped for which methods, so that the runner can show the test as skipped.
 * `make` is called once, for a store that the law has to itself.
 *
 * @category combinators
 * @since 0.1.0
 */
export const run = (
  law: Law,
  make: () => Subject | PromiseLike<Subject>
): Promise<Exclude<Outcome, { readonly _tag: "broken" }>> =>
  Effect.runPromise(
    Effect.flatMap(
      Effect.tryPromise({
        try: () => Promise.resolve(make()),
        catch: (cause) => new LawBroken({ law: law.name, reason: "the store could not be made", cause })
      }),
      (subject): Effect.Effect<Exclude<Outcome, { readonly _tag: "broken" }>, LawBroken> => {
        const absent = missing(law, subject)
        return absent.length > 0
          ? Effect.succeed({ _tag: "skipped", missing: absent })
          : Effect.as(Effect.provideService(law.check, Adapter, storageOf(subject)), { _tag: "kept" as const })
      }
    )
  )

/**
 * Why a law is skipped, for the report of a test runner; `undefined` for one that was checked.
 *
 * @category combinators
 * @since 0.1.0
 */
export const skipReason = (outcome: Outcome): string | undefined =>
  outcome._tag === "skipped" ? `the store has no ${outcome.missing.join(", ")}` : undefined

/**
 * A report as text: one line for each law that is not kept, and a line of numbers.
 *
 * @category combinators
 * @since 0.1.0
 */
export const format = (findings: ReadonlyArray<Finding>): string => {
  const count = (tag: Outcome["_tag"]) => findings.filter(({ outcome }) => outcome._tag === tag).length
  const lines = findings.flatMap(({ law, outcome }) => {
    if (outcome._tag === "broken") return [`broken: ${law.name}: ${outcome.reason}`]
    return outcome._tag === "skipped" ? [`skipped: ${law.name}: no ${outcome.missing.join(", ")}`] : []
  })
  return [...lines, `${count("kept")} kept, ${count("broken")} broken, ${count("skipped")} skipped`].join("\n")
}
