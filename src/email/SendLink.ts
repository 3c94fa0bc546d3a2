/**
 * Sends a sign-in link to a mailbox.
 *
 * The answer is the same for every address: whether it is known, whether the mailbox has had its share of mails. First the
 * hash of the token is stored, then the mail is sent, after the answer where the application has a `waitUntil`; a mail that
 * no server accepted has its token removed. Earlier links of the address stay valid to their end: a visitor who asks for a
 * link in the name of another takes nothing from them.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { UserId } from "../models/Id.ts"
import { type Adapter, newUserId, storage } from "../storage/Storage.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest, toWeb } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { Callbacks } from "../Callbacks.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import {
  AccessDenied,
  type AdapterError,
  type AuthError,
  EmailSignInError,
  InvalidEmail,
  isAuthError,
  MalformedRequest,
  MissingAdapter,
  UnexpectedError
} from "../Errors.ts"
import { alignedEnd } from "../http/AlignedEnd.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import { hex } from "../crypto/Sha256.ts"
import { EmailSender } from "./EmailSender.ts"
import { ifKnows, knownBrowser } from "../browser/KnownBrowser.ts"
import { spendMail } from "../signin/Limits.ts"
import { handOver } from "./WaitUntil.ts"
import type { Account, User, VerificationToken } from "../Models.ts"
import type { EmailProvider } from "../Provider/internal/Provider.ts"
import type { Seal } from "../browser/Seal.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { userByEmail } from "../storage/UserByEmail.ts"
import { logWithinLimit } from "../telemetry/LogLimit.ts"
import { reportUnderId } from "../telemetry/Report.ts"
import {
  addressKey,
  type AskedLink,
  askedLink,
  endOf,
  longestToken,
  mailboxKey,
  ownToken,
  readAddress,
  rememberLink,
  storedToken
} from "./Link.ts"
import type { WaitingPasskey } from "../models/WaitingPasskey.ts"
import { refusedSignIn } from "../signin/RefusedSignIn.ts"

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
  Adapter | Settings | AuthRequest | Callbacks | EmailSender | Seal | SecureRandom.SecureRandom
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
  Adapter | Settings | AuthRequest | Callbacks | EmailSender | Seal | SecureRandom.SecureRandom
> {
  const settings = yield* Settings
  const identifier = yield* identifierOf(provider, wanted.email)
  const mailbox = mailboxKey(settings, identifier)
  const link = { ...wanted, identifier }
  const browser = ifKnows(yield* knownBrowser, [addressKey(settings, identifier)])
  // The limit comes first: past it neither the store nor the application is asked about the address.
  return yield* alignedEnd(
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(spendMail(settings, mailbox, browser)), (isAllowed) =>
        isAllowed
          ? sendAllowed(provider, link, { remembered, restore })
          : restore(pretendSent(provider, link, remembered))
      )
    )
  )
})

/** A link that is wanted for an address in its one spelling. */
type WantedLink = { readonly identifier: string; readonly target: string } & Pick<AskedLink, "passkey">

