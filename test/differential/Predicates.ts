/**
 * The vocabulary that the predicates behind the rows of `docs/compatibility.md` are written in.
 */
import type { Difference, Place } from "./Compare.ts"
import type { SeenCookie } from "./Observation.ts"

/** A row's predicate. */
export interface Deviation {
  readonly id: string
  readonly covers: (difference: Difference) => boolean
}

export const row = (id: string, covers: (difference: Difference, place: Place) => boolean): Deviation => ({
  id,
  covers: (difference) => covers(difference, difference.place)
})

export const aspect = (difference: Difference, ...names: ReadonlyArray<string>): boolean =>
  names.includes(difference.aspect)
export const starts = (difference: Difference, ...names: ReadonlyArray<string>): boolean =>
  names.some((name) => difference.aspect.startsWith(name))
export const json = (value: unknown): string => JSON.stringify(value) ?? ""

export const errorOf = (answer: Place["ours"]): string | undefined => {
  const url: unknown =
    typeof answer.body === "object" && answer.body !== null ? Reflect.get(answer.body, "url") : undefined
  const query =
    answer.location?.query ??
    (typeof url === "object" && url !== null ? (Reflect.get(url, "query") as Readonly<Record<string, string>>) : {})
  const { error, code } = query
  return error === undefined ? undefined : code === undefined ? error : `${error}/${code}`
}

/** Is the whole answer another one because of the row? Everything of the step is explained, but not a wider set of cookies. */
export const answers = (place: Place, peer: number | undefined, ours: number): boolean =>
  place.ours.status === ours && (peer === undefined || place.peer.status === peer)

export const has = (place: Place, fault: string): boolean =>
  (place.scenario.faults as ReadonlyArray<string>).includes(fault)
export const named = (place: Place, ...names: ReadonlyArray<string>): boolean => names.includes(place.scenario.name)

export const cookiesIn = (value: unknown): ReadonlyArray<SeenCookie> =>
  Array.isArray(value) ? (value as ReadonlyArray<SeenCookie>) : []
export const cleared = (value: unknown): boolean =>
  cookiesIn(value).length > 0 && cookiesIn(value).every((cookie) => cookie.value === "")

export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
export const sealedClaim = (value: unknown, name: string): unknown => member(member(value, "sealed"), name)

/** Do two objects differ by the members `names` alone? */
export const onlyDiffersIn = (difference: Difference, ...names: ReadonlyArray<string>): boolean => {
  const without = (value: unknown): string =>
    json(
      typeof value === "object" && value !== null
        ? Object.entries(value).filter(([key]) => !names.includes(key))
        : value
    )
  return without(difference.peer) === without(difference.ours)
}

/** Do the answers follow from a step whose whole answer another row explains? Named scenarios only, from `step` on. */
export const within = (place: Place, step: number, ...names: ReadonlyArray<string>): boolean =>
  place.step >= step && named(place, ...names)

/** Is this a name of a request, and nothing else? */
export const isReference = (value: unknown): boolean => typeof value === "string" && /^[\w-]{16}$/.test(value)

export const faulty = (place: Place, ...faults: ReadonlyArray<string>): boolean =>
  faults.some((fault) => has(place, fault))

export const checkCookies = ["state", "pkce.code_verifier", "nonce"]
export const isCheck = (difference: Difference, suffix: string): boolean =>
  checkCookies.some((name) => difference.aspect === `cookie.${name}${suffix}`)

/** Do two lists differ by `name` alone? */
export const differBy = (difference: Difference, name: string): boolean => {
  const [left, right] = [difference.peer, difference.ours]
  if (!Array.isArray(left) || !Array.isArray(right)) return false
  return json(left.filter((item) => item !== name)) === json(right.filter((item) => item !== name))
}

export const sameUrl = (a: unknown, b: unknown): boolean =>
  typeof a === "string" && typeof b === "string" && URL.canParse(a) && new URL(a).href === new URL(b, a).href

/** The requests without those to `path`, as one text. */
export const sentWithout = (value: unknown, path: string): string =>
  Array.isArray(value) ? value.filter((sent) => !String(sent).includes(path)).join("\n") : ""

export const configurationError = (answer: Place["ours"]): boolean => errorOf(answer) === "Configuration"

/** Is this one of the three answers that carry a CSRF token? */
export const showsToken = (place: Place): boolean =>
  place.method === "GET" && ["csrf", "signin", "signout"].includes(place.action)

export const refusedAtProvider = (place: Place): boolean =>
  (errorOf(place.ours) ?? "").startsWith("OAuthCallbackError/")

/** Is the sign-in refused here, or are these the steps after, in which nobody is signed in? */
export const refusedNow = (place: Place): boolean =>
  place.step === 1
    ? refusedAtProvider(place)
    : place.step > 1 && place.ours.calls.length === 0 && place.ours.events.length === 0
