/**
 * Finds misspelt options: names that the library does not know, and that are one or two letters away from one that it knows.
 * Other names pass, because framework packages have options of their own.
 *
 * @since 0.1.0
 */
import type { CallbacksOptions } from "../Callbacks.ts"
import type { CookieOptions, CookieOverrides } from "../http/Cookie.ts"
import { InvalidConfiguration } from "../Errors.ts"
import type { EventsOptions } from "../Events.ts"
import type { PagesOptions, Theme } from "../Models.ts"
import type { JwtOptions, Options, SessionOptions } from "./Options.ts"
import { partial, type Problem } from "./Problem.ts"

/** The members of a type, each once. A name that is missing here does not compile. */
const names = <Name extends string>(of: Readonly<Record<Name, 1>>): ReadonlyArray<string> => Object.keys(of)

const optionNames = names<keyof Options | "retiredSecrets">({
  adapter: 1,
  basePath: 1,
  callbacks: 1,
  cookies: 1,
  debug: 1,
  events: 1,
  experimental: 1,
  jwt: 1,
  logger: 1,
  mailer: 1,
  origin: 1,
  pages: 1,
  providerTokens: 1,
  providers: 1,
  raw: 1,
  redirectProxyOrigins: 1,
  redirectProxyUrl: 1,
  retiredSecrets: 1,
  secret: 1,
  session: 1,
  sharedState: 1,
  skipCSRFCheck: 1,
  theme: 1,
  trustHost: 1,
  trustedHosts: 1,
  trustedProxies: 1,
  unprovenAddress: 1,
  useSecureCookies: 1,
  waitUntil: 1,
  clientAddress: 1
})

const cookieOptionNames = names<keyof CookieOptions>({
  domain: 1,
  encode: 1,
  expires: 1,
  httpOnly: 1,
  maxAge: 1,
  partitioned: 1,
  path: 1,
  priority: 1,
  sameSite: 1,
  secure: 1
})

const cookieMemberNames: ReadonlyArray<string> = ["name", "options"]

const cookieNames = names<keyof CookieOverrides>({
  callbackUrl: 1,
  csrfToken: 1,
  nonce: 1,
  pkceCodeVerifier: 1,
  sessionToken: 1,
  state: 1,
  webauthnChallenge: 1
})

/** The names of each group of options. `authorized` is a callback of next-auth. */
export const groups = {
  callbacks: names<keyof CallbacksOptions | "authorized">({
    authorized: 1,
    jwt: 1,
    redirect: 1,
    session: 1,
    signIn: 1
  }),
  cookies: cookieNames,
  events: names<keyof EventsOptions>({
    addressReleased: 1,
    reauthenticationRequired: 1,
    createUser: 1,
    linkAccount: 1,
    session: 1,
    signIn: 1,
    signOut: 1,
    deleteUser: 1,
    updateUser: 1
  }),
  experimental: ["enableWebAuthn"],
  jwt: names<keyof JwtOptions>({ acceptA256GCM: 1, decode: 1, encode: 1, maxAge: 1, secret: 1 }),
  pages: names<keyof PagesOptions>({ error: 1, newUser: 1, signIn: 1, signOut: 1, verifyRequest: 1 }),
  session: names<keyof SessionOptions>({
    absoluteMaxAge: 1,
    companionCookie: 1,
    generateSessionToken: 1,
    maxAge: 1,
    rememberMe: 1,
    revocation: 1,
    revocationCheck: 1,
    strategy: 1,
    updateAge: 1
  }),
  theme: names<keyof Theme>({ brandColor: 1, buttonText: 1, colorScheme: 1, logo: 1 })
}

const groupNames = Object.entries(groups).map(([group, known]) => [`${group}.`, group, known] as const)

/** Members of providers. Shorter ones are left out: providers have members of their own, and short words are alike. */
const providerNames: ReadonlyArray<string> = [
  "allowDangerousEmailAccountLinking",
  "allowScopeFromBrowser",
  "authorization",
  "authorize",
  "backchannelLogout",
  "checks",
  "client",
  "clientId",
  "clientSecret",
  "credentials",
  "enableConditionalUI",
  "generateVerificationToken",
  "getUserInfo",
  "idTokenDecryption",
  "issuer",
  "normalizeIdentifier",
  "profile",
  "pushedAuthorizationRequests",
  "redirectProxyUrl",
  "relayingParty",
  "sendVerificationRequest",
  "userinfo",
  "wellKnown"
]

/** Words of their own that resemble a name of their group. */
const words: ReadonlySet<string> = new Set(["pages.signUp", "pages.signup", "events.signUp", "events.unlinkAccount"])

