/**
 * Names, attributes and lifetimes of the cookies (RFC 6265), and how one is written.
 *
 * The names and formats are those of Auth.js, so that cookies made there are read here and the reverse. `policy` is worked
 * out once for each configuration and scheme; per request only values are filled in. What a value means is said by the
 * module that seals it: `Jwt.ts`, `Csrf.ts`, `Checks.ts`.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../Errors.ts"

/**
 * Attributes of a cookie. `maxAge` is in seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface CookieOptions<Age = number> {
  readonly maxAge?: Age | undefined
  readonly domain?: string | undefined
  readonly path?: string | undefined
  readonly expires?: Date | undefined
  readonly httpOnly?: boolean | undefined
  readonly secure?: boolean | undefined
  readonly partitioned?: boolean | undefined
  readonly priority?: "low" | "medium" | "high" | undefined
  readonly sameSite?: boolean | "lax" | "strict" | "none" | undefined
  readonly encode?: ((value: string) => string) | undefined
}

/**
 * A cookie that an answer sets.
 *
 * @category models
 * @since 0.1.0
 */
export interface ResponseCookie {
  readonly name: string
  readonly value: string
  readonly options: CookieOptions
}

/**
 * A cookie before it has a value.
 *
 * @category models
 * @since 0.1.0
 */
export interface CookieTemplate {
  readonly name: string
  readonly options: CookieOptions
}

/**
 * The cookies of the library.
 *
 * @category models
 * @since 0.1.0
 */
export interface CookiePolicy {
  readonly sessionToken: CookieTemplate
  readonly callbackUrl: CookieTemplate
  readonly csrfToken: CookieTemplate
  readonly webauthnChallenge: CookieTemplate
  /** One per sign-in attempt; the attempt's id follows the name after a dot. `cookies.state` names it. */
  readonly flow: CookieTemplate
  /** Which sign-in link this browser asked for. */
  readonly link: CookieTemplate
  /** The proof of an address that waits for the person's choice. */
  readonly addressProof: CookieTemplate
  /** Which accounts have signed in with this browser. */
  readonly browser: CookieTemplate
  /** The ID token of the session, for a logout at its provider. Browsers send it to the sign-out alone. */
  readonly idToken: CookieTemplate
  /** The logout at a provider that the browser comes back from. */
  readonly logout: CookieTemplate
  /** The tokens of the provider of the session, with the option `providerTokens`. */
  readonly providerTokens: CookieTemplate
}

/**
 * Overrides as the application writes them. An attempt has one cookie, which `state` names: `nonce` and `pkceCodeVerifier` name
 * nothing.
 *
 * @category models
 * @since 0.1.0
 */
export type CookieOverrides<Age = number> = {
  readonly [
    K in "sessionToken" | "callbackUrl" | "csrfToken" | "pkceCodeVerifier" | "state" | "nonce" | "webauthnChallenge"
  ]?: { readonly name?: string | undefined; readonly options?: CookieOptions<Age> | undefined } | undefined
}

/** Seconds for which a sign-in attempt may be finished. @category constants @since 0.1.0 */
export const flowMaxAge = 900