/** The result of the limit for mailboxes: the cookies of the answer, and what may be interrupted. */
interface Allowed {
  readonly remembered: ReadonlyArray<ResponseCookie>
  readonly restore: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Asks the application, stores the token, then sends. Without a mail the answer leads where the application says. */
const sendAllowed = Effect.fnUntraced(function* (
  provider: EmailProvider,
  wanted: WantedLink,
  { remembered, restore }: Allowed
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  Adapter | Settings | AuthRequest | Callbacks | EmailSender | Seal | SecureRandom.SecureRandom
> {
  const { link, response } = yield* restore(prepare(provider, wanted, remembered))
  if (link === undefined) return response
  const { waitUntil } = yield* Settings
  const takeBack = yield* store(link, restore)
  const sending = Effect.onError(restore(deliver(provider, link)), () => takeBack)
  yield* waitUntil === undefined ? sending : handOver(waitUntil, Effect.catchCause(sending, failedLater))
  return response
})

/** The visitor has gone with their answer: what failed goes to the log, to the audit trail and to the metrics. */
const failedLater = Effect.fnUntraced(function* (
  cause: Cause.Cause<AuthError>
): Effect.fn.Return<void, never, AuthRequest> {
  const { headers, providerId } = yield* AuthRequest
  const thrown = Cause.squash(cause)
  const failure = isAuthError(thrown) ? thrown : new UnexpectedError({ detail: "The mail was not sent", cause: thrown })
  yield* reportUnderId(failure, headers)
  yield* refusedSignIn(failure, providerId)
})

/** A link with its token, and what the store keeps of it. */
interface NewLink {
  readonly adapter: AdapterShape
  readonly identifier: string
  readonly target: string
  readonly token: string
  readonly stored: string
  readonly expires: Date
}

/** The answer, and the link to send. There is none where the application sends the person elsewhere. */
interface Prepared {
  readonly response: AuthResponse.AuthResponse
  readonly link?: NewLink
}

/** Asks the application, and makes the link. Nothing is stored yet. */
const prepare = Effect.fnUntraced(function* (
  provider: EmailProvider,
  { identifier, passkey, target }: WantedLink,
  remembered: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<
  Prepared,
  AuthError,
  Adapter | Settings | AuthRequest | Callbacks | Seal | SecureRandom.SecureRandom
> {
  const request = yield* AuthRequest
  const adapter = yield* linkStorage
  const { account, user } = yield* mailboxOwner(adapter, provider, identifier)
  const callbacks = yield* Callbacks
  const permission = yield* Effect.mapError(
    callbacks.signIn({ user, account, email: { verificationRequest: true } }),
    refusal
  )
  if (typeof permission === "string") {
    return { response: AuthResponse.redirect(yield* CallbackUrl.insteadOfSignIn(request, permission), remembered) }
  }
  const token = yield* newToken(provider)
  const stored = storedToken(yield* Settings, provider, token)
  const expires = endOf(provider, yield* Clock.currentTimeMillis)
  const cookie = yield* rememberLink(provider, { identifier, stored, passkey })
  return {
    response: yield* sentPage(provider, [...remembered, cookie]),
    link: { adapter, identifier, target, token, stored, expires }
  }
})

/** The usual answer, without a mail. */
const pretendSent = Effect.fnUntraced(function* (
  provider: EmailProvider,
  { identifier }: WantedLink,
  remembered: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  Adapter | Settings | AuthRequest | Seal | SecureRandom.SecureRandom
> {
  const stored = storedToken(yield* Settings, provider, yield* newToken(provider))
  const asked = yield* askedLink(provider)
  const cookie = yield* rememberLink(provider, asked?.identifier === identifier ? asked : { identifier, stored })
  return yield* sentPage(provider, [...remembered, cookie])
})

/** The way to the page that says that a mail is on its way. */
const sentPage = Effect.fnUntraced(function* (
  provider: EmailProvider,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<AuthResponse.AuthResponse, never, Settings | AuthRequest> {
  const { basePath } = yield* Settings
  const { origin } = yield* AuthRequest
  const query = new URLSearchParams({ provider: provider.id, type: "email" })
  return AuthResponse.redirect(`${origin}${basePath}/verify-request?${query.toString()}`, cookies)
})

/**
 * The adapter. A configuration with email providers and without one does not come so far.
 *
 * @category combinators
 * @since 0.1.0
 */
export const linkStorage: Effect.Effect<AdapterShape, MissingAdapter, Adapter> = Effect.flatMap(storage, (adapter) =>
  adapter === undefined
    ? Effect.fail(new MissingAdapter({ detail: "Email providers need an adapter" }))
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
  { readonly user: User & { readonly id: UserId }; readonly account: Account },
  AdapterError,
  SecureRandom.SecureRandom
> {
  // Made in any case: nothing that can be measured depends on whether the address is known.
  const id = yield* newUserId
  const known = yield* userByEmail(adapter, identifier)
  const user = Option.getOrElse(known, () => ({ id, email: identifier, emailVerified: null }))
  return {
    user,
    account: { providerAccountId: identifier, userId: user.id, type: "email", provider: provider.id }
  }
})

/** The typed address in its canonical spelling. A provider may normalize by its own rule, whose result must be canonical. */
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
  const address: Effect.Effect<unknown, InvalidEmail> =
    normalizeIdentifier === undefined
      ? Effect.succeed(typed)
      : Effect.mapError(
          fromAnswer("normalizeIdentifier", () => normalizeIdentifier(typed ?? "")),
          (cause) => invalid("normalizeIdentifier refused the address", cause)
        )
  return Effect.flatMap(address, (answer) =>
    Effect.fromResult(Result.mapError(readAddress(provider, answer), (fault) => invalid(`No email address: ${fault}`)))
  )
}

const refusal = (failure: AuthError): AccessDenied =>
  failure._tag === "AccessDenied"
    ? failure
    : new AccessDenied({ detail: "callbacks.signIn refused the sign-in", cause: failure })

/** Stores the token, and returns what takes it back. */
const store = Effect.fnUntraced(function* (
  { adapter, expires, identifier, stored }: NewLink,
  restore: Allowed["restore"]
): Effect.fn.Return<Effect.Effect<void>, AdapterError> {
  const takeBack = revoke(adapter, identifier, stored)
  // A store that fails may have stored the token all the same.
  yield* Effect.onError(
    restore(adapter.createVerificationToken({ identifier, token: stored, expires })),
    () => takeBack
  )
  return takeBack
})

/** Servers take 8 kB of an address, and scanners of mail encode a link once more. */
const longestInLink = 4000

const tooLong = (length: number): string =>
  `callbackUrl has ${length} characters when it is percent-encoded, and a sign-in link has room for ${longestInLink}: the link leads to the origin of the site. Send a shorter address.`

const deliver = Effect.fnUntraced(function* (
  provider: EmailProvider,
  { expires, identifier, target, token }: NewLink
): Effect.fn.Return<void, EmailSignInError, Settings | AuthRequest | EmailSender> {
  const request = yield* AuthRequest
  const { basePath, theme } = yield* Settings
  const { length } = encodeURIComponent(target)
  const isCarried = length <= longestInLink
  if (!isCarried) yield* logWithinLimit("callbackUrl", Effect.logInfo(tooLong(length)))
  const query = new URLSearchParams({ callbackUrl: isCarried ? target : request.origin, token, email: identifier })
  return yield* (yield* EmailSender).send({
    provider,
    identifier,
    token,
    expires,
    theme,
    url: `${request.origin}${basePath}/callback/${provider.id}?${query.toString()}`,
    request: toWeb(request)
  })
})

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

/** Removes a token. A failure here leaves a token that was never delivered, or one that expires. */
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
  const toFailure = (detail: string, cause?: unknown) =>
    new EmailSignInError({ provider: provider.id, detail, ...(cause === undefined ? {} : { cause }) })
  return fromAnswer("generateVerificationToken", generateVerificationToken).pipe(
    Effect.mapError((cause) => toFailure("generateVerificationToken failed", cause)),
    Effect.flatMap((token) =>
      typeof token === "string" && token.length >= 4 && token.length <= longestToken
        ? Effect.succeed(token)
        : Effect.fail(toFailure(`generateVerificationToken must return 4 to ${longestToken} characters`))
    )
  )
}
