/**
 * Binds the answer of a provider to the browser that asked, to the provider it asked, and to one use.
 *
 * Every sign-in attempt has a record of its own (`oauth/Flow.ts`), sealed in a cookie that is named after the attempt, so
 * that two tabs can sign in at once. An attempt that began at Auth.js is finished here from its own cookies. State and PKCE
 * protect every provider, a nonce those of OpenID Connect (RFC 9700 section 2.1.1, RFC 7636, OIDC Core section 3.1.2.1).
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { Seal } from "../browser/Seal.ts"
import { maySeal } from "../config/HostPolicy.ts"
import { unvouchedState } from "../config/HostProblems.ts"
import { cookiesFor, Settings, sizeBesideAttempts } from "../config/Settings.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { equalText, sha256 } from "../crypto/Sha256.ts"
import { type FailureCode, InvalidCheck, type UntrustedHost } from "../Errors.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { authJsAttempt, clear, type CookieTemplate, flowMaxAge, type ResponseCookie } from "../http/Cookie.ts"
import { headerSize, largestField, singleValueOf } from "../http/CookieHeader.ts"
import { names } from "../internal/Mismatch.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { useOnce } from "../storage/AdapterState.ts"
import { Adapter } from "../storage/Storage.ts"
import { decodeRecord, type Flow, type RequestedSignIn } from "./Flow.ts"

/** The redirect URI among the parameters of the authorization request that the configuration asks for. */
const configuredAddress = ({ authorization, authorizationParameters }: RedirectProvider): string | undefined => {
  const value =
    authorizationParameters.findLast(([name]) => name === "redirect_uri")?.[1] ??
    (authorization.url?.includes("redirect_uri=") === true
      ? new URL(authorization.url).searchParams.get("redirect_uri")
      : undefined)
  return value !== undefined && value !== null && /^https?:/.test(value) && URL.canParse(value) ? value : undefined
}

/** The dependencies of all steps of an attempt. */
const surroundings = Effect.fnUntraced(function* (provider: RedirectProvider) {
  const settings = yield* Settings
  const request = yield* AuthRequest
  const { flow } = cookiesFor(settings, request.url)
  const own = `${request.origin}${settings.basePath}/callback/${provider.id}`
  const proxy = provider.redirectProxyUrl
  const isProxied = proxy !== undefined && new URL(proxy).origin !== request.origin
  return {
    settings,
    request,
    template: withForm(flow, provider),
    /** Record cookies of this request that are looked at, and removed, at once. */
    open: [...request.cookies.values].filter(([name]) => name.startsWith(`${flow.name}.`)).slice(0, most),
    nameOf: (state: string) => `${flow.name}.${idOf(state)}`,
    /** With a domain the application lets an attempt end at another host of it. */
    endsElsewhere: flow.options.domain !== undefined,
    /** The callback URL of this deployment, which a redirect proxy forwards to. */
    own,
    isProxied,
    /**
     * Where the provider sends the browser back to. A redirect URI that the configuration names takes precedence: applications
     * behind a reverse proxy name the address that the provider knows.
     */
    redirectUri:
      configuredAddress(provider) ?? (isProxied ? `${proxy.replace(/\/$/, "")}/callback/${provider.id}` : own)
  }
})

/** The input of an attempt: `session` names the session that asked, where accounts can be linked to it. */
export interface Attempt {
  readonly target: string
  readonly session?: string | undefined
  /** Does the session outlive the browser? Default: yes. */
  readonly isRemembered?: boolean | undefined
}

/** Makes the record of a new attempt. */
export const start = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  { isRemembered, session, target }: Attempt
): Effect.fn.Return<Flow, UntrustedHost, AuthRequest | Seal | SecureRandom.SecureRandom | Settings> {
  const { isProxied, own, redirectUri, request, settings } = yield* surroundings(provider)
  if (isProxied && !maySeal(settings.hosts, settings.production, request.url)) return yield* unvouchedState(provider.id)
  const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(96)
  const random = Base64Url.encode(bytes, 0, 32)
  const { seal } = yield* Seal
  const isSealed = (settings.redirectProxyUrl ?? provider.redirectProxyUrl) !== undefined
  const state = isSealed ? yield* seal(stateSalt, isProxied ? { origin: own, random } : { random }, flowMaxAge) : random
  const isOidc = provider._tag === "Oidc"
  return {
    id: idOf(state),
    provider: provider.id,
    issuer: provider.issuer,
    redirectUri,
    state,
    codeVerifier: provider.refuses.includes("pkce") ? undefined : Base64Url.encode(bytes, 32, 64),
    nonce: isOidc && !provider.refuses.includes("nonce") ? Base64Url.encode(bytes, 64, 96) : undefined,
    target,
    session,
    isRemembered: isRemembered !== false,
    begun: isOidc && provider.backchannelLogout !== false ? yield* Clock.currentTimeMillis : undefined,
    host: request.url.host
  }
})

