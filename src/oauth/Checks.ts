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
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Adapter } from "../storage/Storage.ts"
import { Settings, cookiesFor, sizeBesideAttempts } from "../config/Settings.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import {
  authJsAttempt,
  clear,
  type CookieOptions,
  type CookiePolicy,
  type CookieTemplate,
  flowMaxAge,
  type ResponseCookie
} from "../http/Cookie.ts"
import { type AdapterError, type FailureCode, InvalidCheck, type SharedStateError } from "../Errors.ts"
import { headerSize, largestField, singleValueOf } from "../http/CookieHeader.ts"
import { names } from "../internal/Mismatch.ts"
import * as Row from "../internal/ServiceRow.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { equalText, sha256 } from "../crypto/Sha256.ts"
import { decodeRecord, type Flow, type FlowRecord } from "./Flow.ts"
import { refusedBy } from "./Platform.ts"
import type { RequestedSignIn } from "./RequestedSignIn.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { type Opened, Seal } from "../browser/Seal.ts"
import { useOnce } from "../storage/AdapterState.ts"

/**
 * What an attempt starts with. `own` is the callback URL of this deployment, `proxied` the same where a redirect proxy must
 * forward to it, `session` names the session that asked, where accounts can be linked to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Attempt {
  readonly own: string
  readonly redirectUri: string
  readonly target: string
  readonly proxied: string | undefined
  readonly session?: string | undefined
  /** Does the session outlive the browser? Default: yes. */
  readonly isRemembered?: boolean | undefined
}

/**
 * A started attempt: the record, what goes into the authorization request, and the cookies that remember it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Started {
  readonly flow: Flow
  readonly codeChallenge: string | undefined
  /** Seals the record with what the authorization request asks for. */
  readonly cookies: (requested?: RequestedSignIn) => Effect.Effect<ReadonlyArray<ResponseCookie>>
}

/**
 * What a record leaves out, because it can be worked out again: the callback URL of the request, and where the person goes.
 *
 * @category models
 * @since 0.1.0
 */
export interface Inferred {
  readonly redirectUri: string
  readonly readTarget: () => string
}

/**
 * An attempt that came back; `cookies` remove what the browser kept for it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Returned {
  readonly flow: Flow
  readonly cookies: ReadonlyArray<ResponseCookie>
}

/**
 * Starts attempts and recognises them when they come back.
 *
 * @category services
 * @since 0.1.0
 */
export class Checks extends Context.Service<
  Checks,
  {
    /** Makes the record of a new attempt. */
    readonly start: (
      request: AuthRequest["Service"],
      provider: RedirectProvider,
      attempt: Attempt
    ) => Effect.Effect<Started>
    /** Finds the attempt that an answer belongs to and marks it as used; the failure says which of the causes it was. */
    readonly finish: (
      request: AuthRequest["Service"],
      provider: RedirectProvider,
      state: string | undefined,
      inferred: Inferred
    ) => Effect.Effect<Returned, AdapterError | InvalidCheck | SharedStateError, Adapter>
    /** The cookies that remove an attempt which failed; none when the answer names no attempt of this browser. */
    readonly abandon: (
      request: AuthRequest["Service"],
      provider: RedirectProvider,
      state: string | undefined
    ) => ReadonlyArray<ResponseCookie>
    /** The callback URL that a state of this deployment asks a redirect proxy to forward to. */
    readonly proxiedOrigin: (state: string) => Effect.Effect<string | undefined>
  }
