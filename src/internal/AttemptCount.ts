/**
 * Counts attempts: a rule, what is stored of the attempts under it, and what follows for the next one.
 *
 * Two kinds of rule. Without a pause, `limit` attempts are allowed within any time of the length of `window`. With a pause,
 * `limit` attempts are free, and each further one doubles the pause before the next; the count starts again after a `window`
 * without a failed attempt.
 *
 * Nothing here knows where a count is stored or what time it is.
 *
 * @since 0.1.0
 */
/** A rule; all times are milliseconds. */
export interface Rule {
  readonly limit: number
  readonly window: number
  readonly pause: { readonly first: number; readonly longest: number } | undefined
}

/** What a step answers, and the text to store: none to remove it, the same as before to leave it. */
export interface Step<A> {
  readonly answer: A
  readonly after: string | undefined
}

/**
 * Milliseconds by which the clocks of two processes may differ. An attempt that lies further ahead was counted by a clock
 * that was set back since: it does not make anyone wait.
 */
export const clockTolerance = 60_000

/** Longer text is not one of these counts. */
const longest = 4096

/** A list as `encode` writes it: numbers that are not negative. */
const list = /^\[\d{1,16}(?:\.\d{1,16})?(?:,\d{1,16}(?:\.\d{1,16})?)*\]$/

/**
 * Read by hand: decoding by a Schema took 22 of the 400 microseconds of a sign-in with a password (`npm run bench`).
 *
 * @internal
 */
export const decode = (text: string | undefined): ReadonlyArray<number> =>
  text !== undefined && text.length <= longest && list.test(text) ? text.slice(1, -1).split(",").map(Number) : []

const encode = (values: ReadonlyArray<number>): string | undefined =>
  values.length === 0 ? undefined : JSON.stringify(values)

/** Times of the attempts that still count, oldest first. */
const recent = (rule: Rule, text: string | undefined, now: number): ReadonlyArray<number> =>
  decode(text)
    .filter((time) => time > now - rule.window && time <= now + clockTolerance)
    .sort((one, other) => one - other)

/** Attempts under a rule with a pause. */
interface Tries {
  readonly count: number
  /** When the last one began. */
  readonly last: number
  /** When the last one failed, or the first one began. */
  readonly failed: number
}

const triesIn = (rule: Rule, text: string | undefined, now: number): Tries | undefined => {
  const [count, last, failed, ...more] = decode(text)
  if (count === undefined || last === undefined || failed === undefined || more.length > 0) return undefined
  return now < last - clockTolerance || now - failed >= rule.window ? undefined : { count, last, failed }
}

const written = ({ count, failed, last }: Tries): string => JSON.stringify([count, last, failed])

/** Milliseconds between the last attempt of so many and the next. */
const pauseAfter = (count: number, { limit, pause }: Rule): number =>
  pause === undefined || count < limit ? 0 : Math.min(pause.longest, pause.first * 2 ** (count - limit))

/** Counts an attempt when it is allowed. Answers the milliseconds to wait, 0 for an attempt that is allowed. */
export const count = (rule: Rule, before: string | undefined, now: number): Step<number> => {
  if (rule.pause === undefined) {
    const times = recent(rule, before, now)
    const blocking = times[times.length - rule.limit]
    return blocking === undefined
      ? { answer: 0, after: encode([...times, now]) }
      : { answer: Math.max(1, blocking + rule.window - now), after: before }
  }
  const tries = triesIn(rule, before, now) ?? { count: 0, last: now, failed: now }
  const wait = pauseAfter(tries.count, rule) - Math.max(0, now - tries.last)
  return wait > 0 && tries.count >= rule.limit
    ? { answer: wait, after: before }
    : { answer: 0, after: written({ ...tries, count: tries.count + 1, last: now }) }
}

/** Takes the last attempt back. Answers whether there was one. */
export const takeBack = (rule: Rule, before: string | undefined, now: number): Step<boolean> => {
  if (before === undefined) return { answer: false, after: before }
  if (rule.pause === undefined) return { answer: true, after: encode(recent(rule, before, now).slice(0, -1)) }
  const tries = triesIn(rule, before, now)
  return tries === undefined || tries.count <= 1
    ? { answer: true, after: undefined }
    : { answer: true, after: written({ ...tries, count: tries.count - 1 }) }
}

/** Notes that the last attempt failed, which matters for a rule with a pause. Answers whether there was one. */
export const fail = (rule: Rule, before: string | undefined, now: number): Step<boolean> => {
  const tries = rule.pause === undefined ? undefined : triesIn(rule, before, now)
  return tries === undefined
    ? { answer: before !== undefined, after: before }
    : { answer: true, after: written({ ...tries, failed: now }) }
}
