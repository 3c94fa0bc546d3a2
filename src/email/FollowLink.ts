/**
 * A person follows a sign-in link.
 *
 * Programs look at the links of a mail before a person does, so a visit uses nothing up: it shows a page that names the
 * account and has one button. In the browser that asked for the link the page submits its form itself, unless another user
 * is signed in there. The form is sent by POST and uses the link; of concurrent requests one succeeds. A provider with
 * `consumeOn: "get"` does that at the visit.
 *
 * The link is used in the transaction that creates the session. On a store without transactions the token is taken out first
 * and goes back when the sign-in fails for a reason that is not the person's. Either way the same link then works again.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { type Adapter, newUserId } from "../storage/Storage.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest, isPrefetch } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { addCookies, failureOf, type FailureWithCookies } from "../http/AuthResponse.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { Csrf } from "../browser/Csrf.ts"
import { inOwnScript, isSame } from "../models/EmailAddress.ts"
import { type AdapterError, type AuthError, Verification } from "../Errors.ts"
import { ifKnows, knownBrowser } from "../browser/KnownBrowser.ts"
import { forgetMails, spendCode } from "../signin/Limits.ts"
import type { VerificationToken } from "../Models.ts"
import { PageRenderer } from "../Pages.ts"
import { frame } from "../pages/Frame.ts"
import type { EmailProvider } from "../Provider/internal/Provider.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { preview } from "../storage/Unit.ts"
import { guard } from "../session/CsrfGuard.ts"
import { openToken, subjectOf } from "../session/SessionOwner.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import { type AddressProof, forgetProof, heldProof, useProof } from "../signin/AddressChoice.ts"
import type { Attempt, OneTimeUse } from "../signin/ResolveUser.ts"
import { complete, type SignInServices } from "../signin/CompleteSignIn.ts"
import { authenticatedNow } from "../session/Authentication.ts"
import { currentUser } from "../session/CurrentUser.ts"
import {
  addressKey,
  askedHere,
  askedLink,
  forgetLink,
  type Link,
  linkOf,
  mailboxKey,
  type RememberedLink,
  storedTokens
} from "./Link.ts"
import { attemptOf, canRecord, orRepeat, runToEnd } from "./OneTimeProof.ts"
import { refusedUntil } from "./RemovedMailbox.ts"
import { linkStorage, mailboxOwner, putBack } from "./SendLink.ts"

type Services = Csrf | SignInServices

/**
 * `GET callback/‹provider›` and `POST callback/‹provider›`.
 *
 * @category actions
 * @since 0.1.0
 */
