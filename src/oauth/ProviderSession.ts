/**
 * The record of a sign-in's session at its provider, so that the two end together, and the tokens for a site without a store.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import { headerSize, writeCookie } from "../http/CookieHeader.ts"
import { type ResponseCookie, set } from "../http/Cookie.ts"
import type { Account, User } from "../Models.ts"
import { type AuthError, OAuthCallbackError } from "../Errors.ts"
import type { SignedIdToken } from "./Profiles.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { asUserId } from "../models/Id.ts"
import { Seal } from "../browser/Seal.ts"
import { lifeOf, remember } from "../session/ProviderSessions.ts"
import type { SessionServices, SiteSession } from "../session/SessionStore.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"
import { forgetProviderTokens } from "../session/SignOutCookie.ts"
import type { Adapter } from "../storage/Storage.ts"
import { keepIdToken } from "./ProviderLogout.ts"
import { readClaims } from "./SignedToken.ts"

/** A sign-in's facts about the session at its provider. */
interface SignedInAtProvider {
  readonly provider: RedirectProvider
  readonly idToken: SignedIdToken | undefined
  /** When the browser was sent there, in milliseconds since 1970. */
  readonly begun: number
  /** The account as a store would get it, where a cookie keeps its tokens. */
  readonly linked: Effect.Effect<Account, AuthError> | undefined
}

/**
 * Keeps, in `room` bytes of cookies, what the options ask for: the tokens, and which session of this site belongs to which one at the
 * provider. The tokens come first: without the ID token the provider asks the user at a logout. Fails where the provider has ended
 * its session meanwhile.
 */
export const keepSession = Effect.fnUntraced(function* (
  { begun, idToken, linked, provider }: SignedInAtProvider,
  session: SiteSession,
  room: number,
  user: User
): Effect.fn.Return<
  ReadonlyArray<ResponseCookie>,
  AuthError,
  Adapter | AuthRequest | SessionServices | Settings | Seal
> {
  const owner = { id: session.id, userId: session.userId, client: provider.clientId }
  const tokens = linked === undefined ? [] : yield* writeTokens(owner, { ...(yield* linked), userId: user.id }, room)
  if (provider._tag !== "Oidc" || idToken === undefined) return tokens
  const { sid, sub } = idToken.claims
  if (provider.backchannelLogout !== false) {
    const at = {
      provider: provider.id,
      issuer: idToken.issuer,
      sub: typeof sub === "string" ? sub : undefined,
      sid: typeof sid === "string" ? sid : undefined
    }
    if (!(yield* remember(at, session, begun))) {
      return yield* new OAuthCallbackError({
        provider: provider.id,
        code: "login_required",
        detail: "The provider ended the session while the sign-in went on"
      })
    }
  }
  if (provider.logout === undefined) return tokens
  return [...(yield* keepIdToken(provider, idToken, session.id, room - headerSize(tokens))), ...tokens]
})

const optionalText = Schema.optional(Schema.String)

/** The claims of a cookie with tokens: its user in a session, its client of the provider, and what is kept of the account. */
const decodeCookie = Schema.decodeUnknownOption(
  Schema.Struct({
    session: Schema.String,
    user: Schema.String,
    client: Schema.String,
    /** The id of the user in the store, where it differs: `callbacks.jwt` chooses the `sub` of a session. */
    accountUser: optionalText,
    account: Schema.Struct({
      provider: Schema.String,
      providerAccountId: Schema.String,
      access_token: optionalText,
      refresh_token: optionalText,
      id_token: optionalText,
      scope: optionalText,
      token_type: Schema.Literals(["bearer", "dpop"]),
      expires_at: Schema.optional(Schema.Number)
    })
  })
)

/**
 * The owner of a cookie with tokens: a user in a session, at a client of the provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenOwner extends Pick<SiteSession, "id" | "userId"> {
  readonly client: string
}

/** Claims of the ID token of a sign-in that a refresh compares (`IdToken.refreshFault`), and what chooses the issuer. */
const compared = ["iss", "sub", "nonce", "iat", "auth_time", "tid"]

/** An ID token with these claims alone, and without its signature, which a refresh does not verify. An encrypted one stays whole. */
const withComparedClaims = (idToken: string): string => {
  const claims = readClaims(idToken)
  const [header, , , ...more] = idToken.split(".")
  if (claims === undefined || header === undefined || more.length > 0) return idToken
  const few = Object.fromEntries(Object.entries(claims).filter(([name]) => compared.includes(name)))
  return `${header}.${Base64Url.encode(new TextEncoder().encode(JSON.stringify(few)))}.`
}

/**
 * The cookies that keep the tokens of an account for a session. Tokens that take more than `room` bytes are not kept. The user of
 * the session may have another id than `account.userId`, that in the store: `callbacks.jwt` chooses the `sub` of a session.
 *
 * @category constructors
 * @since 0.1.0
 */
export const writeTokens = Effect.fnUntraced(function* (
  { client, id, userId }: TokenOwner,
  account: Account,
  room: number
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, never, AuthRequest | Seal | Settings> {
  const settings = yield* Settings
  const request = yield* AuthRequest
  const template = cookiesFor(settings, request.url).providerTokens
  const maxAge = lifeOf(settings)
  const { access_token, expires_at, id_token, provider, providerAccountId, refresh_token, scope, token_type } = account
  const claims = {
    session: id,
    user: userId,
    client,
    accountUser: account.userId === userId ? undefined : account.userId,
    account: {
      provider,
      providerAccountId,
      access_token,
      refresh_token,
      id_token: id_token && withComparedClaims(id_token),
      scope,
      token_type: token_type === "dpop" ? "dpop" : "bearer",
      expires_at
    }
  }
  const sealed = yield* (yield* Seal).seal(template.name, claims, maxAge)
  const written = writeCookie(template.name, sealed)
  const size = written.ok ? headerSize(written.cookies) : written.size
  const isKept = written.ok && size <= room
  const cookies = isKept ? written.cookies.map(({ name, value }) => set({ ...template, name }, value, { maxAge })) : []
  if (!isKept) {
    yield* Effect.logWarning(
      `The tokens of ${account.provider} are not kept in a cookie: they take ${size} bytes, and the session and the other cookies leave ${Math.max(0, room)}`
    )
  }
  return [...forgetProviderTokens(settings, request, cookies), ...cookies]
})

/**
 * The account of a cookie that was written for this owner, with the id that its user had in the store at the sign-in.
 *
 * @category combinators
 * @since 0.1.0
 */
export const openTokens = Effect.fnUntraced(function* (
  candidates: ReadonlyArray<string>,
  name: string,
  { client, id, userId }: TokenOwner
) {
  const { open } = yield* Seal
  for (const candidate of candidates) {
    const opened = yield* open(name, candidate)
    const kept = opened.ok ? Option.getOrUndefined(decodeCookie(opened.claims)) : undefined
    if (kept?.session === id && kept.user === userId && kept.client === client) {
      return { ...kept.account, userId: asUserId(kept.accountUser ?? kept.user) }
    }
  }
  return undefined
})
