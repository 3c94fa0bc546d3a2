/**
 * Reads options as plain JavaScript writes them: `null` for a member that is not set, texts of environment variables for
 * flags and numbers. A member that still has the wrong type is left out where the rest is safe without it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Result from "effect/Result"
import * as SchemaIssue from "effect/SchemaIssue"
import { InvalidConfiguration } from "../Errors.ts"
import { isYes } from "./Flag.ts"
import { reveal, revealAll } from "../internal/Reveal.ts"
import { groups as optionNames } from "./Misspelling.ts"
import { type Options, OptionsSchema } from "./Options.ts"
import { advice, fatal, partial, type Problem } from "./Problem.ts"

type Members = Record<string, unknown>

/** Is it part of the copy? The copy has no prototypes; an instance of a class is the application's own and is not changed. */
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null

/** Stands for a section that is not there. */
const nothing: Members = Object.freeze<Members>({})

/** Options that are objects of members. */
const sections = ["callbacks", "cookies", "events", "experimental", "jwt", "pages", "session"] as const

const flags: ReadonlyArray<readonly [section: string | undefined, name: string]> = [
  [undefined, "trustHost"],
  [undefined, "useSecureCookies"],
  ["experimental", "enableWebAuthn"],
  ["jwt", "acceptA256GCM"],
  ["session", "companionCookie"],
  ["session", "revocation"]
]

const times: ReadonlyArray<readonly [section: string, name: string]> = [
  ["session", "maxAge"],
  ["session", "absoluteMaxAge"],
  ["session", "updateAge"],
  ["session", "revocationCheck"],
  ["jwt", "maxAge"]
]

const decode = Schema.decodeUnknownResult(OptionsSchema, { errors: "all" })

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Members without a default: without them the configuration would do something else, or allow more.
 *
 * | member                 | what its absence would mean                                            |
 * | ---------------------- | ---------------------------------------------------------------------- |
 * | `callbacks`            | every user may sign in, nothing is removed from tokens and sessions    |
 * | `jwt`                  | tokens of another key and format, which live as long as the session    |
 * | `cookies`              | cookies of other names, scopes and attributes                          |
 * | `session.maxAge`       | sessions of 30 days                                                    |
 * | `session.absoluteMaxAge` | sessions without an end for those who keep using them                |
 * | `session.rememberMe`   | sessions that stay in a browser that was closed                        |
 * | `session.strategy`     | sessions that cannot be ended from the store                           |
 * | `session.revocation`, `session.revocationCheck` | sessions that stay valid after they were revoked |
 * | `redirectProxyOrigins` | answers go to every deployment that has the secret                     |
 * | `unprovenAddress`      | the person decides what the application had decided                    |
 * | `providers`, `secret`, `basePath` | another application                                         |
 *
 * Guards of a provider disable it by rules of its own; `adapter`, `retiredSecrets`, `origin`, `trustedHosts` and `trustedProxies`
 * have rules that stop as well.
 * Without any other member the library does no more than with it.
 */
const essentialOption = new RegExp(
  "^(?:providers|basePath|secret|jwt|callbacks|cookies|redirectProxyOrigins|unprovenAddress|" +
    "session(?=$|\\.(?:strategy|maxAge|absoluteMaxAge|rememberMe|revocation|revocationCheck)))(?:\\.|$)"
)

/** Sections without a default: a wrong object, such as a map or a promise, would count as an empty section. */
const neededSections = ["callbacks", "cookies", "jwt", "session"] as const

/**
 * Completes a copy of the options in place, and returns what is wrong with the types of its members.
 *
 * @category constructors
 * @since 0.1.0
 */