>()("effect-doorman/oauth/Checks") {
  /**
   * Records sealed under the configured secrets.
   *
   * @since 0.1.0
   */
  static readonly make = (
    settings: Settings["Service"],
    { open, seal }: Seal["Service"],
    { randomBytes }: SecureRandom.SecureRandom["Service"]
  ): Checks["Service"] => {
    const parts: Parts = { settings, open, seal, randomBytes }
    return Checks.of({
      start: (request, provider, attempt) => start(parts, request, provider, attempt),
      finish: (request, provider, state, inferred) => finish(parts, { request, provider, inferred }, state),
      abandon: (request, provider, state) => abandon(parts, request, provider, state),
      proxiedOrigin: (state) =>
        Effect.map(open(stateSalt, state), (opened) => (opened.ok ? text(opened.claims["origin"]) : undefined))
    })
  }

  /** @internal */
  static readonly row: Row.Row<Checks, Checks["Service"], Settings | Seal | SecureRandom.SecureRandom> = Row.row(
    Checks,
    (context) =>
      Checks.make(
        Context.get(context, Settings),
        Context.get(context, Seal),
        Context.get(context, SecureRandom.SecureRandom)
      )
  )

  /** The service as a layer. @since 0.1.0 */
  static readonly layer: Layer.Layer<Checks, never, Settings | Seal | SecureRandom.SecureRandom> = Row.layer(Checks.row)
}

/** What the checks are made with. */
interface Parts {
  readonly open: Seal["Service"]["open"]
  readonly seal: Seal["Service"]["seal"]
  readonly settings: Settings["Service"]
  readonly randomBytes: SecureRandom.SecureRandom["Service"]["randomBytes"]
}

/** How the attempts at one provider are checked. */
interface Rules {
  readonly usesPkce: boolean
  readonly usesNonce: boolean
  /** Can the provider end sessions of this site? */
  readonly endsSessions: boolean
}

const rulesOf = (provider: RedirectProvider): Rules => {
  const refused = refusedBy(provider)
  return {
    usesPkce: !refused.includes("pkce"),
    usesNonce: provider._tag === "Oidc" && !refused.includes("nonce"),
    endsSessions: provider._tag === "Oidc" && provider.backchannelLogout !== false
  }
}

/** A request that brings the answer of a provider, and the time of it in milliseconds since 1970. */
interface Answered {
  readonly request: AuthRequest["Service"]
  readonly provider: RedirectProvider
  readonly inferred: Inferred
  readonly now: number
}

const policyOf = (parts: Parts, request: AuthRequest["Service"]): CookiePolicy =>
  cookiesFor(parts.settings, request.url)

/** The record of a new attempt, with the random bytes that are not in its state. */
const flowFrom = (
  { usesNonce, usesPkce }: Rules,
  provider: RedirectProvider,
  { isRemembered, redirectUri, session, target }: Attempt,
  { bytes, state }: { readonly bytes: Uint8Array; readonly state: string }
): Flow => ({
  id: idOf(state),
  provider: provider.id,
  issuer: provider.issuer,
  redirectUri,
  state,
  codeVerifier: usesPkce ? Base64Url.encode(bytes, 32, 64) : undefined,
  nonce: usesNonce ? Base64Url.encode(bytes, 64, 96) : undefined,
  target,
  session,
  isRemembered: isRemembered !== false
})

/** An attempt that begins. `now` is in milliseconds since 1970. */
interface BegunFlow {
  readonly now: number
  readonly provider: RedirectProvider
  readonly attempt: Attempt
  readonly flow: Flow
}

/**
 * The record as its cookie has it. What can be worked out again is left out, because browsers send it with every request. All members
 * stand here by name: to copy those of the flow takes Node 20 ten times as long.
 */
const recordOf = (
  { endsSessions }: Rules,
  { attempt, flow, now }: BegunFlow,
  requested: RequestedSignIn,
  { endsElsewhere, host }: { readonly endsElsewhere: boolean; readonly host: string }
): FlowRecord => ({
  provider: flow.provider,
  issuer: flow.issuer,
  state: flow.state,
  nonce: flow.nonce,
  session: flow.session,
  temp: flow.isRemembered === false ? true : undefined,
  requested,
  begun: endsSessions ? now : undefined,
  // The cookie of the callback URL remembers a long one, for the latest attempt.
  target: flow.target.length > longestTarget ? undefined : flow.target,
  value: flow.codeVerifier,
  host,
  redirectUri: flow.redirectUri === attempt.own && !endsElsewhere ? undefined : flow.redirectUri
})

