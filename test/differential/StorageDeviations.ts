/** The predicates behind the rows about storage in `docs/compatibility.md`, in its order. */
import type { Difference, Place } from "./Compare.ts"
import type { Observation } from "./Observation.ts"
import { aspect, cleared, type Deviation, errorOf, json, member, row, starts, trait } from "./Predicates.ts"

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const isSession = ({ action }: Place): boolean => action === "session"
const isCallback = ({ action, method }: Place): boolean => action === "callback" && method === "GET"
/** Did somebody come back from a provider and get in? */
const entered = (place: Place): boolean => isCallback(place) && errorOf(place.ours) === undefined
const times = (seen: Observation, method: string): number => seen.writes.filter(({ name }) => name === method).length

/** Is this a scenario of the name (after its group, before its strategy), from a step on? */
const called = ({ scenario, step }: Place, from: number, ...names: ReadonlyArray<string>): boolean =>
  step >= from && names.some((name) => scenario.name.includes(`: ${name}, `) || scenario.name.endsWith(`: ${name}`))

const without = (value: unknown, ...names: ReadonlyArray<string>): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
    : value

/** Do two values differ only in members that `may` differ, however deep? */
const alike = (peer: unknown, ours: unknown, may: (name: string, peer: unknown, ours: unknown) => boolean): boolean => {
  if (json(peer) === json(ours)) return true
  if (typeof peer !== "object" || typeof ours !== "object" || peer === null || ours === null) return false
  return [...new Set([...Object.keys(peer), ...Object.keys(ours)])].every(
    (name) => alike(member(peer, name), member(ours, name), may) || may(name, member(peer, name), member(ours, name))
  )
}

const isEmpty = (name: string, peer: unknown, ours: unknown): boolean =>
  ["email", "image", "name", "picture"].includes(name) &&
  (peer === undefined || peer === null) &&
  (ours === null || ours === "")

const isSpelled = (name: string, peer: unknown, ours: unknown): boolean =>
  (name === "id" || name === "userId") && typeof peer === "number" && ours === String(peer)

/** Was the address proven with us, and not there or at another time? */
const isProven = (name: string, peer: unknown, ours: unknown): boolean =>
  name === "emailVerified" && String(ours).startsWith("date ") && (peer === null || String(peer).startsWith("date "))

const differsBy = (
  d: Difference,
  ...may: ReadonlyArray<(name: string, peer: unknown, ours: unknown) => boolean>
): boolean => alike(d.peer, d.ours, (name, peer, ours) => may.some((one) => one(name, peer, ours)))

/** Arguments of the application's code, and their sealed parts. */
const isGiven = (d: Difference): boolean => starts(d, "callback.", "event.", "cookie.session-token.value")

/** The lookups of this library, in any number. */
const isLookup = (call: unknown): boolean => {
  const [name, args] = [member(call, "name"), member(call, "args")]
  if (name === "getUserByAccount")
    return typeof args === "object" && args !== null && json(Object.keys(args)) === '["provider","providerAccountId"]'
  return (
    (typeof args === "string" || typeof args === "number") &&
    ["getUser", "getUserByEmail", "getSessionAndUser", "listAuthenticatorsByUserId", "getAuthenticator"].includes(
      String(name)
    )
  )
}

/** Events and calls, each in its own order. */
const split = (value: unknown, pattern = /^told (?:createUser|updateUser|linkAccount)$/): string => {
  const told = (item: unknown): boolean => pattern.test(String(item))
  // The token is made before anything is written.
  const items = listOf(value).filter((item) => item !== "told generateSessionToken")
  return json([items.filter(told), items.filter((item) => !told(item))])
}

/** Events, and the calls of their handlers. */
const byHandler = /^(?:told (?:createUser|updateUser|linkAccount)|updateUser)$/

/** The lines of a log without what was said before. */
const once = (lines: unknown): string => json([...new Set(listOf(lines))])

const failures = ["linkAccount", "createSession"].flatMap((method) =>
  ["throws", "answers null", "answers nothing"].map((how) => `${method} ${how}`)
)

/** Does the provider say that the address is proven? Ada's does, when nobody else has come by. */
const provenThere = ({ ours, scenario }: Place): boolean =>
  ours.person === undefined ? scenario.openid : ours.person.email_verified === true
const deniedThere = ({ ours }: Place): boolean =>
  ours.person?.email_verified !== undefined && ours.person.email_verified !== true

/** Was a session replaced by ours, now or before? */
const isReplaced = (place: Place): boolean =>
  (errorOf(place.ours) === undefined &&
    times(place.ours, "createSession") === 1 &&
    times(place.ours, "deleteSession") === 1) ||
  place.earlier.some(
    (before) => before.aspect === "store.times.deleteSession" && before.ours === 1 && before.place.action === "callback"
  )

