/**
 * Times of the clock as dates, and as the texts of dates.
 *
 * @since 0.1.0
 */

/** The last time that a `Date` can name (ECMA-262 section 21.4.1.1). */
const latest = 8.64e15

/** The date of a time in milliseconds since 1970; for a later one, the last date that there is. */
export const dateAt = (milliseconds: number): Date => new Date(Math.min(milliseconds, latest))

/** Keeps the text of one second: the sessions that are renewed within a second end within one as well. */
const bySecond = (write: (date: Date) => string): ((second: number) => string) => {
  let kept: { readonly second: number; readonly text: string } | undefined
  return (second) => {
    if (kept?.second !== second) kept = { second, text: write(new Date(second * 1000)) }
    return kept.text
  }
}

const isoSecond = /* @__PURE__ */ bySecond((date) => date.toISOString().slice(0, -"000Z".length))
const utcSecond = /* @__PURE__ */ bySecond((date) => date.toUTCString())

/** What `toISOString` says of a time in whole milliseconds since 1970. */
export const isoAt = (milliseconds: number): string => {
  const second = Math.floor(milliseconds / 1000)
  return `${isoSecond(second)}${String(milliseconds - second * 1000).padStart(3, "0")}Z`
}

/** What `toUTCString` says of a date. */
export const utcOf = (date: Date): string => utcSecond(Math.floor(date.getTime() / 1000))