/**
 * Works out all cookies for one scheme. `secure` is the policy for `https`: prefixes and the `Secure` attribute. The function
 * `Auth` (`isDropIn`) shares its sessions with Auth.js, under the name that they have there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const policy = (secure: boolean, overrides: CookieOverrides = {}, isDropIn = false): CookiePolicy => {
  const template = (
    name: string,
    override: { name?: string | undefined; options?: CookieOptions | undefined } | undefined
  ): CookieTemplate => ({
    name: override?.name ?? name,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure, ...present(override?.options) }
  })
  const prefix = secure ? "__Secure-" : ""
  const hostPrefix = secure ? "__Host-" : ""
  const withMaxAge = ({ name, options }: CookieTemplate): CookieTemplate => ({
    name,
    options: { maxAge: flowMaxAge, ...options }
  })
  return {
    sessionToken: template(sessionName(secure && !isDropIn, prefix, overrides.sessionToken), overrides.sessionToken),
    callbackUrl: template(`${prefix}authjs.callback-url`, overrides.callbackUrl),
    csrfToken: template(`${hostPrefix}authjs.csrf-token`, overrides.csrfToken),
    webauthnChallenge: withMaxAge(template(`${prefix}authjs.challenge`, overrides.webauthnChallenge)),
    flow: withMaxAge(template(flowName(secure, overrides.state), overrides.state)),
    link: template(`${hostPrefix}authjs.link`, undefined),
    addressProof: template(`${hostPrefix}authjs.address-proof`, undefined),
    browser: template(`${hostPrefix}authjs.browser`, undefined),
    // A `__Host-` cookie must have the path `/`.
    idToken: template(`${prefix}authjs.id-token`, undefined),
    logout: template(`${prefix}authjs.logout`, undefined),
    providerTokens: template(`${hostPrefix}authjs.provider-tokens`, undefined)
  }
}

/**
 * The cookies by which Auth.js remembers an attempt, under the names that they have there without options.
 *
 * @category constructors
 * @since 0.1.0
 */
export const authJsAttempt = (
  secure: boolean
): { readonly [_ in "state" | "nonce" | "pkceCodeVerifier"]: CookieTemplate } => {
  const options: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure }
  const prefix = secure ? "__Secure-authjs" : "authjs"
  return {
    state: { name: `${prefix}.state`, options },
    nonce: { name: `${prefix}.nonce`, options },
    pkceCodeVerifier: { name: `${prefix}.pkce.code_verifier`, options }
  }
}

/** `cookies.state` names the cookie of an attempt. With a domain or a path the default name has no prefix for one host alone. */
const flowName = (secure: boolean, state: CookieOverrides["state"]): string =>
  !secure ? "authjs.flow" : isForHost(state?.options) ? "__Host-authjs.flow" : "__Secure-authjs.flow"

/** Can a cookie with these attributes have the prefix `__Host-`? */
const isForHost = ({ domain, path = "/", secure }: CookieOptions = {}): boolean =>
  domain === undefined && path === "/" && secure !== false

/**
 * Another host of the domain can set a cookie without the prefix `__Host-`, and put the visitor into a session of its own (RFC
 * 6265bis section 4.1.3.2). With a domain or a path the cookie is shared on purpose.
 */
const sessionName = (canBeHost: boolean, prefix: string, override: CookieOverrides["sessionToken"]): string =>
  `${canBeHost && isForHost(override?.options) ? "__Host-" : prefix}authjs.session-token`

/**
 * What is wrong with a cookie.
 *
 * @category models
 * @since 0.1.0
 */
export interface CookieFault {
  readonly key: keyof CookiePolicy
  readonly error: InvalidConfiguration
  /** Browsers drop such a cookie, so it does not work and grants no access. */
  readonly isDropped: boolean
  /** Another cookie has the name. */
  readonly isTaken: boolean
}

/**
 * What is wrong with one policy: names that cannot be written, names that collide, and broken rules of the name prefixes
 * (RFC 6265bis section 4.1.3).
 *
 * @category constructors
 * @since 0.1.0
 */
export const faults = (cookies: CookiePolicy): ReadonlyArray<CookieFault> => {
  const names = new Set<string>()
  return (Object.entries(cookies) as ReadonlyArray<[keyof CookiePolicy, CookieTemplate]>).flatMap(([key, cookie]) => {
    const field = `cookies.${key === "flow" ? "state" : key}`
    const instead = key === "sessionToken" ? "" : " The library uses its own until then."
    const at =
      (isDropped: boolean, isTaken = false) =>
      (why: string): CookieFault => ({
        error: new InvalidConfiguration({
          field,
          detail: `${field}: ${why}`,
          ...(isDropped
            ? { fix: `Change the name or the attributes: browsers drop the cookie as it is.${instead}` }
            : {})
        }),
        key,
        isDropped,
        isTaken
      })
    // The name is what a value is sealed for: under one name a sign-in attempt would pass for a session.
    const isTaken = names.size === names.add(cookie.name).size
    return [
      ...(isTaken ? [at(false, true)(taken)] : unwritable(cookie).map((why) => at(false)(why))),
      ...brokenPromises(cookie).map(at(true))
    ]
  })
}

