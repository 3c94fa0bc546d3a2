/**
 * The end of a sign-in at a provider: the person comes back, the attempt is recognised, the provider's answer becomes a
 * session.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { newUserId, storage } from "../storage/Storage.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest, field, isPrefetch } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { addCookies, FailureWithCookies } from "../http/AuthResponse.ts"
import { complete, type SignInServices, type VerifiedSignIn } from "../signin/CompleteSignIn.ts"
import { openToken } from "../session/SessionOwner.ts"
import { currentUser } from "../session/CurrentUser.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { Checks } from "./Checks.ts"
import { headerSize } from "../http/CookieHeader.ts"
import { flowMaxAge, type ResponseCookie } from "../http/Cookie.ts"
import { type AuthError, CallbackRouteError, InvalidCheck, MethodNotAllowed } from "../Errors.ts"
import { askNow } from "../internal/Answer.ts"
import type { Account, TokenSet } from "../Models.ts"
import { type AuthorizationAnswer, OAuthClient, type SignedIn } from "./OAuthClient.ts"
import { readUnverified } from "./AuthorizationResponse.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { lazily } from "../internal/Lazily.ts"
import { ofClaims } from "../session/Authentication.ts"
import { callbackAddress } from "./CallbackAddress.ts"
import { useOnce } from "../storage/AdapterState.ts"

/** What the action needs. */
type Services = Checks | OAuthClient | SignInServices

/**
 * `GET callback/‹provider›`, or POST for providers with `response_mode=form_post`. Fails together with the cookies that
 * remove what the browser kept for the attempt.
 *
 * @category actions
 * @since 0.1.0
 */
export const finishSignIn = (
  provider: RedirectProvider
): Effect.Effect<AuthResponse.AuthResponse, FailureWithCookies, Services> =>
  Effect.contextWith((context: Context.Context<Services>) => finishIn(context, provider))

const finishIn = Effect.fnUntraced(function* (
  context: Context.Context<Services>,
  provider: RedirectProvider
): Effect.fn.Return<AuthResponse.AuthResponse, FailureWithCookies, Services> {
  const request = Context.get(context, AuthRequest)
  if (isPrefetch(request)) return AuthResponse.empty(204)
  const expected = provider.formPost ? "POST" : "GET"
  if (request.method !== expected) {
    const failure = new MethodNotAllowed({
      allow: expected,
      provider: provider.id,
      detail: `The answer of this provider comes by ${expected}`
    })
    return yield* new FailureWithCookies({ failure, cookies: [] })
  }
  const arrived = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
  const checks = Context.get(context, Checks)
  const parameters = parametersOf(request)
  const claimed = provider.jwtResponse ? readUnverified(parameters) : parameters
  const states = claimed.getAll("state")
  const state = states.length === 1 ? states[0] : undefined
  const settings = Context.get(context, Settings)
  const { redirectUri } = callbackAddress(settings, request, provider)
  if (provider.redirectProxyUrl !== undefined && state !== undefined) {
    const forward = yield* Effect.mapError(
      forwarding(context, provider.redirectProxyUrl, { provider, state, parameters }),
      addCookies([])
    )
    if (forward !== undefined) return AuthResponse.redirect(forward)
  }
  const abandoned = (failure: AuthError): FailureWithCookies =>
    new FailureWithCookies({ failure, cookies: checks.abandon(request, provider, state) })
  if (states.length > 1) {
    return yield* abandoned(new InvalidCheck({ provider: provider.id, code: "flow_mismatch", detail: "Two states" }))
  }
  // The address never comes from the provider's answer.
  const legacy = { redirectUri, readTarget: () => CallbackUrl.remembered(settings, request) }
  const returned = yield* Effect.result(checks.finish(request, provider, state, legacy))
  if (Result.isFailure(returned)) {
    const { failure } = returned
    return failure._tag === "InvalidCheck" && (yield* isBack(failure, claimed))
      ? AuthResponse.redirect(request.origin, checks.abandon(request, provider, state))
      : yield* abandoned(failure)
  }
  const { cookies, flow } = returned.success
  const returning = { parameters, flow, begun: flow.begun ?? arrived }
  return yield* Effect.mapError(signInWith(context, provider, returning, cookies), addCookies(cookies))
})

