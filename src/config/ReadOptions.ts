/**
 * Reads options by their Schema: brings the spellings of both faces into one, and finds wrong types and misspelt names.
 *
 * A member of a wrong type stops what its annotation says. A name that the library does not know is a problem when it is one or
 * two letters away from a known one. Other names pass, because framework packages have options of their own.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { InvalidConfiguration } from "../Errors.ts"
import { type FieldRules, type Options, OptionsSchema } from "./Options.ts"
import { advice, fatal, partial, type Problem } from "./Problem.ts"

type Members = Record<string, unknown>

/** The rules of a field, and the fields in it. */
interface Field extends FieldRules {
  readonly members: ReadonlyMap<string, Field>
}

const fieldOf = (ast: SchemaAST.AST): Field => {
  const [group] = [SchemaAST.isUnion(ast) ? ast.types : ast].flat().filter(SchemaAST.isObjects)
  const members = (group?.propertySignatures ?? []).map(({ name, type }) => [String(name), fieldOf(type)] as const)
  // The annotations are those that `Options.ts` gives its fields.
  return { ...(ast.annotations as FieldRules | undefined), members: new Map(members) }
}

const root = fieldOf(OptionsSchema.ast)

/** Is it part of the copy? The copy has no prototypes; an instance of a class is the application's own and is not changed. */
const isCopy = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null

const decode = Schema.decodeUnknownResult(OptionsSchema, { errors: "all" })

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Completes a copy of the options in place, and returns what is wrong with the types of its members.
 *
 * @category constructors
 * @since 0.1.0
 */
export const readOptions = (options: Options): ReadonlyArray<Problem> => [
  ...(isCopy(options) ? readGroup(options, root, "") : []),
  ...secretsThatAreSet(options, "secret"),
  ...(isCopy(options.jwt) ? secretsThatAreSet(options.jwt, "jwt.secret") : []),
  ...withoutWrongTypes(options)
]

const readGroup = (group: Members, { members }: Field, path: string): ReadonlyArray<Problem> =>
  [...members].flatMap(([name, field]) => {
    // A member without a value stays: a callback that refuses sign-ins is then named and not set.
    if (group[name] === null && field.isNullable !== true) group[name] = undefined
    const value = group[name]
    if (value === undefined || value === null) return []
    if (field.read !== undefined) group[name] = field.read(value)
    if (isCopy(value)) return readGroup(value, field, `${path}${name}.`)
    return isForeign(value, field) ? [notRead(`${path}${name}`, field)] : []
  })

/** Is it an instance of a class that has none of the members of a group, as a map and a promise have none? */
const isForeign = (value: unknown, { members }: Field): boolean =>
  members.size > 0 &&
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  ![...members.keys()].some((name) => name in value)

const severityOf = (stops: FieldRules["stops"]) => (stops === "part" ? partial : fatal)

const notRead = (field: string, { stops }: Field): Problem => {
  const detail = `${field} must be an object of options: it is an instance of a class that has none of them`
  return severityOf(stops)(new InvalidConfiguration({ field, detail }))
}

/** A secret of the list that is not set is usually an environment variable that is not. */
const secretsThatAreSet = (at: { secret?: unknown }, field: "secret" | "jwt.secret"): ReadonlyArray<Problem> => {
  const list: ReadonlyArray<unknown> = Array.isArray(at.secret) ? at.secret : []
  const set = list.filter((secret) => secret !== undefined && secret !== null)
  if (set.length === list.length || set.length === 0) return []
  at.secret = set
  const detail = `${field} lists a secret that is not set: the others are used`
  return [advice(new InvalidConfiguration({ field, detail }))]
}

const withoutWrongTypes = (options: Options): ReadonlyArray<Problem> => {
  const decoding = decode(options)
  if (Result.isSuccess(decoding)) return []
  return issuesOf(decoding.failure.issue).issues.map(({ message, path }) => {
    const names = (path ?? []).map(String)
    const field = names.join(".")
    const stops = stopsAt(names)
    remove(options, stops === "part" ? names : names.slice(0, 1))
    const detail = `${field}: ${message}${stops === "part" ? "; it is left out" : ""}`
    return severityOf(stops)(new InvalidConfiguration({ field, detail }))
  })
}

/** The rule of the innermost field that has one. */
const stopsAt = (names: ReadonlyArray<string>): FieldRules["stops"] => {
  let stops: FieldRules["stops"]
  let field: Field | undefined = root
  for (const name of names) {
    field = field?.members.get(name)
    stops = field?.stops ?? stops
  }
  return stops
}

const remove = (options: Options, names: ReadonlyArray<string>): void => {
  const last = names.at(-1)
  const group = names.slice(0, -1).reduce((at: unknown, name) => (isCopy(at) ? at[name] : undefined), options)
  if (last === undefined || (group !== options && !isCopy(group))) return
  if (names.length > 1) Reflect.deleteProperty(group, last)
  // Providers are read as a list in any case.
  else Reflect.set(group, last, last === "providers" ? [] : undefined)
}

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
const otherWords: ReadonlySet<string> = new Set([
  "pages.signUp",
  "pages.signup",
  "events.signUp",
  "events.unlinkAccount"
])

/** Callbacks that refuse sign-ins: a misspelt one is never called and refuses none. */
const guards: ReadonlySet<string> = new Set(["signIn", "authorized"])

