/**
 * Times of the clock as dates.
 *
 * @since 0.1.0
 */

/** The last time that a `Date` can name (ECMA-262 section 21.4.1.1). */
const latest = 8.64e15

/** The date of a time in milliseconds since 1970; for a later one, the last date that there is. */
export const dateAt = (milliseconds: number): Date => new Date(Math.min(milliseconds, latest))