const taken = "another cookie has the same name"

const unwritable = ({ name, options }: CookieTemplate): ReadonlyArray<string> => {
  const { domain, path } = options
  return [
    ...(token.test(name) && name.length <= longestName
      ? []
      : ["the name is too long or holds a character that cookie names may not have (RFC 6265 section 4.1.1)"]),
    ...(path === undefined || isAttribute(path)
      ? []
      : ["the path is too long or holds a character that cookies may not have"]),
    ...(domain === undefined || isAttribute(domain)
      ? []
      : ["the domain is too long or holds a character that cookies may not have"])
  ]
}

const brokenPromises = ({ name, options }: CookieTemplate): ReadonlyArray<string> => {
  const { domain, partitioned, path, sameSite, secure } = options
  return [
    ...(name.startsWith("__Host-") && (secure !== true || path !== "/" || domain !== undefined)
      ? ["a __Host- cookie must be secure, have the path / and no domain"]
      : []),
    ...(name.startsWith("__Secure-") && secure !== true ? ["a __Secure- cookie must be secure"] : []),
    ...(sameSite === "none" && secure !== true ? ["SameSite=None needs a secure cookie"] : []),
    ...(partitioned === true && secure !== true ? ["a partitioned cookie must be secure"] : [])
  ]
}

/**
 * Checks one policy; fails with the first of its {@link faults}.
 *
 * @category constructors
 * @since 0.1.0
 */
export const check = (cookies: CookiePolicy): Result.Result<CookiePolicy, InvalidConfiguration> => {
  const [fault] = faults(cookies)
  return fault === undefined ? Result.succeed(cookies) : Result.fail(fault.error)
}

/**
 * Sets a cookie.
 *
 * @category constructors
 * @since 0.1.0
 */
export const set = (template: CookieTemplate, value: string, options?: CookieOptions): ResponseCookie => ({
  name: template.name,
  value,
  options: { ...template.options, ...options }
})

/**
 * Removes a cookie: the same name and attributes, an empty value, and no time left.
 *
 * @category constructors
 * @since 0.1.0
 */
export const clear = (template: CookieTemplate, name: string = template.name): ResponseCookie => ({
  name,
  value: "",
  options: { ...template.options, maxAge: 0 }
})

/**
 * Removes cookies wherever the browser of a request may hold them: with and without a domain, for every parent domain. A
 * cookie shows neither domain nor path, and a deletion removes only the cookie with both the same (RFC 6265 section 5.3).
 * Names that came with several values are also removed for every path above that of the request. Of the deletions of one
 * name the last is the one of the template, because some frameworks keep only that.
 *
 * @category combinators
 * @since 0.1.0
 */
export const clearEverywhere = (
  template: CookieTemplate,
  names: ReadonlyArray<string>,
  request: { readonly url: URL; readonly cookies: { readonly conflicts?: ReadonlyMap<string, unknown> | undefined } }
): ReadonlyArray<ResponseCookie> => {
  const { domain: ownDomain, path: ownPath = "/" } = template.options
  const domain = ownDomain?.replace(/^\./, "")
  const domains = [undefined, ...parentDomains(request.url.hostname)]
  const others: Array<ResponseCookie> = []
  const duplicates: Array<ResponseCookie> = []
  for (const name of names) {
    if (name.startsWith("__Host-")) continue
    const isRepeated = request.cookies.conflicts?.has(name) === true
    const variants = isRepeated ? duplicates : others
    for (const path of isRepeated ? pathsAbove(request.url.pathname) : [ownPath])
      for (const other of domains)
        if (path !== ownPath || other !== domain)
          variants.push({
            name,
            value: "",
            options: { ...template.options, maxAge: 0, domain: other, path }
          })
  }
  const removals = names.slice(0, mostRemoved).map((name) => clear(template, name))
  return [
    ...others.slice(0, Math.max(0, mostRemoved - removals.length)),
    ...duplicates.slice(0, mostVariants),
    ...removals
  ]
}

