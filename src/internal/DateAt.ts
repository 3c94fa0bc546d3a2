/**
 * Times of the clock as dates, and as the texts of dates.
 *
 * @since 0.1.0
 */

/** The last time that a `Date` can name (ECMA-262 section 21.4.1.1). */
const latest = 8.64e15

/** The date of a time in milliseconds since 1970; for a later one, the last date that there is. */
export const dateAt = (milliseconds: number): Date => new Date(Math.min(milliseconds, latest))

const dayLength = 24 * 60 * 60 * 1000

/** The beginnings of texts by the day since 1970: sessions end within few days, and most of the work is to find the date of a day. */
const days = new Map<number, string>()

/** Most days that are remembered: those of the usual age of a session, and a few more. */
const mostDays = 64

const beginningOf = (day: number): string => {
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * dayLength).toISOString()
  const beginning = text.slice(0, text.indexOf("T") + 1)
  if (days.size >= mostDays) days.clear()
  days.set(day, beginning)
  return beginning
}

const padded = (part: number): string => (part < 10 ? `0${part}` : String(part))

/** What `toISOString` says of a time in whole milliseconds since 1970. */
export const isoAt = (milliseconds: number): string => {
  const day = Math.floor(milliseconds / dayLength)
  const rest = milliseconds - day * dayLength
  const seconds = Math.floor(rest / 1000)
  const clock = `${padded(Math.floor(seconds / 3600))}:${padded(Math.floor(seconds / 60) % 60)}:${padded(seconds % 60)}`
  return `${beginningOf(day)}${clock}.${String(rest % 1000).padStart(3, "0")}Z`
}

const makeUtcOf = (): ((date: Date) => string) => {
  let last: { readonly second: number; readonly text: string } | undefined
  return (date) => {
    const second = Math.floor(date.getTime() / 1000)
    if (last?.second !== second) last = { second, text: date.toUTCString() }
    return last.text
  }
}

/** What `toUTCString` says of a date. The sessions that are renewed within a second end within one, so its text is kept. */
export const utcOf = /* @__PURE__ */ makeUtcOf()