export const readLeniently = (options: Options): ReadonlyArray<Problem> => {
  const members: Members = isMembers(options) ? options : { ...options }
  const section = (name: string | undefined): Members => {
    const value = name === undefined ? options : members[name]
    return isMembers(value) ? value : nothing
  }
  revealSecrets(section(undefined))
  revealSecrets(section("jwt"))
  const foreign = neededSections.filter((name) => isForeign(members[name], optionNames[name]))
  removeNulls(section(undefined), limits)
  for (const name of sections) removeNulls(section(name))
  for (const [parent, name] of flags) {
    const at = section(parent)
    if (at[name] !== undefined) at[name] = isYes(at[name])
  }
  for (const [parent, name] of times) {
    const at = section(parent)
    const value = at[name]
    if (typeof value === "string" && /^\d+$/.test(value.trim())) at[name] = Number(value)
  }
  const cookies = section("cookies")
  for (const name in cookies) {
    const cookie = cookies[name]
    const attributes = isMembers(cookie) ? cookie["options"] : undefined
    if (!isMembers(attributes)) continue
    const { sameSite } = attributes
    if (typeof sameSite === "string") attributes["sameSite"] = sameSite.toLowerCase()
  }
  return [
    ...foreign.map(notRead),
    ...secretsThatAreSet(section(undefined), "secret"),
    ...secretsThatAreSet(section("jwt"), "jwt.secret"),
    ...withoutWrongTypes(options)
  ]
}

/** `Auth` takes texts; a `Redacted`, as layers take it, means the same. */
const revealSecrets = (at: Members): void => {
  if (Object.hasOwn(at, "secret")) at["secret"] = revealAll(at["secret"])
  const secretsList = Object.hasOwn(at, "retiredSecrets") ? at["retiredSecrets"] : undefined
  if (!Array.isArray(secretsList)) return
  const list: ReadonlyArray<unknown> = secretsList
  at["retiredSecrets"] = list.map((one) => (isRetired(one) ? { ...one, secret: reveal(one.secret) } : one))
}

const isRetired = (one: unknown): one is { readonly secret: unknown } =>
  typeof one === "object" && one !== null && "secret" in one

/** They stay as members without a value: a callback that refuses sign-ins is then named and not set. */
const removeNulls = (at: Members, kept?: ReadonlySet<string>): void => {
  for (const name in at) if (at[name] === null && kept?.has(name) !== true) at[name] = undefined
}

/** Without one of these every host or origin counts: an invalid value must not become "not set". */
const limits: ReadonlySet<string> = new Set(["origin", "redirectProxyOrigins", "trustedHosts"])

/** Is it an instance of a class that has none of these members, as a map and a promise have none? */
const isForeign = (value: unknown, names: ReadonlyArray<string>): boolean =>
  typeof value === "object" &&
  value !== null &&
  !isMembers(value) &&
  !Array.isArray(value) &&
  !names.some((name) => name in value)

const notRead = (field: string): Problem => {
  const detail = `${field} must be an object of options: it is an instance of a class that has none of them`
  return fatal(new InvalidConfiguration({ field, detail }))
}

/** A secret of the list that is not set is usually an environment variable that is not. */
const secretsThatAreSet = (at: Members, field: "secret" | "jwt.secret"): ReadonlyArray<Problem> => {
  const list = at["secret"]
  if (!Array.isArray(list)) return []
  const members: ReadonlyArray<unknown> = list
  const set = members.filter((secret) => secret !== undefined && secret !== null)
  if (set.length === members.length || set.length === 0) return []
  at["secret"] = set
  const detail = `${field} lists a secret that is not set: the others are used`
  return [advice(new InvalidConfiguration({ field, detail }))]
}

const withoutWrongTypes = (options: Options): ReadonlyArray<Problem> => {
  const decodeResult = decode(options)
  if (Result.isSuccess(decodeResult)) return []
  return issuesOf(decodeResult.failure.issue).issues.map(({ message, path }) => {
    const names = (path ?? []).map(String)
    const field = names.join(".")
    const isNeeded = essentialOption.test(field)
    remove(options, isNeeded ? names.slice(0, 1) : names)
    const detail = `${field}: ${message}${isNeeded ? "" : "; it is left out"}`
    return (isNeeded ? fatal : partial)(new InvalidConfiguration({ field, detail }))
  })
}

const remove = (options: Options, [name, ...rest]: ReadonlyArray<string>): void => {
  if (name === undefined) return
  // Providers are read as a list in any case.
  if (rest.length === 0) return void Reflect.set(options, name, name === "providers" ? [] : undefined)
  const inner: unknown = Reflect.get(options, name)
  const last = rest.at(-1)
  const parent = rest.slice(0, -1).reduce((at: unknown, one) => (isMembers(at) ? at[one] : undefined), inner)
  if (isMembers(parent) && last !== undefined) delete parent[last]
}