/** What distinguishes cookies in a browser (RFC 6265 section 5.3). @internal */
export const variantOf = ({ name, options: { domain = "", path = "" } }: ResponseCookie): string =>
  `${name}; ${domain}; ${path}`

/**
 * Deletions in one answer: with them and all that an action sets there are never more than twenty `Set-Cookie` headers. What
 * stays behind is removed by the next answer.
 */
export const mostRemoved = 15

/** The same for names with several values, which no other answer can tell apart: headers of about 3 kB, below 4 kB of proxies. */
const mostVariants = 24

/** The host and the domains above it for which a browser may hold a cookie; none for addresses and single labels. */
const parentDomains = (host: string): ReadonlyArray<string> => {
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return []
  const domains: Array<string> = []
  for (let start = 0, dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", start)) {
    domains.push(host.slice(start))
    start = dot + 1
  }
  return domains
}

/** Every path that matches the path of a request (RFC 6265 section 5.1.4), shortest first. */
const pathsAbove = (pathname: string): ReadonlyArray<string> => {
  const segments = pathname.split("/").filter((segment) => segment !== "")
  return [
    "/",
    ...segments.flatMap((_, index) => {
      const path = `/${segments.slice(0, index + 1).join("/")}`
      return index + 1 < segments.length || pathname.endsWith("/") ? [path, `${path}/`] : [path]
    })
  ]
}

/**
 * The `Set-Cookie` value (RFC 6265 section 4.1.1), percent-encoded like `encodeURIComponent`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const serialize = (cookie: ResponseCookie): string =>
  `${cookie.name}=${encodedValue(cookie)}${attributesOf(cookie.options)}`

const attributesOf = (options: CookieOptions): string => {
  let text = ""
  if (options.maxAge !== undefined) text += `; Max-Age=${Math.floor(options.maxAge)}`
  if (options.domain !== undefined) text += `; Domain=${options.domain}`
  if (options.path !== undefined) text += `; Path=${options.path}`
  if (options.priority !== undefined) text += `; Priority=${capital(options.priority)}`
  if (options.expires !== undefined) text += `; Expires=${options.expires.toUTCString()}`
  if (options.httpOnly === true) text += "; HttpOnly"
  if (options.secure === true) text += "; Secure"
  if (options.partitioned === true) text += "; Partitioned"
  if (options.sameSite === true) text += "; SameSite=Strict"
  else if (typeof options.sameSite === "string") text += `; SameSite=${capital(options.sameSite)}`
  return text
}

/** The value, encoded for the header. @internal */
export const encodedValue = (cookie: ResponseCookie): string =>
  plain.test(cookie.value) ? cookie.value : encodeValue(cookie)

/** What an encoder of the application's makes of a value, if it may stand there (RFC 6265 section 4.1.1). */
const encodeValue = ({ options, value }: ResponseCookie): string => {
  const { encode } = options
  const own = encode === undefined ? undefined : Result.getOrUndefined(Result.try(() => encode(value)))
  return own !== undefined && cookieOctets.test(own) ? own : encodeURIComponent(value)
}

const cookieOctets = /^[!#-+\--:<-[\]-~]*$/

/** RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const longestName = 256

/** Browsers ignore attributes of more than 1024 octets (RFC 6265bis section 5.7). */
const isAttribute = (value: string): boolean => value.length <= 1024 && /^[ -:<-~]*$/.test(value)
/** Values that percent-encoding leaves alone: sealed tokens, which are the long ones. */
const plain = /^[A-Za-z0-9._~!'()*-]*$/

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const present = (options: CookieOptions | undefined): CookieOptions =>
  options === undefined ? {} : Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
