/**
 * Every fault of the test provider: its name, what the provider does, and how a sign-in must end.
 *
 * @since 0.1.0
 */
import type { Changes, FaultFacts } from "./Fault.ts"
import * as Answers from "./faults/Answers.ts"
import { discovery, keySet } from "./faults/Discovery.ts"
import { idToken } from "./faults/IdToken.ts"

const table = {
  ...discovery,
  ...keySet,
  ...Answers.authorize,
  ...Answers.token,
  ...idToken,
  ...Answers.userinfo
} as const

/**
 * The name of something that the provider can do wrong, or in an unusual way.
 *
 * @category models
 * @since 0.1.0
 */
export type FaultName = keyof typeof table

/**
 * The effect of each fault on the provider, and the expected failure of a sign-in. A sign-in survives the faults with the
 * outcome `accepted`.
 *
 * @category models
 * @since 0.1.0
 */
export const faults: Readonly<Record<FaultName, FaultFacts>> = table

/** The changes of the faults in `set`, in the order of a sign-in. */
export const changesOf = (set: ReadonlySet<FaultName>): Changes =>
  names.filter((name) => set.has(name)).map((name) => ({ ...table[name].change, place: table[name].place }))

const names: ReadonlyArray<FaultName> = Object.keys(table).filter((name): name is FaultName =>
  Object.hasOwn(table, name)
)
