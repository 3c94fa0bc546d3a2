/**
 * Every dial of the provider: its name, what the provider does then, and what must become of a sign-in.
 *
 * @since 0.1.0
 */
import type { DialFacts, Fault } from "./Fault.ts"
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
export type Dial = keyof typeof table

/** What each dial changes. */
export const faults: Readonly<Record<Dial, Fault>> = table

/**
 * What is known of each dial: what the provider does, and the failure that a sign-in must end with, or that it must go well
 * all the same.
 *
 * @category models
 * @since 0.1.0
 */
export const dials: Readonly<Record<Dial, DialFacts>> = table

/** The names of all dials, in the order of a sign-in. */
export const names: ReadonlyArray<Dial> = Object.keys(table).filter((name): name is Dial => Object.hasOwn(table, name))