/** A value without what is new about a fresh session: its token and its end. */
const renewed = (value: unknown): unknown =>
  typeof value === "string"
    ? value.replace("token-of-the-session-of-ada", "<session token>")
    : typeof value === "object" && value !== null
      ? Object.entries(value)
          .filter(([name]) => name !== "expires" && name !== "sessionToken")
          .map(([name, one]) => [name, renewed(one)])
      : value

/** Is it what is new about a fresh session? */
const isRenewed = (name: string): boolean => name === "expires" || name === "sessionToken"

const refused = (place: Place, error: string): boolean =>
  errorOf(place.ours) === error && place.ours.writes.length === 0 && place.ours.events.length === 0

/** Nobody is signed in with us: what follows a refusal. */
const nobody = (place: Place): boolean =>
  isSession(place) && place.ours.body === null && place.ours.calls.length === 0 && place.ours.events.length === 0

/** Does a session end in this instant? */
const endsNow = ({ now, peer }: Place): boolean => {
  const instant = `date ${new Date(now).toISOString()}`
  return (peer.before["sessions"] ?? []).some((session) => member(session, "expires") === instant)
}

/** Rows about storage. */
export const storageDeviations: ReadonlyArray<Deviation> = [
  // Rows and calls
  row("storage/lookups", (d) => aspect(d, "lookups") && listOf(d.ours).every(isLookup)),
  row(
    "storage/empty-members",
    (d) =>
      (isGiven(d) && differsBy(d, isEmpty)) ||
      (starts(d, "body.user.") && isEmpty(d.aspect.slice("body.user.".length), d.peer, d.ours))
  ),
  row("storage/ids-are-text", (d) => isGiven(d) && differsBy(d, isSpelled)),
  row(
    "storage/events-afterwards",
    (d, { scenario }) =>
      (aspect(d, "sequence") && split(d.peer) === split(d.ours)) ||
      // A handler writes when it is called.
      (aspect(d, "sequence", "store.order") &&
        scenario.name.includes(": event linkAccount writes ") &&
        split(d.peer, byHandler) === split(d.ours, byHandler))
  ),
  row(
    "storage/one-failure",
    (d) =>
      aspect(d, "logs") &&
      listOf(d.peer).includes("error AdapterError") &&
      (once(d.peer) === json(d.ours) ||
        json(listOf(d.peer).filter((line) => line !== "error AdapterError")) === json(d.ours))
  ),
  row(
    "storage/answers-checked",
    (d, place) =>
      /: (?:create(?:User|Session)|updateUser) answers (?:null|nothing)\b/.test(place.scenario.name) &&
      errorOf(place.ours) === "Configuration" &&
      place.ours.events.length === 0 &&
      (aspect(d, "event.order") || (aspect(d, "logs") && json(d.ours) === '["error AdapterError"]'))
  ),
  row(
    "storage/class-adapters",
    (_, place) => called(place, 2, "an adapter of a class") && place.ours.logs.length === 0
  ),
  row(
    "storage/one-unit",
    (d, place) =>
      called(place, 2, ...failures) &&
      errorOf(place.ours) === "Configuration" &&
      (aspect(d, "event.order") ||
        (json(place.ours.before) === json(place.ours.stored) &&
          (aspect(d, "store.times.unlinkAccount", "store.times.deleteUser", "store.times.deleteSession") ||
            starts(d, "stored."))))
  ),
  row(
    "storage/failure-is-not-signed-out",
    (_, place) =>
      (called(place, 1, "getSessionAndUser throws", "getUser throws") &&
        place.action === "signin" &&
        refused(place, "Configuration")) ||
      (called(place, 2, "getUser throws", "getSessionAndUser throws") && place.ours.writes.length === 0)
  ),
  // Sessions in a database
  row(
    "stored-session/cookie-with-row",
    (d, place) =>
      isSession(place) &&
      aspect(d, "cookie.session-token", "cookie.sid") &&
      d.kind === "absent" &&
      times(place.ours, "updateSession") === 0 &&
      json(place.ours.before) === json(place.ours.stored)
  ),
  row(
    "stored-session/token-hidden",
    (d, place) =>
      isSession(place) &&
      ((aspect(d, "callback.session.session") &&
        member(d.ours, "sessionToken") === undefined &&
        alike(without(d.peer, "sessionToken", "expires"), without(d.ours, "expires"), (...given) =>
          [isEmpty, isProven, isSpelled].some((may) => may(...given))
        )) ||
        (aspect(d, "body.sessionToken") && d.kind === "absent") ||
        (aspect(d, "event.session.session") &&
          alike(without(d.peer, "sessionToken", "expires"), without(d.ours, "expires"), isProven)))
  ),
  row(
    "stored-session/token-not-disclosed",
    (_, place) =>
      place.scenario.name.endsWith("session callback answers the token") &&
      place.ours.logs.includes("error SessionTokenError")
  ),
  row(
    "stored-session/new-end",
    (d, place) =>
      isSession(place) &&
      times(place.ours, "updateSession") === 1 &&
      (aspect(d, "body.expires") ||
        (aspect(d, "event.session.session") && differsBy(d, isEmpty, (name) => name === "expires")))
  ),
  row(
    "stored-session/token-length",
    (d, place) =>
      place.scenario.name.includes("too long to be one") && aspect(d, "store.times.deleteSession") && d.ours === 0
  ),
  row(
    "stored-session/no-row",
    (d, place) =>
      place.scenario.name.endsWith("the store says only that there is no session") &&
      (aspect(d, "logs") || (aspect(d, "cookie.session-token") && cleared(d.ours)))
  ),
  row(
    "stored-session/ended-is-ended",
    (d, place) =>
      (nobody(place) && (endsNow(place) || place.scenario.name.endsWith(", ending now"))) ||
      (place.scenario.name.endsWith("the store throws when removing what has ended") &&
        ((aspect(d, "cookie.session-token") && cleared(d.ours)) || aspect(d, "logs", "store.times.deleteSession"))) ||
      (called(place, 2, "with a session that has ended") && errorOf(place.ours) === undefined)
  ),
  row(
    "stored-session/sign-out-fails",
    (_, place) =>
      place.action === "signout" &&
      place.ours.logs.includes("error SignOutError") &&
      errorOf(place.ours) === "Configuration"
  ),
  row(
    "stored-session/sign-out-unknown",
    (d) => aspect(d, "event.signOut.session") && d.peer === undefined && d.ours === null
  ),
  // Account linking
  row(
    "linking/fresh-session",
    (d, place) =>
      isReplaced(place) &&
      (aspect(
        d,
        "store.times.createSession",
        "store.times.deleteSession",
        "store.times.updateSession",
        "stored.sessions",
        "cookie.session-token.value",
        "cookie.session-token.attribute.expires",
        "body.expires"
      ) ||
        json(renewed(d.peer)) === json(renewed(d.ours)) ||
        (isGiven(d) && differsBy(d, isEmpty, isRenewed)))
  ),
  row(
    "linking/proven-by-provider",
    (d, place) =>
      provenThere(place) &&
      ((entered(place) && aspect(d, "store.createUser.emailVerified", "store.times.updateUser")) ||
        (aspect(d, "event.order") && json(listOf(d.ours).filter((name) => name !== "updateUser")) === json(d.peer)) ||
        ((aspect(d, "stored.users") || isGiven(d)) && differsBy(d, isProven)))
  ),
  row(
    "linking/denied-address",
    (_, place) =>
      /, trusted: unknown account, nobody signed in, the (?:un)?proven address of /.test(place.scenario.name) &&
      deniedThere(place) &&
      (refused(place, "OAuthAccountNotLinked") || nobody(place))
  ),
  row(
    "linking/created-once",
    (d, place) =>
      entered(place) &&
      times(place.ours, "createUser") === 0 &&
      aspect(d, "event.order") &&
      json(listOf(d.peer).filter((name) => name !== "createUser")) ===
        json(listOf(d.ours).filter((name) => name !== "updateUser"))
  ),
  row(
    "linking/unproven-address",
    (d, place) =>
      (errorOf(place.ours) === "UnprovenAddress" &&
        place.ours.writes.every(({ name }) => name === "useVerificationToken")) ||
      starts(d, "cookie.address-proof") ||
      (isSession(place) && place.earlier.some(({ ours }) => ours === "UnprovenAddress"))
  ),
  row(
    "linking/same-session",
    (_, place) =>
      called(place, 3, "signed out on the way", "signed in on the way", "somebody else signed in on the way") &&
      (refused(place, "OAuthAccountNotLinked") || isSession(place))
  ),
  row(
    "credentials/stored-session",
    (_, place) =>
      (place.scenario.name.includes(": a password") &&
        place.scenario.name.endsWith(", database") &&
        place.step >= 1 &&
        !place.ours.calls.some(({ name }) => name === "jwt")) ||
      (trait(place, "database") &&
        place.action === "callback" &&
        place.provider === "password" &&
        place.peer.calls.some(({ name }) => name === "jwt") &&
        !place.ours.calls.some(({ name }) => name === "jwt"))
  )
]

/** Differences that show only when both sides answer one visit over one store. */
export const storageCrossings: ReadonlyArray<Deviation> = [
  row(
    "crossing/linking",
    (_, place) =>
      place.scenario.name.startsWith("stored-sign-in: a whole visit, ") &&
      (place.step === 8
        ? refused(place, "OAuthAccountNotLinked")
        : place.earlier.some((before) => before.place.step === 8 && before.aspect === "location.query.error"))
  )
]