/** Callbacks that refuse sign-ins: a misspelled one is never called and refuses none. */
const guards: ReadonlySet<string> = new Set(["signIn", "authorized"])

/** Members by which a provider refuses sign-ins: they refuse an address, a password, a profile. */
const providerGuards: ReadonlySet<string> = new Set([
  "authorize",
  "normalizeIdentifier",
  "profile",
  "sendVerificationRequest"
])

/**
 * Are two texts at most so many edits apart (Levenshtein)? What both begin with needs no edit, and every edit replaces, removes or
 * inserts the letter behind it. A table of the distances would be filled for each pair of names, and few pairs are alike.
 */
const isWithin = (edits: number, left: string, right: string): boolean => {
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  const [leftRest, rightRest] = [left.slice(at), right.slice(at)]
  if (leftRest === "" || rightRest === "") return leftRest.length + rightRest.length <= edits
  if (edits === 0) return false
  const [leftNext, rightNext] = [leftRest.slice(1), rightRest.slice(1)]
  return (
    isWithin(edits - 1, leftNext, rightNext) ||
    isWithin(edits - 1, leftNext, rightRest) ||
    isWithin(edits - 1, leftRest, rightNext)
  )
}

/** Two letters of a short name are another word: a name of up to four letters may differ in one. */
const limitFor = (name: string): number => (name.length > 4 ? 2 : 1)

/** Answers of {@link closestTo}, which depend on the two names alone: configurations may be made for every request. */
type Answers = Map<string, string | typeof likeNone>

/** The answer for a name that is known, or like none. */
const likeNone = Symbol("like none")

const answers = new WeakMap<ReadonlyArray<string>, Answers>()

const answersFor = (known: ReadonlyArray<string>): Answers => {
  const cache = answers.get(known) ?? new Map<string, string | typeof likeNone>()
  answers.set(known, cache)
  return cache
}

/** Most names that are remembered for a group. */
const capacity = 500

/** The name that was meant; `undefined` for a name that is known, or like none. */
const findIntention = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const cache = answersFor(known)
  const before = cache.get(name)
  if (before !== undefined) return before === likeNone ? undefined : before
  if (cache.size >= capacity) cache.clear()
  const closest = known.includes(name) ? undefined : closestTo(name, known)
  cache.set(name, closest ?? likeNone)
  return closest
}

const closestTo = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const lower = name.toLowerCase()
  const isAlike = (edits: number) => (candidate: string) => isWithin(edits, lower, candidate.toLowerCase())
  const alike = known.filter(
    (candidate) => Math.abs(candidate.length - name.length) <= 2 && isAlike(limitFor(candidate))(candidate)
  )
  return alike.find(isAlike(0)) ?? alike.find(isAlike(1)) ?? alike[0]
}

interface Misspelling {
  readonly path: string
  readonly name: string
  readonly intended: string
}

const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** `undefined` counts as absent. A getter is not called. */
const isAbsent = (group: object, name: string): boolean => {
  const descriptor = Object.getOwnPropertyDescriptor(group, name)
  return descriptor !== undefined && descriptor.get === undefined && descriptor.value === undefined
}

/** The members of an object, and those of its class where it is an instance of one. */
const memberNames = (group: object): ReadonlyArray<string> => {
  const names = new Set(Object.keys(group))
  let at: unknown = Object.getPrototypeOf(group)
  while (typeof at === "object" && at !== null && at !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") names.add(name)
    at = Object.getPrototypeOf(at)
  }
  return [...names]
}

const none: ReadonlyArray<Misspelling> = []

const misspellingsIn = (path: string, group: unknown, known: ReadonlyArray<string>): ReadonlyArray<Misspelling> => {
  if (!isGroup(group)) return none
  const ofClass = path === "callbacks."
  if (!ofClass && !resembles(group, known)) return none
  return (ofClass ? memberNames(group) : Object.keys(group)).flatMap((name) => {
    const word = findIntention(name, known)
    return word === undefined || isAbsent(group, name) || words.has(`${path}${name}`)
      ? []
      : [{ path, name, intended: word }]
  })
}

/** Is there a name at all that is like one of these? Most groups have none, and no list of their names is made. */
const resembles = (group: object, known: ReadonlyArray<string>): boolean => {
  const cache = answersFor(known)
  for (const name in group) {
    if (cache.get(name) !== likeNone && findIntention(name, known) !== undefined) return true
  }
  return false
}

const member = (value: unknown, name: string): unknown =>
  isGroup(value) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

const inCookies = (cookies: unknown): ReadonlyArray<Misspelling> =>
  isGroup(cookies) ? cookieNames.flatMap((name) => inCookie(`cookies.${name}.`, member(cookies, name))) : []