/** The cookie that remembers an attempt, and the removal of those that give way to it. */
const startCookies = (
  parts: Parts,
  request: AuthRequest["Service"],
  begun: BegunFlow,
  requested: RequestedSignIn
): Effect.Effect<ReadonlyArray<ResponseCookie>> => {
  const { flow, now, provider } = begun
  const policy = policyOf(parts, request)
  const record = recordOf(rulesOf(provider), begun, requested, {
    host: request.url.host,
    endsElsewhere: policy.flow.options.domain !== undefined
  })
  const cookies = Effect.map(parts.seal(policy.flow.name, record, flowMaxAge, now), (value) => {
    const options = optionsFor(policy.flow, provider)
    const cookie: ResponseCookie = { name: flowName(policy, flow.id), value, options }
    return [...crowded(parts, request, [cookie], flow.target), cookie]
  })
  return flow.target.length > longestTarget && !isKept(parts, request, flow.target)
    ? Effect.andThen(tooLong, cookies)
    : cookies
}

/** Does the cookie of the callback URL keep this one? */
const isKept = ({ settings }: Parts, request: AuthRequest["Service"], target: string): boolean =>
  CallbackUrl.isRemembered(settings, request, target) && CallbackUrl.canonical(target, request.origin) !== undefined

const start = (
  parts: Parts,
  request: AuthRequest["Service"],
  provider: RedirectProvider,
  attempt: Attempt
): Effect.Effect<Started> =>
  Clock.clockWith((clock) => {
    const now = clock.currentTimeMillisUnsafe()
    const rules = rulesOf(provider)
    return Effect.flatMap(parts.randomBytes(rules.usesNonce ? 96 : 64), (bytes) => {
      const random = Base64Url.encode(bytes, 0, 32)
      const begun = (state: string): Started => {
        const flow = flowFrom(rules, provider, attempt, { state, bytes })
        return {
          flow,
          codeChallenge: flow.codeVerifier === undefined ? undefined : sha256(flow.codeVerifier, "base64url"),
          cookies: (requested = {}) => startCookies(parts, request, { now, provider, attempt, flow }, requested)
        }
      }
      if (parts.settings.redirectProxyUrl === undefined && provider.redirectProxyUrl === undefined)
        return Effect.succeed(begun(random))
      const claims = attempt.proxied === undefined ? { random } : { origin: attempt.proxied, random }
      return Effect.map(parts.seal(stateSalt, claims, flowMaxAge), begun)
    })
  })

/** The record of an attempt that was started here. */
const recordedFlow = Effect.fnUntracedEager(function* (
  parts: Parts,
  { inferred, now, provider, request }: Answered,
  state: string
): Effect.fn.Return<Flow | FailureCode | InvalidCheck> {
  const policy = policyOf(parts, request)
  const name = flowName(policy, idOf(state))
  const value = singleValueOf(request.cookies, name)
  if (value === undefined) return flowNames(request, policy).length > 0 ? "flow_mismatch" : "flow_missing"
  const opened = yield* parts.open(policy.flow.name, value, now)
  if (!opened.ok) return refusal(opened.reason)
  const record = Option.getOrUndefined(decodeRecord(opened.claims))
  if (record === undefined || !equalText(record.state, state) || record.provider !== provider.id) {
    return "flow_mismatch"
  }
  // With a domain the application lets an attempt end at another host of it.
  return record.host === request.url.host || policy.flow.options.domain !== undefined
    ? flowOf(record, inferred)
    : invalid(provider.id, "flow_other_host", names(record.host, request.url.host))
})