/** The cookie that remembers an attempt with what its request asks for, and the removal of those that give way to it. */
export const remember = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  flow: Flow,
  requested: RequestedSignIn = {}
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, never, AuthRequest | Seal | Settings> {
  const { endsElsewhere, nameOf, open, own, request, settings, template } = yield* surroundings(provider)
  const { redirectUri, state, target } = flow
  const isLong = target.length > longestTarget
  const isKept = CallbackUrl.isRemembered(settings, request, target)
  if (isLong && !(isKept && CallbackUrl.canonical(target, request.origin) !== undefined)) {
    yield* Effect.logWarning(
      "The address that the browser is to go to after this sign-in does not fit into its cookie, beside the others that the browser has: it is sent to the origin of the site. Let callbackUrl or callbacks.redirect name a shorter one."
    )
  }
  const record = {
    ...flow,
    id: undefined,
    isRemembered: flow.isRemembered === false ? false : undefined,
    requested,
    // Derived values are left out. The cookie of the callback URL remembers a long target, for the latest attempt.
    target: isLong ? undefined : target,
    redirectUri: redirectUri === own && !endsElsewhere ? undefined : redirectUri
  }
  const value = yield* (yield* Seal).seal(template.name, record, flowMaxAge)
  const cookie = { name: nameOf(state), value, options: template.options }
  // The oldest attempts give way. Browsers send older cookies first (RFC 6265 section 5.4).
  const remembered = isKept ? CallbackUrl.sizeInCookie(target) : 0
  const room =
    largestField - Math.max(beside, sizeBesideAttempts(settings, request)) - headerSize([cookie]) - remembered
  const pairs = open.map(([name, value]) => ({ name, value }))
  const first = pairs.findIndex((_, index) => pairs.length - index < limit && headerSize(pairs.slice(index)) <= room)
  return [...pairs.slice(0, first === -1 ? pairs.length : first).map(({ name }) => clear(template, name)), cookie]
})

/** The attempt that was started here. */
const recordedFlow = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  state: string
): Effect.fn.Return<Flow | FailureCode, InvalidCheck, AuthRequest | Seal | Settings> {
  const { endsElsewhere, nameOf, open, redirectUri, request, settings, template } = yield* surroundings(provider)
  const value = singleValueOf(request.cookies, nameOf(state))
  if (value === undefined) return open.length > 0 ? "flow_mismatch" : "flow_missing"
  const opened = yield* (yield* Seal).open(template.name, value)
  if (!opened.ok) {
    return opened.reason === "expired"
      ? "flow_expired"
      : opened.reason === "key_unknown"
        ? "flow_unknown_key"
        : "flow_mismatch"
  }
  const record = Option.getOrUndefined(decodeRecord(opened.claims))
  if (record === undefined || !equalText(record.state, state) || record.provider !== provider.id) return "flow_mismatch"
  if (record.host !== request.url.host && !endsElsewhere)
    return yield* invalid(provider.id, "flow_other_host", names(record.host, request.url.host))
  return {
    ...record,
    id: idOf(state),
    isRemembered: record.isRemembered !== false,
    redirectUri: record.redirectUri ?? redirectUri,
    target: record.target ?? CallbackUrl.remembered(settings, request)
  }
})

/** The attempt that was started by Auth.js, put together from its cookies. The removal of these comes with it. */
const legacyFlow = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  state: string | undefined
): Effect.fn.Return<Returned | FailureCode, never, AuthRequest | Seal | Settings> {
  const { redirectUri, request, settings } = yield* surroundings(provider)
  const templates = authJsAttempt(cookiesFor(settings, request.url) === settings.secureCookies)
  const { open } = yield* Seal
  const kept = Effect.fnUntraced(function* ({ name }: CookieTemplate) {
    const value = singleValueOf(request.cookies, name)
    const opened = value === undefined ? undefined : yield* open(name, value)
    if (opened?.ok !== true || opened.claims["provider"] !== provider.id) return undefined
    return typeof opened.claims["value"] === "string" ? opened.claims["value"] : undefined
  })
  const keptState = yield* kept(templates.state)
  const codeVerifier = yield* kept(templates.pkceCodeVerifier)
  const nonce = yield* kept(templates.nonce)
  // A nonce is compared with that of the ID token, which only OpenID Connect has.
  const key = keptState ?? codeVerifier ?? (provider._tag === "Oidc" ? nonce : undefined)
  if (key === undefined) return "flow_missing"
  if (keptState === undefined ? state !== undefined : !equalText(keptState, state ?? "")) return "flow_mismatch"
  return {
    flow: {
      id: idOf(key),
      provider: provider.id,
      issuer: provider.issuer,
      state: state ?? "",
      codeVerifier,
      nonce,
      redirectUri,
      target: CallbackUrl.remembered(settings, request)
    },
    cookies: Object.values(templates)
      .filter(({ name }) => request.cookies.values.has(name))
      .map((template) => clear(withForm(template, provider)))
  }
})