const inCookie = (path: string, cookie: unknown): ReadonlyArray<Misspelling> => [
  ...misspellingsIn(path, cookie, cookieMemberNames),
  ...misspellingsIn(`${path}options.`, member(cookie, "options"), cookieOptionNames)
]

/** What the application gave a preset, and the members that stand beside it. */
const inProviders = (providers: unknown): ReadonlyArray<Misspelling> =>
  (Array.isArray(providers) ? providers : []).flatMap((provider: unknown, position) => {
    const options = member(provider, "options")
    if (![options, provider].some((place) => isGroup(place) && resembles(place, providerNames))) return none
    const id = member(options, "id") ?? member(provider, "id")
    return inProvider(typeof id === "string" ? id : String(position), [options, provider])
  })

const inProvider = (id: string, places: ReadonlyArray<unknown>): ReadonlyArray<Misspelling> => {
  const misspellings = places.flatMap((place) => misspellingsIn(`providers.${id}.`, place, providerNames))
  return misspellings.filter(({ name }, at) => misspellings.findIndex((other) => other.name === name) === at)
}

const allOf = (options: object): ReadonlyArray<Misspelling> => [
  ...misspellingsIn("", options, optionNames),
  ...groupNames.flatMap(([path, group, known]) => misspellingsIn(path, member(options, group), known)),
  ...inCookies(member(options, "cookies")),
  ...inProviders(member(options, "providers"))
]

const isGuard = ({ intended, path }: Misspelling): boolean => path === "callbacks." && guards.has(intended)

/** Is it a group of callbacks that is never read, with one that refuses sign-ins? */
const holdsGuard = (options: object, { intended: group, name, path }: Misspelling): boolean => {
  const value = path === "" && group === "callbacks" ? member(options, name) : undefined
  return isGroup(value) && memberNames(value).some((one) => guards.has(findIntention(one, groups.callbacks) ?? one))
}

const isProviderGuard = ({ intended, path }: Misspelling): boolean =>
  path.startsWith("providers.") && providerGuards.has(intended)

const errorOf = (misspelling: Misspelling, closes: boolean): InvalidConfiguration => {
  const { intended, name, path } = misspelling
  const consequence = closes
    ? " It was never called, so every sign-in is refused."
    : isProviderGuard(misspelling)
      ? " It was never called, so the provider is disabled."
      : ""
  return new InvalidConfiguration({
    field: `${path}${name}`,
    detail: `${path}${name} is unknown and looks like a misspelling of ${path}${intended}.${consequence}`,
    fix: `Write ${path}${intended}, or give the member a name that is less like it.`
  })
}

/** A callback that refuses sign-ins, and that is named and not set: its import or variable is undefined. */
const guardsNotGiven = (callbacks: unknown): ReadonlyArray<InvalidConfiguration> =>
  // next-auth passes `authorized: undefined` where an application has none.
  ["signIn"].flatMap((name) => {
    if (!isGroup(callbacks) || !Object.hasOwn(callbacks, name) || !isAbsent(callbacks, name)) return []
    const field = `callbacks.${name}`
    const detail = `${field} is named and not set, so it cannot refuse a sign-in: every sign-in is refused instead.`
    return [new InvalidConfiguration({ field, detail, fix: `Give ${field} a function, or leave the name out.` })]
  })

/**
 * The misspelled members by which a provider refuses sign-ins: each disables it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const misspeltGuards = (id: string, places: ReadonlyArray<unknown>): ReadonlyArray<InvalidConfiguration> =>
  inProvider(id, places)
    .filter(isProviderGuard)
    .map((misspelling) => errorOf(misspelling, false))

/**
 * The misspelt names among options: a problem that stops the configuration outside production. `closed` is why no sign-in
 * may take place, when a callback that refuses sign-ins is among them, or is named and not set.
 *
 * @category constructors
 * @since 0.1.0
 */
export const findMisspellings = (
  options: object
): { readonly problems: ReadonlyArray<Problem>; readonly closed: InvalidConfiguration | undefined } => {
  const misspellings = allOf(options).map((misspelling) => {
    const closes = isGuard(misspelling) || holdsGuard(options, misspelling)
    return { closes, error: errorOf(misspelling, closes) }
  })
  const missing = guardsNotGiven(member(options, "callbacks"))
  return {
    problems: [
      ...misspellings.map(({ error }): Problem => ({ error, stops: "development", level: "error" })),
      ...missing.map(partial)
    ],
    closed: misspellings.find(({ closes }) => closes)?.error ?? missing[0]
  }
}
