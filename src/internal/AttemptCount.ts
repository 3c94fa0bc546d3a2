/**
 * Counts attempts: a budget of `limit` attempts that refills evenly, one after each part of `window`. A budget that was spent
 * whole is whole again after one window, and no time exists at which it can be emptied twice.
 *
 * The stored value is one number, the time at which the budget is whole again (the generic cell rate algorithm of ITU-T I.371).
 *
 * Nothing here knows where a count is stored or what time it is.
 *
 * @since 0.1.0
 */
/** A rule; `window` is in milliseconds. */
export interface Rule {
  readonly limit: number
  readonly window: number
  /** Attempts that this rule leaves in the budget. */
  readonly reserve: number
  /** Does a refused attempt start the window again? */
  readonly restarts: boolean
}

/** The answer of a step, and the string to store: `undefined` removes the entry, an equal string leaves it. */
export interface Step<A> {
  readonly answer: A
  readonly after: string | undefined
}

/**
 * Milliseconds by which the clocks of two processes may differ. A time that lies further ahead was written by a clock that was
 * set back since: it makes no client wait.
 */
export const clockTolerance = 60_000

/** A count as `encode` writes it. */
const countPattern = /^\[(\d{1,16})\]$/

/**
 * Read by hand: decoding by a Schema took 22 of the 400 microseconds of a sign-in with a password (`npm run bench`).
 *
 * @internal
 */
export const decode = (text: string | undefined): number | undefined => {
  const digits = text === undefined ? undefined : countPattern.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const encode = (time: number): string => `[${time}]`

/** Milliseconds until one attempt is there again; whole ones, so that no sum is off by a fraction. */
const everyOf = ({ limit, window }: Rule): number => Math.max(1, Math.floor(window / limit))

/** When the budget is whole: now or later. */
const wholeAt = (rule: Rule, text: string | undefined, now: number): number => {
  const time = decode(text)
  const latest = now + everyOf(rule) * rule.limit
  return time === undefined || time > latest + clockTolerance ? now : Math.min(latest, Math.max(now, time))
}

/** Counts an attempt when it is allowed. Answers the milliseconds to wait, 0 for an attempt that is allowed. */
export const count = (rule: Rule, before: string | undefined, now: number): Step<number> => {
  const every = everyOf(rule)
  const whole = wholeAt(rule, before, now)
  const wait = whole - now - every * (rule.limit - rule.reserve - 1)
  if (wait <= 0) return { answer: 0, after: encode(whole + every) }
  return rule.restarts ? { answer: every, after: encode(now + every * rule.limit) } : { answer: wait, after: before }
}

/** Takes an attempt back. Answers whether there was one. */
export const takeBack = (rule: Rule, before: string | undefined, now: number): Step<boolean> => {
  if (before === undefined) return { answer: false, after: before }
  const whole = wholeAt(rule, before, now) - everyOf(rule)
  return { answer: true, after: whole <= now ? undefined : encode(whole) }
}
