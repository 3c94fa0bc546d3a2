/** The predicates behind the rows about email links in `docs/compatibility.md`, in its order. */
import type { Difference, Place } from "./Compare.ts"
import type { Observation } from "./Observation.ts"
import { aspect, type Deviation, errorOf, json, member, row, starts } from "./Predicates.ts"

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const times = (seen: Observation, method: string): number => seen.writes.filter(({ name }) => name === method).length

const asks = ({ action, method }: Place): boolean => action === "signin" && method === "POST"
const follows = ({ action }: Place): boolean => action === "callback"
const named = ({ scenario }: Place, name: string): boolean => scenario.name === `email-link: ${name}`
const begins = ({ scenario }: Place, name: string): boolean => scenario.name.startsWith(`email-link: ${name}`)

/** The calls, without some of them. */
const leaving = (value: unknown, ...names: ReadonlyArray<string>): string =>
  json(listOf(value).filter((item) => !names.includes(String(item))))

/** Is the session that was there before deleted in another place of the order, or only by one side? */
const aboutFormerSession = (d: Difference): boolean =>
  (aspect(d, "store.order", "sequence") &&
    leaving(d.peer, "deleteSession", "told createUser", "told updateUser") ===
      leaving(d.ours, "deleteSession", "told createUser", "told updateUser")) ||
  (aspect(d, "store.times.deleteSession") && d.peer === 1 && d.ours === 0) ||
  (aspect(d, "stored.sessions") &&
    times(d.place.peer, "deleteSession") === 1 &&
    times(d.place.ours, "deleteSession") === 0)

const without = (value: unknown, ...names: ReadonlyArray<string>): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
    : value

/** The request for the mailer, but for the type of its body and the cookies, which depend on what was set before. */
const plainRequest = (value: unknown): string =>
  json([member(value, "method"), member(value, "url"), without(member(value, "headers"), "content-type", "cookie")])

/** Rows about email links. */
export const emailDeviations: ReadonlyArray<Deviation> = [
  row("email-link/cookie", (d) => aspect(d, "cookie.link") && d.kind === "extra"),
  row(
    "email-link/mailer-request",
    (d) =>
      aspect(d, "callback.sendVerificationRequest.request") &&
      plainRequest(d.peer) === plainRequest(d.ours) &&
      member(member(d.ours, "headers"), "content-type") === "application/json"
  ),
  row(
    "email-link/stored-first",
    (d, place) =>
      (asks(place) &&
        aspect(d, "sequence") &&
        leaving(d.peer, "createVerificationToken") === leaving(d.ours, "createVerificationToken")) ||
      (named(place, "createVerificationToken throws") &&
        aspect(d, "callback.order") &&
        leaving(d.peer, "sendVerificationRequest") === json(d.ours)) ||
      (named(place, "createVerificationToken throws") && aspect(d, "store.times.useVerificationToken"))
  ),
  row(
    "email-link/send-fails",
    (d, place) =>
      (begins(place, "a provider with a mailer that") || named(place, "a provider with own tokens that fail")) &&
      (errorOf(place.ours) === "EmailSignin" || (follows(place) && aspect(d, "store.times.useVerificationToken")))
  ),
  row(
    "email-link/ten-minutes",
    (d, place) =>
      named(place, "a provider with the usual time") &&
      aspect(d, "callback.sendVerificationRequest.expires", "store.createVerificationToken.expires", "stored.tokens")
  ),
  row(
    "email-link/address",
    (d, place) =>
      asks(place) &&
      (errorOf(place.ours) === "EmailSignin/email_invalid" ||
        (place.ours.status === 400 && begins(place, "an address that is a list"))) &&
      place.ours.writes.length === 0 &&
      place.ours.calls.length === 0 &&
      d.aspect !== ""
  ),
  row(
    "email-link/spelling",
    (_, place) =>
      (named(place, "followed with the address in upper case") && place.step >= 2) ||
      (place.scenario.name.includes("@bücher.example") && place.step >= 1)
  ),
  row(
    "email-link/incomplete",
    (d, place) =>
      /: followed with (?:no|an empty) (?:token|address)$/.test(place.scenario.name) &&
      errorOf(place.ours) === "Verification" &&
      starts(d, "location.query.error", "logs", "store.times.useVerificationToken", "stored.tokens")
  ),
  row(
    "email-link/ends",
    (_, place) => named(place, "used when it ends") && follows(place) && errorOf(place.ours) === "Verification"
  ),
  row(
    "email-link/known-hashes",
    (d, place) => follows(place) && aspect(d, "store.times.useVerificationToken") && d.peer === 1 && Number(d.ours) > 1
  ),
  row(
    "email-link/mails-per-hour",
    (d, place) =>
      asks(place) &&
      place.step >= 10 &&
      errorOf(place.ours) === undefined &&
      times(place.ours, "createVerificationToken") === 0 &&
      (aspect(d, "callback.order", "sequence", "stored.tokens") || starts(d, "store."))
  ),
  row(
    "email-link/guesses",
    (d, place) =>
      follows(place) &&
      place.step >= 6 &&
      (place.url.searchParams.get("token") ?? "").length < 22 &&
      errorOf(place.ours) === "CredentialsSignin/throttled" &&
      (d.aspect.startsWith("location.") ||
        aspect(d, "store.times.useVerificationToken", "logs") ||
        (d.kind === "extra" && aspect(d, "header.retry-after", "header.ratelimit", "header.ratelimit-policy")))
  ),
  row(
    "email-link/put-back",
    (d, place) =>
      follows(place) &&
      errorOf(place.ours) === "Configuration" &&
      times(place.ours, "createVerificationToken") === 1 &&
      aspect(d, "store.times.createVerificationToken", "stored.tokens")
  ),
  row(
    "email-link/former-session",
    (d, place) => follows(place) && errorOf(place.ours) === undefined && aboutFormerSession(d)
  ),
  row(
    "email-link/confirmed",
    (_, place) =>
      (named(place, "followed to be confirmed first") && place.step >= 2) ||
      (named(place, "looked at by a program") &&
        place.method === "HEAD" &&
        place.ours.status === 200 &&
        place.ours.writes.length === 0)
  )
]

/** Differences that show only when both sides answer one visit over one store. */
export const emailCrossings: ReadonlyArray<Deviation> = [
  row(
    "crossing/mailed-link",
    (d, place) =>
      begins(place, "visit, ") &&
      (place.step === 2
        ? errorOf(place.ours) === "Verification" ||
          (aspect(d, "cookie.link") && d.kind === "absent") ||
          (aspect(d, "store.times.useVerificationToken") && d.peer === 1 && d.ours === 2)
        : place.earlier.some((before) => before.place.step === 2 && before.aspect === "location.query.error"))
  )
]