/** The record of an attempt that was started by Auth.js, put together from its cookies. */
const legacyFlow = Effect.fnUntraced(function* (
  parts: Parts,
  { inferred, provider, request }: Answered,
  state: string | undefined
): Effect.fn.Return<Flow | FailureCode> {
  const kept = Effect.fnUntraced(function* (template: CookieTemplate): Effect.fn.Return<string | undefined> {
    const value = singleValueOf(request.cookies, template.name)
    if (value === undefined) return undefined
    const opened = yield* parts.open(template.name, value)
    return opened.ok && opened.claims["provider"] === provider.id ? text(opened.claims["value"]) : undefined
  })
  const templates = legacyTemplates(parts, request)
  const keptState = yield* kept(templates.state)
  const codeVerifier = yield* kept(templates.pkceCodeVerifier)
  const nonce = yield* kept(templates.nonce)
  // A nonce is compared with that of the ID token, which only OpenID Connect has.
  const key = keptState ?? codeVerifier ?? (provider._tag === "Oidc" ? nonce : undefined)
  if (key === undefined) return "flow_missing"
  if (keptState === undefined ? state !== undefined : !equalText(keptState, state ?? "")) return "flow_mismatch"
  return {
    id: idOf(key),
    provider: provider.id,
    issuer: provider.issuer,
    state: state ?? "",
    codeVerifier,
    nonce,
    redirectUri: inferred.redirectUri,
    target: inferred.readTarget()
  }
})

/** The cookies by which Auth.js remembers an attempt. */
const legacyTemplates = (parts: Parts, request: AuthRequest["Service"]) =>
  authJsAttempt(policyOf(parts, request) === parts.settings.secureCookies)

/** Removes what Auth.js keeps of an attempt. */
const forgetLegacy = (
  parts: Parts,
  request: AuthRequest["Service"],
  provider: RedirectProvider
): ReadonlyArray<ResponseCookie> =>
  Object.values(legacyTemplates(parts, request))
    .filter(({ name }) => request.cookies.values.has(name))
    .map((template) => remove(template, provider))

const abandon = (
  parts: Parts,
  request: AuthRequest["Service"],
  provider: RedirectProvider,
  state: string | undefined
): ReadonlyArray<ResponseCookie> => {
  const policy = policyOf(parts, request)
  const mine = state === undefined ? undefined : flowName(policy, idOf(state))
  if (mine === undefined || !request.cookies.values.has(mine)) return []
  return [remove({ ...policy.flow, name: mine }, provider)]
}

/** The attempt that an answer belongs to. */
const findFlow = Effect.fnUntracedEager(function* (
  parts: Parts,
  answered: Answered,
  state: string | undefined
): Effect.fn.Return<Returned, InvalidCheck> {
  const { provider, request } = answered
  let flow: Flow | FailureCode | InvalidCheck =
    state === undefined ? "flow_missing" : yield* recordedFlow(parts, answered, state)
  let cookies = abandon(parts, request, provider, state)
  if (flow === "flow_missing" || flow === "flow_mismatch") {
    const begunElsewhere = yield* legacyFlow(parts, answered, state)
    if (typeof begunElsewhere !== "string") cookies = forgetLegacy(parts, request, provider)
    if (typeof begunElsewhere !== "string" || begunElsewhere === "flow_mismatch") flow = begunElsewhere
  }
  if (flow instanceof InvalidCheck) return yield* flow
  if (typeof flow === "string") return yield* invalid(provider.id, flow)
  return { flow, cookies }
})

const finish = (
  parts: Parts,
  answer: Omit<Answered, "now">,
  state: string | undefined
): Effect.Effect<Returned, AdapterError | InvalidCheck | SharedStateError, Adapter> =>
  Effect.contextWith((context: Context.Context<Adapter>) => {
    const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
    const { id: provider } = answer.provider
    return Effect.flatMapEager(findFlow(parts, { ...answer, now }, state), (returned) => {
      const { flow } = returned
      const key = sha256(`sign-in attempt ${provider} ${flow.id} ${flow.state}`, "base64url")
      return Effect.flatMap(useOnce(Context.get(context, Adapter), "flow", key, now + recordLifetime), (isFirst) =>
        isFirst ? Effect.succeed(returned) : Effect.fail(invalid(provider, "flow_used"))
      )
    })
  })