/** Signs the person in whom the answer of the provider is about. */
const signInWith = Effect.fnUntraced(function* (
  context: Context.Context<Services>,
  provider: RedirectProvider,
  answer: AuthorizationAnswer & { readonly begun: number },
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> {
  const { begun, flow } = answer
  const signedIn = yield* Context.get(context, OAuthClient).exchange(provider, answer)
  const { account, profile, tokens } = signedIn
  const linked = Effect.suspend(() => linkedAccount(provider, account, tokens))
  const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
  const { providerTokens } = Context.get(context, Settings)
  const verifiedSignIn = {
    // The provider's id stays in the account: two providers may give the same id to two users.
    user: Object.assign({}, signedIn.user, { id: yield* newUserId }),
    account,
    linked,
    profile,
    proof: proofOf(signedIn),
    authentication: ofClaims(signedIn.idToken?.claims ?? {}, now),
    trusting: provider.allowDangerousEmailAccountLinking,
    startedBy: flow.session,
    isRemembered: flow.isRemembered,
    rememberSession: remembering(
      rememberSession(provider, signedIn, begun),
      providerTokens === "cookie" ? rememberTokens(linked, provider.clientId) : undefined
    )
  }
  // The record is sealed: it holds what the application answered when the sign-in began.
  const target = yield* CallbackUrl.allow(context, Context.get(context, AuthRequest), flow.target)
  return yield* complete(verifiedSignIn, target, cookies)
})

/** What the store keeps of an account: the provider's id of the person, and of the tokens what `account` picks. */
const linkedAccount = (
  provider: RedirectProvider,
  { providerAccountId, type }: Account,
  tokens: TokenSet
): Effect.Effect<Account, CallbackRouteError> =>
  askNow("account", () => provider.account(tokens), tokens).pipe(
    Effect.mapError(
      (cause) => new CallbackRouteError({ detail: "account() of the provider failed", provider: provider.id, cause })
    ),
    Effect.map((kept) => {
      // Whose account it is, the store says.
      const { userId: _, ...picked } = kept ?? {}
      return { ...picked, provider: provider.id, type, providerAccountId }
    })
  )

type RememberSession = NonNullable<VerifiedSignIn["rememberSession"]>

/** Loaded with the first sign-in of which more is kept than the session. */
const sessionAtProvider = lazily(() => import("./ProviderSession.ts"))

/** Remembers the session at the provider, where an option says that the two end together. */
const rememberSession = (
  provider: RedirectProvider,
  { idToken }: SignedIn,
  begun: number
): VerifiedSignIn["rememberSession"] =>
  provider._tag === "Oidc" &&
  idToken !== undefined &&
  (provider.logout !== undefined || provider.backchannelLogout !== false)
    ? (session, room) =>
        Effect.flatMap(sessionAtProvider, ({ begin }) => begin({ provider, idToken, begun }, session, room))
    : undefined

/** Makes the cookie of the tokens that a store would get. */
const rememberTokens =
  (linked: Effect.Effect<Account, CallbackRouteError>, client: string): RememberSession =>
  ({ id, userId }, room, user) =>
    Effect.flatMap(linked, (account) =>
      Effect.flatMap(sessionAtProvider, ({ writeTokens }) =>
        writeTokens({ id, userId, client }, { ...account, userId: user.id }, room)
      )
    )

/** Both, where there are both. The tokens come first: without the ID token the provider asks the user at a logout. */
const remembering = (
  session: VerifiedSignIn["rememberSession"],
  tokens: VerifiedSignIn["rememberSession"]
): VerifiedSignIn["rememberSession"] =>
  session === undefined || tokens === undefined
    ? (session ?? tokens)
    : (begun, room, user) =>
        Effect.flatMap(tokens(begun, room, user), (kept) =>
          Effect.map(session(begun, room - headerSize(kept), user), (others) => [...others, ...kept])
        )

/** Does the provider assert that the address is verified? */
const proofOf = ({ emailDenied, emailVerified }: SignedIn): "proven" | "claimed" | "denied" =>
  emailVerified ? "proven" : emailDenied ? "denied" : "claimed"

/** Did a user who is signed in press the back button? The library redirects them to the site instead of showing an error. */
const isBack = Effect.fnUntraced(function* ({ code }: InvalidCheck, parameters: URLSearchParams) {
  if ((code !== "flow_missing" && code !== "flow_used") || !parameters.has("code") || !parameters.has("state"))
    return false
  const token = yield* openToken(yield* AuthRequest)
  if (token !== undefined) return token._tag === "Valid"
  const adapter = yield* storage
  if (adapter === undefined) return false
  return (yield* Effect.option(currentUser(adapter))).pipe(Option.exists((current) => current !== undefined))
})

const parametersOf = (request: AuthRequest["Service"]): URLSearchParams => {
  if (request.method === "GET") return request.url.searchParams
  const parameters = new URLSearchParams()
  for (const name of Object.keys(request.body ?? {})) {
    const value = field(request, name)
    if (value !== undefined) parameters.append(name, value)
  }
  return parameters
}

/** On a redirect proxy: the deployment that an answer belongs to, with all parameters; once for every attempt. */
const forwarding = Effect.fnUntraced(function* (
  context: Context.Context<Services>,
  proxy: string,
  {
    parameters,
    provider,
    state
  }: { readonly provider: RedirectProvider; readonly state: string; readonly parameters: URLSearchParams }
) {
  const request = Context.get(context, AuthRequest)
  if (new URL(proxy).origin !== request.origin) return undefined
  const origin = yield* Context.get(context, Checks).proxiedOrigin(state)
  if (origin === undefined || !URL.canParse(origin)) return undefined
  const url = new URL(origin)
  if (url.origin === request.origin || !/^https?:$/.test(url.protocol)) return undefined
  // An answer at the address of one provider is never taken to another's (RFC 9700 section 4.4.2.2).
  if (!url.pathname.endsWith(`/callback/${provider.id}`)) return undefined
  if (!Context.get(context, Settings).redirectProxyOrigins(url.origin)) return undefined
  const until = Context.get(context, Clock.Clock).currentTimeMillisUnsafe() + flowMaxAge * 1000
  // The end of a sealed state is its authentication tag: no other state has it.
  const isFirst = yield* useOnce(undefined, "forwarding", state.slice(-64), until)
  return isFirst ? `${url.origin}${url.pathname}?${parameters.toString()}` : undefined
})