/** Members by which a provider refuses sign-ins: they refuse an address, a password, a profile. */
const providerGuards: ReadonlySet<string> = new Set([
  "authorize",
  "normalizeIdentifier",
  "profile",
  "sendVerificationRequest"
])

/** Are two strings at most so many edits apart (Levenshtein)? An edit replaces, removes or inserts a letter. */
const isWithin = (edits: number, left: string, right: string): boolean => {
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  const [one, other] = [left.slice(at), right.slice(at)]
  if (one === "" || other === "") return one.length + other.length <= edits
  return (
    edits > 0 &&
    (isWithin(edits - 1, one.slice(1), other.slice(1)) ||
      isWithin(edits - 1, one.slice(1), other) ||
      isWithin(edits - 1, one, other.slice(1)))
  )
}

/** The known name that is nearest; `undefined` for a name that is far from all. Two letters of a short name are another word. */
const nearestTo = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const isAlike = (edits: number) => (word: string) =>
    Math.abs(word.length - name.length) <= edits && isWithin(edits, name.toLowerCase(), word.toLowerCase())
  return [0, 1, 2].reduce<string | undefined>(
    (nearest, edits) => nearest ?? known.filter((word) => edits < 2 || word.length > 4).find(isAlike(edits)),
    undefined
  )
}

interface Misspelling {
  readonly path: string
  readonly name: string
  readonly intended: string
}

const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A getter is not called. */
const member = (value: unknown, name: string): unknown =>
  isGroup(value) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

/** `undefined` counts as absent. */
const isAbsent = (group: object, name: string): boolean => {
  const descriptor = Object.getOwnPropertyDescriptor(group, name)
  return descriptor !== undefined && descriptor.get === undefined && descriptor.value === undefined
}

/** The members of an object, and those of its classes where it is an instance of one. */
const memberNames = (group: object): ReadonlyArray<string> => {
  const names = Object.getOwnPropertyNames(group)
  const prototype: unknown = Object.getPrototypeOf(group)
  return isGroup(prototype) && prototype !== Object.prototype
    ? [...new Set([...names, ...memberNames(prototype)])]
    : names
}

const misspelt = (
  group: object,
  names: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  path: string
): ReadonlyArray<Misspelling> =>
  names.flatMap((name) => {
    const isKnown = known.includes(name) || isAbsent(group, name) || otherWords.has(`${path}${name}`)
    const intended = isKnown ? undefined : nearestTo(name, known)
    return intended === undefined ? [] : [{ path, name, intended }]
  })

const inGroup = (group: unknown, { members }: Field, path = ""): ReadonlyArray<Misspelling> => {
  if (!isGroup(group) || members.size === 0) return []
  const names = path === "callbacks." ? memberNames(group) : Object.keys(group)
  return [
    ...misspelt(group, names, [...members.keys()], path),
    ...[...members].flatMap(([name, field]) => inGroup(member(group, name), field, `${path}${name}.`))
  ]
}

/** The options that the application gave a preset, and the members that stand beside them. */
const inProvider = (id: string, places: ReadonlyArray<unknown>): ReadonlyArray<Misspelling> => {
  const all = places
    .filter(isGroup)
    .flatMap((place) => misspelt(place, Object.keys(place), providerNames, `providers.${id}.`))
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
}

const inProviders = (providers: unknown): ReadonlyArray<Misspelling> =>
  (Array.isArray(providers) ? providers : []).flatMap((provider: unknown, position) => {
    const options = member(provider, "options")
    const id = member(options, "id") ?? member(provider, "id")
    return inProvider(typeof id === "string" ? id : String(position), [options, provider])
  })

/** Is it a callback that refuses sign-ins, or a group of callbacks that is never read with one of them? */
const closes = (options: object, { intended, name, path }: Misspelling): boolean => {
  if (path === "callbacks.") return guards.has(intended)
  const group = path === "" && intended === "callbacks" ? member(options, name) : undefined
  const known = [...(root.members.get("callbacks")?.members.keys() ?? [])]
  return isGroup(group) && memberNames(group).some((one) => guards.has(nearestTo(one, known) ?? one))
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
const guardsNotGiven = (callbacks: unknown): ReadonlyArray<InvalidConfiguration> => {
  // next-auth passes `authorized: undefined` where an application has none.
  if (!isGroup(callbacks) || !Object.hasOwn(callbacks, "signIn") || !isAbsent(callbacks, "signIn")) return []
  const field = "callbacks.signIn"
  const detail = `${field} is named and not set, so it cannot refuse a sign-in: every sign-in is refused instead.`
  return [new InvalidConfiguration({ field, detail, fix: `Give ${field} a function, or leave the name out.` })]
}

/**
 * The misspelt members by which a provider refuses sign-ins: each disables it.
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
  const all = [...inGroup(options, root), ...inProviders(member(options, "providers"))]
  const misspellings = all.map((one) => ({ error: errorOf(one, closes(options, one)), closes: closes(options, one) }))
  const missing = guardsNotGiven(member(options, "callbacks"))
  return {
    problems: [
      ...misspellings.map(({ error }): Problem => ({ error, stops: "development", level: "error" })),
      ...missing.map(partial)
    ],
    closed: misspellings.find(({ closes }) => closes)?.error ?? missing[0]
  }
}
