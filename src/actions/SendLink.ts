/**
 * Sends a sign-in link to a mailbox.
 *
 * The answer is the same for every address: whether it is known, whether the mailbox has had its share of mails. First the
 * hash of the token is stored, then the mail is sent; a mail that nobody took takes its token away with it. A new link ends
 * the one that the same browser asked for before, which comes back when no mail was taken; the stores of this library end
 * every earlier one of the address.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { AuthConfig } from "../AuthConfig.ts"
import { AuthRequest, toWeb } from "../AuthRequest.ts"
import * as AuthResponse from "../AuthResponse.ts"
import { Callbacks } from "../Callbacks.ts"
import * as CallbackUrl from "../CallbackUrl.ts"
import type { ResponseCookie } from "../Cookie.ts"
import * as EmailAddress from "../EmailAddress.ts"
import {
  AccessDenied,
  type AdapterError,
  type AuthError,
  EmailSignInError,
  InvalidEmail,
  MalformedRequest,
  MissingAdapter
} from "../Errors.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { ownMember } from "../internal/OwnMembers.ts"
import { hex } from "../internal/Sha256.ts"
import { MailRoom } from "../mail/MailRoom.ts"
import { MailThrottle } from "../mail/MailThrottle.ts"
import type { Account, User, VerificationToken } from "../Models.ts"
import type { EmailProvider } from "../Provider/Provider.ts"
import type { Seal } from "../Seal.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { userByEmail } from "../storage/UserByEmail.ts"
import {
  type AskedLink,
  askedLink,
  endOf,
  longestToken,
  mailboxKey,
  ownToken,
  rememberLink,
  storedToken,
  type WaitingPasskey
} from "./Link.ts"

/**
 * `POST signin/‹provider›`: sends a link. The CSRF token has been checked by `SignIn.ts`.
 *
 * @category actions
 * @since 0.1.0
 */
