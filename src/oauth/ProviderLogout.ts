/**
 * Signing out at the provider as well (OpenID Connect RP-Initiated Logout 1.0).
 *
 * The ID token of the session waits in a sealed cookie of its own, which browsers send to the sign-out alone
 * (docs/decisions/provider-logout.md). A sign-out ends the session of this site first, and then goes on to the provider; the
 * provider sends the browser back to `signout/‹provider›`, where a sealed record of one use says where it goes.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AuthRequest, field, isPrefetch } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { clear, flowMaxAge, type ResponseCookie, set } from "../http/Cookie.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { chunkLength, headerSize, readCookie, reserve } from "../http/CookieHeader.ts"
import { equalText, sha256 } from "../crypto/Sha256.ts"
import type { SignedIdToken } from "./Profiles.ts"
import { OAuthClient } from "./OAuthClient.ts"
import type { OidcProvider } from "../Provider/internal/Provider.ts"
import { Seal } from "../browser/Seal.ts"
import { Settings } from "../config/Settings.ts"
import { ofSignOut } from "../session/SignOutCookie.ts"
import { lifeOf } from "../session/ProviderSessions.ts"
import { useOnce } from "../storage/AdapterState.ts"
import { type Adapter, storage } from "../storage/Storage.ts"
import { report } from "../telemetry/Report.ts"

/** The ID token of a session, as its cookie has it. A token without room is left out. */
const KeptToken = Schema.Struct({
  provider: Schema.String,
  session: Schema.String,
  token: Schema.optional(Schema.String)
})

/** A logout that the browser comes back from. */
const LogoutRecord = Schema.Struct({ provider: Schema.String, state: Schema.String, target: Schema.String })

const decodeToken = Schema.decodeUnknownOption(KeptToken)
const decodeRecord = Schema.decodeUnknownOption(LogoutRecord)

/**
 * The cookie that keeps the ID token of a session: one, and at most `room` bytes, because requests to the sign-out show it beside
 * all others. Without the token it names the provider, which then asks the user, where a request has room for that.
 *
 * @category constructors
 * @since 0.1.0
 */
export const keepIdToken = Effect.fnUntraced(function* (
  { id: provider }: OidcProvider,
  { text }: SignedIdToken,
  session: string,
  room: number
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, never, AuthRequest | Settings | Seal> {
  const settings = yield* Settings
  const template = ofSignOut(settings, yield* AuthRequest, "idToken")
  const maxAge = lifeOf(settings)
  const { seal } = yield* Seal
  const value = yield* seal(template.name, { provider, session, token: text }, maxAge)
  const largest = Math.min(chunkLength, room - template.name.length - "=; ".length)
  if (value.length <= largest) return [set(template, value, { maxAge })]
  const named = set(template, yield* seal(template.name, { provider, session }, maxAge), { maxAge })
  const isNamed = headerSize([named]) <= room + reserve
  yield* Effect.logWarning(
    `The ID token of ${provider} is not kept for a logout there: it takes ${value.length} bytes, and a cookie beside the others ${Math.max(0, largest)}${isNamed ? "" : ". The name of the provider has no room either"}`
  )
  return [isNamed ? named : clear(template)]
})

/**
 * The end of a sign-out that ended a session here: the browser goes on to the provider, or to `target`. Where a sign-out at the
 * provider was asked for and is not possible, the address has the parameter `logout=local`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const goOn = Effect.fnUntraced(function* (
  session: string | undefined,
  target: string,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  never,
  AuthRequest | OAuthClient | Seal | SecureRandom.SecureRandom | Settings
> {
  const request = yield* AuthRequest
  const settings = yield* Settings
  const template = ofSignOut(settings, request, "idToken")
  const { candidates, names } = readCookie(request.cookies, template.name)
  const forgotten = [...cookies, ...names.map((name) => clear(template, name))]
  const { open, seal } = yield* Seal
  // The ID token of a session that a later sign-in replaced must not sign a user out.
  let kept: typeof KeptToken.Type | undefined
  for (const candidate of candidates) {
    const opened = yield* open(template.name, candidate)
    const token = opened.ok ? Option.getOrUndefined(decodeToken(opened.claims)) : undefined
    if (token?.session === session) kept ??= token
  }
  const provider = kept === undefined ? undefined : logoutProvider(settings, kept.provider)
  const wanted = field(request, "logout") ?? provider?.logout
  if (wanted !== "provider") return AuthResponse.redirect(target, forgotten)
  if (kept === undefined || provider === undefined) return AuthResponse.redirect(notThere(target), forgotten)
  const state = Base64Url.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(32))
  const { endSessionUrl } = yield* OAuthClient
  const url = yield* Effect.result(
    endSessionUrl(provider, {
      idTokenHint: kept.token === undefined ? undefined : Redacted.make(kept.token, { label: "idToken" }),
      returnTo: `${request.origin}${settings.basePath}/signout/${provider.id}`,
      state
    })
  )
  if (Result.isFailure(url)) yield* report(url.failure)
  const address = Result.getOrUndefined(url)
  if (address === undefined) return AuthResponse.redirect(notThere(target), forgotten)
  const record = ofSignOut(settings, request, "logout")
  const sealed = yield* seal(record.name, { provider: provider.id, state, target }, flowMaxAge)
  return AuthResponse.redirect(address, [...forgotten, set(record, sealed, { maxAge: flowMaxAge })])
})

/** Says that the session at the provider goes on. */
const notThere = (target: string): string => {
  const url = new URL(target)
  url.searchParams.set("logout", "local")
  return url.href
}

/** The provider of an id, where it has the option. */
const logoutProvider = ({ providers }: Settings["Service"], id: string): OidcProvider | undefined => {
  const provider = Result.getOrUndefined(providers.get(id))
  return provider?._tag === "Oidc" && provider.logout !== undefined ? provider : undefined
}

/** A store that cannot answer counts as a replay: the browser goes to the start page. */
const isFirst = Effect.fnUntraced(function* (state: string) {
  const until = (yield* Clock.currentTimeMillis) + flowMaxAge * 1000
  const key = sha256(`logout ${state}`, "base64url")
  return yield* Effect.catch(useOnce(yield* storage, "logout", key, until), (failure) =>
    Effect.as(report(failure), false)
  )
})

/**
 * `GET signout/‹provider›`: the browser comes back from a logout at the provider. Without the record of one, or with another
 * state, it goes to the start page of the site.
 *
 * @category actions
 * @since 0.1.0
 */
export const returned = Effect.fnUntraced(function* (
  provider: OidcProvider
): Effect.fn.Return<AuthResponse.AuthResponse, never, Adapter | AuthRequest | Seal | Settings> {
  const request = yield* AuthRequest
  if (isPrefetch(request)) return AuthResponse.empty(204)
  const template = ofSignOut(yield* Settings, request, "logout")
  const { conflicts, values } = request.cookies
  const sealed = conflicts?.has(template.name) === true ? undefined : values.get(template.name)
  const cookies = values.has(template.name) ? [clear(template)] : []
  const opened = sealed === undefined ? undefined : yield* (yield* Seal).open(template.name, sealed)
  const record = opened?.ok === true ? Option.getOrUndefined(decodeRecord(opened.claims)) : undefined
  const states = request.url.searchParams.getAll("state")
  const isOwn =
    record !== undefined &&
    record.provider === provider.id &&
    states.length === 1 &&
    equalText(states[0] ?? "", record.state) &&
    (yield* isFirst(record.state))
  return AuthResponse.redirect(isOwn ? record.target : request.origin, cookies)
})
