/**
 * The end of a sign-in at a provider: the person comes back, the attempt is recognised, the provider's answer becomes a
 * session.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { newUserId, storage } from "../storage/Storage.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest, field, isPrefetch } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { addCookies, type FailureWithCookies } from "../http/AuthResponse.ts"
import { complete, type SignInServices, type VerifiedSignIn } from "../signin/CompleteSignIn.ts"
import { openToken } from "../session/SessionOwner.ts"
import { currentUser } from "../session/CurrentUser.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import * as Checks from "./Checks.ts"
import { flowMaxAge, type ResponseCookie } from "../http/Cookie.ts"
import { type AuthError, CallbackRouteError, InvalidCheck, MethodNotAllowed } from "../Errors.ts"
import { askNow } from "../internal/Answer.ts"
import type { Account, TokenSet } from "../Models.ts"
import { OAuthClient } from "./OAuthClient.ts"
import type { SignedIn } from "./Profiles.ts"
import type { AuthorizationAnswer } from "./ProviderAnswers.ts"
import { readUnverified } from "./AuthorizationResponse.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { lazily } from "../internal/Lazily.ts"
import { ofClaims } from "../session/Authentication.ts"
import { useOnce } from "../storage/AdapterState.ts"

/**
 * `GET callback/‹provider›`, or POST for providers with `response_mode=form_post`. Fails together with the cookies that
 * remove what the browser kept for the attempt.
 *
 * @category actions
 * @since 0.1.0
 */
export const finishSignIn = Effect.fnUntraced(function* (
  provider: RedirectProvider
): Effect.fn.Return<AuthResponse.AuthResponse, FailureWithCookies, OAuthClient | SignInServices> {
  const request = yield* AuthRequest
  if (isPrefetch(request)) return AuthResponse.empty(204)
  const allow = provider.formPost ? "POST" : "GET"
  if (request.method !== allow) {
    const detail = `The answer of this provider comes by ${allow}`
    return yield* addCookies([])(new MethodNotAllowed({ allow, provider: provider.id, detail }))
  }
  const arrived = yield* Clock.currentTimeMillis
  const parameters = parametersOf(request)
  const claimed = provider.jwtResponse ? readUnverified(parameters) : parameters
  const states = claimed.getAll("state")
  const state = states.length === 1 ? states[0] : undefined
  const forward = yield* Effect.mapError(forwarding(provider, state, parameters), addCookies([]))
  if (forward !== undefined) return AuthResponse.redirect(forward)
  const removal = yield* Checks.abandon(provider, state)
  if (states.length > 1) {
    const failure = new InvalidCheck({ provider: provider.id, code: "flow_mismatch", detail: "Two states" })
    return yield* addCookies(removal)(failure)
  }
  // The address never comes from the provider's answer.
  const returned = yield* Effect.result(Checks.finish(provider, state))
  if (Result.isFailure(returned)) {
    const { failure } = returned
    return failure._tag === "InvalidCheck" && (yield* isBack(failure, claimed))
      ? AuthResponse.redirect(request.origin, removal)
      : yield* addCookies(removal)(failure)
  }
  const { cookies, flow } = returned.success
  return yield* Effect.mapError(
    signInWith(provider, { parameters, flow }, flow.begun ?? arrived, cookies),
    addCookies(cookies)
  )
})

/** Loaded with the first sign-in of which more is kept than the session. */
const sessionAtProvider = lazily(() => import("./ProviderSession.ts"))

/** Signs the person in whom the answer of the provider is about. */
const signInWith = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  answer: AuthorizationAnswer,
  begun: number,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, OAuthClient | SignInServices> {
  const { flow } = answer
  const signedIn = yield* (yield* OAuthClient).exchange(provider, answer)
  const { account, idToken, profile, tokens } = signedIn
  const linked = Effect.suspend(() => linkedAccount(provider, account, tokens))
  const keepsTokens = (yield* Settings).providerTokens === "cookie"
  const keepsSession =
    provider._tag === "Oidc" &&
    idToken !== undefined &&
    (provider.logout !== undefined || provider.backchannelLogout !== false)
  const atProvider = { provider, idToken, begun, linked: keepsTokens ? linked : undefined }
  const verifiedSignIn: VerifiedSignIn = {
    // The provider's id stays in the account: two providers may give the same id to two users.
    user: Object.assign({}, signedIn.user, { id: yield* newUserId }),
    account,
    linked,
    profile,
    proof: proofOf(signedIn),
    authentication: ofClaims(idToken?.claims ?? {}, yield* Clock.currentTimeMillis),
    trusting: provider.allowDangerousEmailAccountLinking,
    startedBy: flow.session,
    isRemembered: flow.isRemembered,
    rememberSession:
      keepsTokens || keepsSession
        ? (session, room, user) =>
            Effect.flatMap(sessionAtProvider, ({ keepSession }) => keepSession(atProvider, session, room, user))
        : undefined
  }
  // The record is sealed: it holds what the application answered when the sign-in began.
  const target = yield* CallbackUrl.allow(yield* Effect.context<SignInServices>(), yield* AuthRequest, flow.target)
  return yield* complete(verifiedSignIn, target, cookies)
})

/** The account for the store: the provider's id of the person, and the tokens that `account` picks. */
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
  { id, redirectProxyUrl: proxy }: RedirectProvider,
  state: string | undefined,
  parameters: URLSearchParams
) {
  const request = yield* AuthRequest
  if (proxy === undefined || state === undefined || new URL(proxy).origin !== request.origin) return undefined
  const origin = yield* Checks.proxiedOrigin(state)
  if (typeof origin !== "string" || !URL.canParse(origin)) return undefined
  const url = new URL(origin)
  if (url.origin === request.origin || !/^https?:$/.test(url.protocol)) return undefined
  // An answer at the address of one provider is never taken to another's (RFC 9700 section 4.4.2.2).
  if (!url.pathname.endsWith(`/callback/${id}`) || !(yield* Settings).redirectProxyOrigins(url.origin)) return undefined
  const until = (yield* Clock.currentTimeMillis) + flowMaxAge * 1000
  // The end of a sealed state is its authentication tag: no other state has it.
  const isFirst = yield* useOnce(undefined, "forwarding", state.slice(-64), until)
  return isFirst ? `${url.origin}${url.pathname}?${parameters.toString()}` : undefined
})