export const sendLink = Effect.fnUntraced(function* (
  provider: EmailProvider,
  target: string,
  remembered: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | MailRoom | Seal | SecureRandom.SecureRandom
> {
  const { body } = yield* AuthRequest
  return yield* sendLinkTo(provider, { email: ownMember(body, "email"), target }, remembered)
})

/**
 * Sends a link to an address, for a sign-in or for a passkey that waits for its proof.
 *
 * @category combinators
 * @since 0.1.0
 */
export const sendLinkTo = Effect.fnUntraced(function* (
  provider: EmailProvider,
  wanted: { readonly email: unknown; readonly target: string; readonly passkey?: WaitingPasskey },
  remembered: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | MailRoom | Seal | SecureRandom.SecureRandom
> {
  const settings = yield* AuthConfig
  const identifier = yield* identifierOf(provider, wanted.email)
  const throttle = yield* MailThrottle
  const mailbox = mailboxKey(settings, identifier)
  const link = { ...wanted, identifier }
  // The limit comes first: past it neither the store nor the application is asked about the address.
  const { response } = yield* Effect.acquireUseRelease(
    throttle.begin(mailbox),
    (allowed) => (allowed ? sendAllowed(provider, link, remembered) : pretendSent(provider, link, remembered)),
    (allowed, exit) =>
      allowed ? throttle.end(mailbox, Exit.isSuccess(exit) && exit.value.isSent ? "sent" : "failed") : Effect.void
  )
  return response
})

/** A link that is wanted for an address in its one spelling. */
type WantedLink = { readonly identifier: string; readonly target: string } & Pick<AskedLink, "passkey">

/** The answer, and whether a mail went out for it. */
interface Sent {
  readonly response: AuthResponse.AuthResponse
  readonly isSent: boolean
}

/** Asks the application, then sends. */
const sendAllowed = Effect.fnUntraced(function* (
  provider: EmailProvider,
  wanted: WantedLink,
  remembered: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<
  Sent,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | MailRoom | Seal | SecureRandom.SecureRandom
> {
  const request = yield* AuthRequest
  const adapter = yield* storage
  const { account, user } = yield* mailboxOwner(adapter, provider, wanted.identifier)
  const callbacks = yield* Callbacks
  const allowed = yield* Effect.mapError(
    callbacks.signIn({ user, account, email: { verificationRequest: true } }),
    refusal
  )
  if (typeof allowed === "string") {
    const elsewhere = yield* CallbackUrl.insteadOfSignIn(request, allowed)
    return { response: AuthResponse.redirect(elsewhere, remembered), isSent: false }
  }
  const cookie = yield* send(adapter, provider, wanted)
  return { response: yield* sentPage(provider, [...remembered, cookie]), isSent: true }
})

/** The same answer, without a mail. */
const pretendSent = Effect.fnUntraced(function* (
  provider: EmailProvider,
  { identifier }: WantedLink,
  remembered: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<Sent, AuthError, AuthConfig | AuthRequest | Seal | SecureRandom.SecureRandom> {
  const stored = storedToken(yield* AuthConfig, provider, yield* newToken(provider))
  const asked = yield* askedLink(provider)
  const cookie = yield* rememberLink(provider, asked?.identifier === identifier ? asked : { identifier, stored })
  return { response: yield* sentPage(provider, [...remembered, cookie]), isSent: false }
})

/** The way to the page that says that a mail is on its way. */
const sentPage = Effect.fnUntraced(function* (
  provider: EmailProvider,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<AuthResponse.AuthResponse, never, AuthConfig | AuthRequest> {
  const { basePath } = yield* AuthConfig
  const { origin } = yield* AuthRequest
  const query = new URLSearchParams({ provider: provider.id, type: "email" })
  return AuthResponse.redirect(`${origin}${basePath}/verify-request?${query.toString()}`, cookies)
})

/**
 * The adapter. A configuration with e-mail providers and without one does not come so far.
 *
 * @category combinators
 * @since 0.1.0
 */
export const storage: Effect.Effect<AdapterShape, MissingAdapter, AuthConfig> = Effect.flatMap(
  AuthConfig,
  ({ adapter }) =>
    adapter === undefined
      ? Effect.fail(new MissingAdapter({ detail: "E-mail providers need an adapter" }))
      : Effect.succeed(adapter)
)

/**
 * The user of an address, or the one that would be created, with the account of the mailbox.
 *
 * @category combinators
 * @since 0.1.0
 */
export const mailboxOwner = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: EmailProvider,
  identifier: string
): Effect.fn.Return<
  { readonly user: User & { readonly id: string }; readonly account: Account },
  AdapterError,
  SecureRandom.SecureRandom
> {
  // Made in any case: nothing that can be measured depends on whether the address is known.
  const id = yield* Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV4())
  const known = yield* userByEmail(adapter, identifier)
  const user = Option.getOrElse(known, () => ({ id, email: identifier, emailVerified: null }))
  return {
    user,
    account: { providerAccountId: identifier, userId: user.id, type: "email", provider: provider.id }
  }
})

/** The address that was typed, in its one spelling. A provider may spell by its own rule, which must end at ours. */
const identifierOf = (
  provider: EmailProvider,
  typed: unknown
): Effect.Effect<string, InvalidEmail | MalformedRequest> => {
  if (typed !== undefined && typeof typed !== "string") {
    return Effect.fail(new MalformedRequest({ provider: provider.id, detail: "email is not text" }))
  }
  const invalid = (detail: string, cause?: unknown) =>
    new InvalidEmail({
      provider: provider.id,
      code: "email_invalid",
      detail,
      ...(cause === undefined ? {} : { cause })
    })
  const { normalizeIdentifier } = provider
  const spelled: Effect.Effect<unknown, InvalidEmail> =
    normalizeIdentifier === undefined
      ? Effect.succeed(typed)
      : Effect.mapError(
          fromAnswer("normalizeIdentifier", () => normalizeIdentifier(typed ?? "")),
          (cause) => invalid("normalizeIdentifier refused the address", cause)
        )
  return Effect.flatMap(spelled, (answer) =>
    Effect.fromResult(
      Result.mapError(EmailAddress.parse(answer, provider), (fault) => invalid(`No e-mail address: ${fault}`))
    )
  )
}

const refusal = (failure: AuthError): AccessDenied =>
  failure._tag === "AccessDenied"
    ? failure
    : new AccessDenied({ detail: "callbacks.signIn refused the sign-in", cause: failure })

/** Stores and sends a link, and remembers it in the browser. */
const send = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: EmailProvider,
  { identifier, passkey, target }: WantedLink
): Effect.fn.Return<ResponseCookie, AuthError, AuthConfig | AuthRequest | MailRoom | Seal | SecureRandom.SecureRandom> {
  const token = yield* newToken(provider)
  const stored = storedToken(yield* AuthConfig, provider, token)
  const asked = yield* askedLink(provider)
  const before = asked?.identifier === identifier ? asked : undefined
  const delivered = deliver(adapter, provider, { identifier, token, stored, target })
  yield* before === undefined ? delivered : inPlaceOf(adapter, before, delivered)
  return yield* rememberLink(provider, { identifier, stored, passkey })
})