export const followLink = Effect.fnUntraced(function* (
  provider: EmailProvider
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> {
  const request = yield* AuthRequest
  if (isPrefetch(request)) return AuthResponse.empty(204)
  const link = yield* Effect.fromResult(linkOf(request, provider))
  if (request.method === "GET" && (provider.consumeOn === "post" || request.isHead === true)) {
    return yield* confirmation(provider, link)
  }
  if (request.method === "POST") yield* guard()
  return yield* redeem(provider, link)
})

/** The page with the button. Nothing is used up and nothing is looked up but who is signed in. */
const confirmation = Effect.fnUntraced(function* (
  provider: EmailProvider,
  link: Link
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError, Services> {
  const request = yield* AuthRequest
  const settings = yield* Settings
  const callbackUrl = yield* CallbackUrl.target(request)
  const subject = yield* subjectOf(request)
  const token = settings.skipCsrfCheck ? undefined : yield* (yield* Csrf).token(request, subject)
  const otherUser = subject === undefined ? undefined : yield* nameOfOtherUser(link.identifier)
  const isAskedHere = (yield* askedHere(provider, link)) !== undefined
  const { confirm } = yield* yield* PageRenderer
  const page = confirm(frame(settings, request.url), {
    providerId: provider.id,
    email: link.identifier,
    isKnown: isAskedHere,
    token: link.token,
    csrfToken: token?.token,
    callbackUrl,
    other: otherUser,
    pressesItself: otherUser === undefined && isAskedHere
  })
  return AuthResponse.page(page, token?.cookies)
})

/** How to call the person who is signed in, when it is not the one of this address. */
const nameOfOtherUser = Effect.fnUntraced(function* (
  identifier: string
): Effect.fn.Return<string | undefined, AuthError, Adapter | Settings | AuthRequest | SessionServices> {
  const current = yield* currentUser(yield* linkStorage)
  if (current !== undefined) return isSame(current.user.email ?? "", identifier) ? undefined : nameOf(current.user)
  // A person of the application's own, whom the store does not know.
  const token = yield* openToken(yield* AuthRequest)
  return token?._tag === "Valid" && !isSame(token.claims.email ?? "", identifier) ? nameOf(token.claims) : undefined
})

const nameOf = ({
  email,
  name
}: {
  readonly email?: string | null | undefined
  readonly name?: string | null | undefined
}): string => {
  const [known = "another user"] = [email, name].filter((one) => typeof one === "string" && one !== "")
  return known ?? ""
}

/** Uses the link and signs the person in, or repeats that in the browser that asked for the link. */
const redeem = Effect.fnUntraced(function* (
  provider: EmailProvider,
  link: Link
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> {
  const settings = yield* Settings
  const adapter = yield* linkStorage
  const mailbox = mailboxKey(settings, link.identifier)
  const asked = yield* askedHere(provider, link)
  if (link.token.length < guessable) {
    const last = asked ?? (yield* askedLink(provider))
    const code = last?.identifier === link.identifier ? last.stored : undefined
    yield* spendCode(mailbox, code, asked !== undefined)
  }
  const attempt = asked === undefined ? undefined : yield* attemptOf(adapter, asked.cookie)
  const completeWith = signInBy(adapter, provider, link, asked)
  const repetition = completeWith({ use: Effect.void, isTakenBack: true, attempt, repeats: true })
  const response = yield* adapter.methods.has("transaction")
    ? orRepeat(attempt, inTransaction(adapter, provider, link, attempt, completeWith), repetition)
    : runToEnd(orRepeat(attempt, withoutTransaction(adapter, provider, link, asked, attempt, completeWith), repetition))
  yield* forgetMails(mailbox, ifKnows(yield* knownBrowser, [addressKey(settings, link.identifier)]))
  return response
})

/** A mail proves the address; RFC 8176 has no name for it. */
const byEmail = ["email"]

type CompleteWith = (
  once: OneTimeUse
) => Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services>

/** Completes the sign-in of the person who followed a link. */
const signInBy =
  (adapter: AdapterShape, provider: EmailProvider, link: Link, asked: RememberedLink | undefined): CompleteWith =>
  (once) =>
    Effect.gen(function* () {
      const request = yield* AuthRequest
      const settings = yield* Settings
      const target = yield* CallbackUrl.target(request)
      const { account, user: owner } = yield* mailboxOwner(adapter, provider, link.identifier)
      // The mailed address is proven, not the spelling in the row of the user.
      const user = { id: owner.id, email: link.identifier, emailVerified: null }
      return yield* complete(
        {
          user,
          account,
          proof: "proven",
          passkey: asked?.passkey,
          isRemembered: asked?.isRemembered,
          once,
          names: { accounts: [addressKey(settings, link.identifier)], browser: yield* knownBrowser },
          authentication: yield* authenticatedNow(byEmail)
        },
        target,
        asked === undefined ? [] : forgetLink(settings, request),
        request.method === "POST" ? 303 : undefined
      )
    })

/**
 * The link is used in the transaction that creates the session. A transaction that is rolled back shows before, for the
 * application's `signIn`, that the link is valid. Only a sign-in that is refused uses the link by itself.
 */
const inTransaction = (
  adapter: AdapterShape,
  provider: EmailProvider,
  link: Link,
  attempt: Attempt | undefined,
  completeWith: CompleteWith
): ReturnType<CompleteWith> =>
  Effect.gen(function* () {
    const takeToken = Effect.provideService(take(adapter, provider, link), Settings, yield* Settings)
    yield* preview(adapter, takeToken)
    const state = { isUsed: false }
    const use = Effect.gen(function* () {
      yield* takeToken
      if (attempt !== undefined) yield* attempt.record
      state.isUsed = true
    })
    return yield* Effect.onExit(completeWith({ use, isTakenBack: true, attempt, repeats: false }), (exit) =>
      isSiteFailure(exit) || (Exit.isSuccess(exit) && state.isUsed) ? Effect.void : spend(takeToken)
    )
  })

/** Uses a link whose sign-in was refused. */
const spend = (takeToken: Effect.Effect<unknown, AdapterError | Verification>): Effect.Effect<void> =>
  Effect.catch(Effect.asVoid(takeToken), (failure) =>
    failure._tag === "Verification" ? Effect.void : Effect.logWarning(failure)
  )

/** The token leaves the store first, and goes back when the sign-in fails for a reason that is not the person's. */
const withoutTransaction = (
  adapter: AdapterShape,
  provider: EmailProvider,
  link: Link,
  asked: RememberedLink | undefined,
  attempt: Attempt | undefined,
  completeWith: CompleteWith
): ReturnType<CompleteWith> =>
  Effect.flatMap(takeSurely(adapter, provider, link, asked), (row) =>
    Effect.onExit(completeWith({ use: Effect.void, isTakenBack: true, attempt, repeats: false }), (exit) =>
      isSiteFailure(exit) ? putBack(adapter, row) : Effect.void
    )
  )

/**
 * Takes a token from a store that may lose its answer. The browser that asked for the link knows that there was one: when the
 * token is gone after a failure, that call took it.
 */
const takeSurely = (
  adapter: AdapterShape,
  provider: EmailProvider,
  link: Link,
  asked: RememberedLink | undefined
): Effect.Effect<VerificationToken, AdapterError | Verification, Settings> => {
  const takeToken = take(adapter, provider, link)
  if (asked?.expires === undefined) return takeToken
  const { expires, identifier, stored } = asked
  return Effect.catchTag(takeToken, "AdapterError", () =>
    Effect.catchTag(takeToken, "Verification", () => Effect.succeed({ identifier, token: stored, expires }))
  )
}

/** Tokens of fewer characters are codes that an attacker could try one after the other. */
const guessable = 22

const take = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: EmailProvider,
  { identifier, token }: Link
): Effect.fn.Return<VerificationToken, AdapterError | Verification, Settings> {
  const refused = yield* refusedUntil(yield* Settings, identifier)
  // Auth.js stores a domain in its own script.
  const names = [identifier, inOwnScript(identifier)].filter((name) => name !== undefined)
  for (const stored of storedTokens(yield* Settings, provider, token)) {
    for (const name of names) {
      const used = yield* adapter.useVerificationToken({ identifier: name, token: stored })
      if (Option.isNone(used)) continue
      const { expires } = used.value
      const isForRemoved = refused > 0 && expires.getTime() - provider.maxAge * 1000 <= refused
      if (!isForRemoved && expires.getTime() > (yield* Clock.currentTimeMillis))
        return { identifier: name, token: stored, expires }
      return yield* wrongLink(provider)
    }
  }
  return yield* wrongLink(provider)
})

const wrongLink = (provider: EmailProvider): Verification =>
  new Verification({ provider: provider.id, detail: "The link is wrong, used or expired" })

/** Did the sign-in fail, and was the site or the provider the reason? A `signIn` callback that throws refuses the person. */
const isSiteFailure = (exit: Exit.Exit<unknown, AuthError | FailureWithCookies>): boolean => {
  if (Exit.isSuccess(exit)) return false
  const failure = Option.getOrUndefined(Option.map(Cause.findErrorOption(exit.cause), failureOf))
  return failure === undefined || (failure.blame !== "person" && failure._tag !== "AccessDenied")
}

/**
 * Begins a new account with the address of a link that was followed in this browser (`AddressChoice.ts`). The request has
 * been checked by `SignIn.ts`.
 *
 * @category actions
 * @since 0.1.0
 */
export const beginNewAccount = Effect.fnUntraced(function* (
  provider: EmailProvider
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> {
  const adapter = yield* linkStorage
  const settings = yield* Settings
  const request = yield* AuthRequest
  const held = yield* heldProof(settings, request)
  if (held?.provider !== provider.id) {
    return yield* new Verification({ provider: provider.id, detail: "This browser holds no proof of an address" })
  }
  const { email, target } = held
  const id = yield* newUserId
  const attempt = yield* attemptOf(adapter, held.id)
  const authentication = yield* authenticatedNow(byEmail)
  const completeWith = (once: OneTimeUse, proof: AddressProof) =>
    complete(
      {
        user: { id, email },
        account: { providerAccountId: email, userId: id, type: "email", provider: provider.id },
        proof: "proven",
        held: proof,
        once,
        authentication
      },
      target,
      [],
      303
    )
  const use = Effect.andThen(useProof(adapter, held), attempt.record)
  const signIn = orRepeat(
    attempt,
    completeWith({ use, isTakenBack: canRecord(adapter), attempt, repeats: false }, { ...held, startsAnew: true }),
    // The address is that of the new account by now.
    completeWith({ use: Effect.void, isTakenBack: true, attempt, repeats: true }, { ...held, startsAnew: false })
  )
  const withoutSpent = Effect.catch(signIn, (failure) =>
    Effect.fail(
      failureOf(failure)._tag === "Verification" ? addCookies(forgetProof(settings, request))(failure) : failure
    )
  )
  return yield* adapter.methods.has("transaction") ? withoutSpent : runToEnd(withoutSpent)
})