/** Salt of the state parameter when a redirect proxy has to read it. */
const stateSalt = "encodedState"

/** Milliseconds after which a record would be refused as expired anyway. */
const recordLifetime = (flowMaxAge + 60) * 1000

/** Attempts that a browser may have open; the oldest go first. */
const limit = 5

/** Characters of a target that a record holds: five such records leave room for the other cookies. */
const longestTarget = 256

/** The operator learns of it, and the visitor gets on to the site. */
const tooLong = Effect.logWarning(
  "The address that the browser is to go to after this sign-in does not fit into its cookie, beside the others that the browser has: it is sent to the origin of the site. Let callbackUrl or callbacks.redirect name a shorter one."
)

/** Attributes of a cookie: those that must come along with a cross-site form (OAuth 2.0 Form Post Response Mode) have others. */
const optionsFor = ({ options }: CookieTemplate, { formPost }: RedirectProvider): CookieOptions =>
  formPost ? { ...options, sameSite: "none", secure: true } : options

/** Removes a cookie of an attempt, with the attributes it was set with. */
const remove = (template: CookieTemplate, provider: RedirectProvider): ResponseCookie =>
  clear({ ...template, options: optionsFor(template, provider) })

/** The end of a state is random in either of its forms. */
const idOf = (state: string): string => state.slice(-12).replace(/[^A-Za-z0-9_-]/g, "_")

/** Records of a request that are looked at, and removed, at once. */
const most = 12

const flowName = (policy: CookiePolicy, id: string): string => `${policy.flow.name}.${id}`

const flowNames = (request: AuthRequest["Service"], policy: CookiePolicy): ReadonlyArray<string> => {
  const names: Array<string> = []
  const prefix = `${policy.flow.name}.`
  for (const name of request.cookies.values.keys()) if (name.startsWith(prefix) && names.length < most) names.push(name)
  return names
}

/** Bytes that the cookies of the CSRF token and the callback URL take beside the address itself, and what servers may count. */
const beside = 532

/**
 * The oldest attempts, which give way to a new one with these cookies and this target. Browsers send older cookies first (RFC
 * 6265 section 5.4); the order decides only which attempt is forgotten.
 */
const crowded = (
  parts: Parts,
  request: AuthRequest["Service"],
  cookies: ReadonlyArray<ResponseCookie>,
  target: string
): ReadonlyArray<ResponseCookie> => {
  const policy = policyOf(parts, request)
  const open = flowNames(request, policy).map((name) => ({ name, value: request.cookies.values.get(name) ?? "" }))
  if (open.length === 0) return []
  const remembered = CallbackUrl.isRemembered(parts.settings, request, target) ? CallbackUrl.sizeInCookie(target) : 0
  const size = headerSize(cookies) + remembered
  const room = largestField - Math.max(beside, sizeBesideAttempts(parts.settings, request)) - size
  const first = open.findIndex((_, index) => open.length - index < limit && headerSize(open.slice(index)) <= room)
  return open.slice(0, first === -1 ? open.length : first).map(({ name }) => clear(policy.flow, name))
}

const refusal = (reason: Extract<Opened, { readonly ok: false }>["reason"]): FailureCode =>
  reason === "expired" ? "flow_expired" : reason === "key_unknown" ? "flow_unknown_key" : "flow_mismatch"

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The attempt of a record. What could be worked out again is not in it. */
const flowOf = (record: FlowRecord, inferred: Inferred): Flow => ({
  id: idOf(record.state),
  provider: record.provider,
  issuer: record.issuer,
  redirectUri: record.redirectUri ?? inferred.redirectUri,
  state: record.state,
  codeVerifier: record.value,
  nonce: record.nonce,
  target: record.target ?? inferred.readTarget(),
  requested: record.requested,
  session: record.session,
  isRemembered: record.temp !== true,
  ...(record.begun === undefined ? {} : { begun: record.begun })
})

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