const deliver = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: EmailProvider,
  link: { readonly identifier: string; readonly token: string; readonly stored: string; readonly target: string }
): Effect.fn.Return<void, AuthError, AuthConfig | AuthRequest | MailRoom> {
  const { identifier, stored, target, token } = link
  const request = yield* AuthRequest
  const { basePath, theme } = yield* AuthConfig
  const room = yield* MailRoom
  const expires = endOf(provider, yield* Clock.currentTimeMillis)
  const query = new URLSearchParams({ callbackUrl: target, token, email: identifier })
  const mail = {
    provider,
    identifier,
    token,
    expires,
    theme,
    url: `${request.origin}${basePath}/callback/${provider.id}?${query.toString()}`,
    request: toWeb(request)
  }
  // A store that fails may have stored the token all the same.
  yield* adapter.createVerificationToken({ identifier, token: stored, expires }).pipe(
    Effect.andThen(room.send(mail)),
    Effect.onError(() => revoke(adapter, identifier, stored))
  )
})

/**
 * Takes an earlier link out of the store while a new one is sent. Before and not afterwards: some stores forget all links of
 * an address with one.
 */
const inPlaceOf = <E, R>(
  adapter: AdapterShape,
  { identifier, stored }: AskedLink,
  sending: Effect.Effect<void, E, R>
): Effect.Effect<void, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.catch(adapter.useVerificationToken({ identifier, token: stored }), (failure) =>
        Effect.as(Effect.logWarning(failure), Option.none<VerificationToken>())
      ),
      (earlier) =>
        Effect.onError(restore(sending), () => (Option.isSome(earlier) ? putBack(adapter, earlier.value) : Effect.void))
    )
  )

/** For how long a store that is away is asked to take a token back: a minute. */
const returning = {
  schedule: Schedule.spaced("2 seconds"),
  times: 30,
  while: ({ reason }: AdapterError) => reason !== "unique"
}

/**
 * Puts a token back that was taken out of the store. Goes on in the background while the store is away.
 *
 * @category combinators
 * @since 0.1.0
 */
export const putBack = (adapter: AdapterShape, row: VerificationToken): Effect.Effect<void> => {
  const put = adapter.createVerificationToken(row)
  return Effect.catch(put, (failure) =>
    Effect.andThen(
      Effect.logWarning(failure),
      Effect.forkDetach(
        Effect.catch(Effect.delay(Effect.retry(put, returning), "1 second"), (last) => Effect.logWarning(last))
      )
    )
  )
}

/** Takes a token away. What fails here leaves a token that nobody has, or one that ends by itself. */
const revoke = (adapter: AdapterShape, identifier: string, stored: string): Effect.Effect<void> =>
  Effect.catch(Effect.asVoid(adapter.useVerificationToken({ identifier, token: stored })), (failure) =>
    Effect.logWarning(failure)
  )

const newToken = (provider: EmailProvider): Effect.Effect<string, EmailSignInError, SecureRandom.SecureRandom> => {
  const { generateVerificationToken } = provider
  if (generateVerificationToken === undefined) {
    return Effect.flatMap(SecureRandom.SecureRandom, ({ randomBytes }) =>
      Effect.map(randomBytes(32), (bytes) => ownToken(hex(bytes)))
    )
  }
  const failed = (detail: string, cause?: unknown) =>
    new EmailSignInError({ provider: provider.id, detail, ...(cause === undefined ? {} : { cause }) })
  return fromAnswer("generateVerificationToken", generateVerificationToken).pipe(
    Effect.mapError((cause) => failed("generateVerificationToken failed", cause)),
    Effect.flatMap((token) =>
      typeof token === "string" && token.length >= 4 && token.length <= longestToken
        ? Effect.succeed(token)
        : Effect.fail(failed(`generateVerificationToken must return 4 to ${longestToken} characters`))
    )
  )
}
