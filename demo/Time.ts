/**
 * Times in words, for people.
 */
import type { Html } from "./Html.ts"
import { html } from "./Html.ts"

/** How long ago: both in milliseconds since the epoch. */
export const ago = (then: number, now: number): string => {
  const minutes = Math.floor((now - then) / 60_000)
  if (minutes < 1) return "just now"
  if (minutes < 60) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return hours === 1 ? "an hour ago" : `${hours} hours ago`
  return `${Math.floor(hours / 24)} days ago`
}

/** When a session ends. */
export const expiry = (expires: string | undefined, now: number): Html => {
  const at = Date.parse(expires ?? "")
  if (Number.isNaN(at)) return html`unknown`
  const hours = Math.round((at - now) / 3_600_000)
  const distance = hours >= 48 ? `in ${Math.round(hours / 24)} days` : `in ${hours} hours`
  const shown = new Date(at).toISOString()
  return html`<time datetime="${shown}">${shown.slice(0, 16).replace("T", ", ")} UTC</time> (${distance})`
}