/** The cookies that remove an attempt which failed; none when the answer names no attempt of this browser. */
export const abandon = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  state: string | undefined
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, never, AuthRequest | Settings> {
  const { nameOf, request, template } = yield* surroundings(provider)
  return state !== undefined && request.cookies.values.has(nameOf(state)) ? [clear(template, nameOf(state))] : []
})

/** An attempt that came back; `cookies` remove what the browser kept for it. */
export interface Returned {
  readonly flow: Flow
  readonly cookies: ReadonlyArray<ResponseCookie>
}

/** Finds the attempt that an answer belongs to and marks it as used; the failure says which of the causes it was. */
export const finish = Effect.fnUntraced(function* (provider: RedirectProvider, state: string | undefined) {
  const recorded = state === undefined ? "flow_missing" : yield* recordedFlow(provider, state)
  const isElsewhere = recorded === "flow_missing" || recorded === "flow_mismatch"
  const elsewhere = isElsewhere ? yield* legacyFlow(provider, state) : "flow_missing"
  const found = elsewhere === "flow_missing" ? recorded : elsewhere
  if (typeof found === "string") return yield* invalid(provider.id, found)
  const returned: Returned = "flow" in found ? found : { flow: found, cookies: yield* abandon(provider, state) }
  const { flow } = returned
  const key = sha256(`sign-in attempt ${provider.id} ${flow.id} ${flow.state}`, "base64url")
  const until = (yield* Clock.currentTimeMillis) + recordLifetime
  return (yield* useOnce(yield* Adapter, "flow", key, until)) ? returned : yield* invalid(provider.id, "flow_used")
})

/** The callback URL that a state of this deployment asks a redirect proxy to forward to. */
export const proxiedOrigin = Effect.fnUntraced(function* (state: string): Effect.fn.Return<unknown, never, Seal> {
  const opened = yield* (yield* Seal).open(stateSalt, state)
  return opened.ok ? opened.claims["origin"] : undefined
})

/** Salt of the state parameter when a redirect proxy has to read it. */
const stateSalt = "encodedState"

/** Milliseconds after which a record would be refused as expired anyway. */
const recordLifetime = (flowMaxAge + 60) * 1000

/** Attempts that a browser may have open; the oldest go first. */
const limit = 5

/** Records of a request that are looked at. */
const most = 12

/** Characters of a target that a record holds: five such records leave room for the other cookies. */
const longestTarget = 256

/** Bytes that the cookies of the CSRF token and the callback URL take beside the address itself, and what servers may count. */
const beside = 532

/** A cookie that must come along with a cross-site form has other attributes (OAuth 2.0 Form Post Response Mode). */
const withForm = (template: CookieTemplate, { formPost }: RedirectProvider): CookieTemplate =>
  formPost ? { ...template, options: { ...template.options, sameSite: "none", secure: true } } : template

/** The end of a state is random in either of its forms. */
const idOf = (state: string): string => state.slice(-12).replace(/[^A-Za-z0-9_-]/g, "_")

const invalid = (provider: string, code: FailureCode, why = ""): InvalidCheck =>
  new InvalidCheck({ provider, code, detail: `${causes[code] ?? "The answer belongs to no open attempt"}${why}` })

const causes: { readonly [Code in FailureCode]?: string } = {
  flow_missing: "The browser holds no record of a sign-in attempt",
  flow_mismatch: "The answer belongs to another sign-in attempt",
  flow_expired: "The sign-in attempt took longer than fifteen minutes",
  flow_other_host: "The sign-in attempt was started on another host",
  flow_used: "The sign-in attempt was finished before",
  flow_unknown_key: "The sign-in attempt was sealed with a secret that is not configured"
}
