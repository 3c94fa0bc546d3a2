/**
 * The callback action of credentials providers: a form with a name and a password, or whatever the provider asks for.
 *
 * `authorize` is given the fields that the provider declares, as text; everything else in the body stays outside. A
 * provider that declares no fields is given every text field but the library's own.
 *
 * Attempts spend the budgets of `Limits.ts`: of each account, of the client and of the site. Every text that was typed into a
 * declared field counts as an account, because any of them may name it; forms without such a text count as one account. A
 * provider that declares no fields is limited by client and site alone. An attempt that hangs keeps what it spent.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { UserId, WholeNumber } from "../models/Id.ts"
import { complete, type SignInServices } from "../signin/CompleteSignIn.ts"
import type * as AuthResponse from "../http/AuthResponse.ts"
import type { FailureWithCookies } from "../http/AuthResponse.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest, toWeb } from "../http/AuthRequest.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { Csrf } from "../browser/Csrf.ts"
import { type AuthError, CallbackRouteError, CredentialsSignin, MethodNotAllowed, recognise } from "../Errors.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { isOf } from "../internal/IsOf.ts"
import { longest } from "../internal/Text.ts"
import { ifKnows, knownBrowserIn } from "../browser/KnownBrowser.ts"
import { accountKey, spendGuess } from "../signin/Limits.ts"
import * as EmailAddress from "../models/EmailAddress.ts"
import { addressKey } from "../email/Link.ts"
import { Callbacks } from "../Callbacks.ts"
import { member, textOf } from "../internal/ThrownValue.ts"
import type { Account, JWT, User } from "../Models.ts"
import { forAuthorize, forCallbacks, readSubmission } from "../Provider/internal/CredentialForm.ts"
import type { CredentialsProvider } from "../Provider/internal/Provider.ts"
import { guard } from "../session/CsrfGuard.ts"
import { authenticatedAt } from "../session/Authentication.ts"

/** The dependencies of the action. */
type Services = Csrf | SignInServices

/**
 * `POST callback/‹provider›`.
 *
 * @category actions
 * @since 0.1.0
 */
export const signInWithCredentials = (
  provider: CredentialsProvider
): Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> =>
  Effect.contextWith((context: Context.Context<Services>) => signInWith(context, provider))

const signInWith = Effect.fnUntraced(function* (
  context: Context.Context<Services>,
  provider: CredentialsProvider
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> {
  const request = Context.get(context, AuthRequest)
  if (request.method !== "POST") {
    return yield* new MethodNotAllowed({ allow: "POST", provider: provider.id, detail: "Credentials come by POST" })
  }
  const settings = Context.get(context, Settings)
  yield* guard()
  const credentials = yield* Effect.fromResult(readSubmission(provider, request.body ?? {}))
  const target = yield* CallbackUrl.targetIn(context, request)
  const cookies = CallbackUrl.remember(settings, request, target)
  const input = typedInto(provider, credentials)
  const accounts = accountsOf(settings, provider, input)
  const knownTexts = knownAs(settings, provider.id, input, accounts)
  const browser = knownBrowserIn(context)
  const { undo } = yield* spendGuess(settings, accounts, ifKnows(browser, knownTexts))
  const answer = yield* askAuthorize(provider, credentials, request)
  const user = yield* person(provider, answer, Context.get(context, SecureRandom.SecureRandom))
  // An `authorize` that throws may mean a refusal by it: only a sign-in removes its attempt.
  const callbacks = yield* claiming(context, provider, answer, Effect.uninterruptible(undo))
  const account: Account = { providerAccountId: user.id, type: "credentials", provider: provider.id }
  const names = { accounts: knownTexts.slice(0, 1), browser }
  const methods = provider.fields.some(({ type }) => type === "password") ? ["pwd"] : []
  const authentication = authenticatedAt(Context.get(context, Clock.Clock).currentTimeMillisUnsafe(), methods)
  const verified = { user, account, credentials: forCallbacks(provider, credentials), names, authentication }
  return yield* Effect.provideService(complete(verified, target, cookies), Callbacks, callbacks)
})

/** Asks `authorize` of the application. */
const askAuthorize = (
  provider: CredentialsProvider,
  credentials: Readonly<Record<string, string>>,
  request: AuthRequest["Service"]
): Effect.Effect<unknown, AuthError> =>
  Effect.mapError(
    fromAnswer<unknown>("authorize", () => provider.authorize(forAuthorize(provider, credentials), toWeb(request))),
    (cause) => recognise(cause) ?? new CallbackRouteError({ detail: "authorize failed", provider: provider.id, cause })
  )

/**
 * A name in the one spelling of all that a database may find it by. What follows a name of ordinary length is cut off, so
 * that no longer text after it counts as another account. Marks go before the name is decomposed, which
 * costs the square of how many follow each other.
 */
const foldedName = (name: string): string => {
  const text = name.slice(0, longest.accountName)
  // Nothing of it is unseen, and its characters have one form.
  if (visibleAscii.test(text)) return text.toLowerCase()
  return text.replace(unseen, "").normalize("NFKD").replace(unseen, "").toLowerCase()
}

const visibleAscii = /^[!-~]*$/

/** Accents, spaces and what cannot be seen: databases may find the same account with and without. */
const unseen = /[\p{M}\p{C}\p{Default_Ignorable_Code_Point}\s]+/gu

/** The values of the fields that may name an account. */
const typedInto = (
  { fields }: CredentialsProvider,
  credentials: Readonly<Record<string, string>>
): ReadonlyArray<string> => {
  const typed: Array<string> = []
  for (const { name, type } of fields)
    if (type === undefined || textTypes.has(type)) typed.push(credentials[name] ?? "")
  return typed
}

/** The accounts that an attempt counts for: each text once, in its one spelling, and an empty one for a form without any. */
const accountsOf = (
  settings: Settings["Service"],
  { fields, id }: CredentialsProvider,
  typed: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (fields.length === 0) return []
  const names = new Set<string>()
  for (const text of typed) {
    const name = foldedName(text)
    if (name !== "") names.add(name)
  }
  if (names.size === 0) names.add("")
  return Array.from(names, (name) => accountKey(settings, id, name))
}

/**
 * Keys by which a browser may know what was typed: all of it together, as it was typed, and the address that stands alone in it.
 * A user with a similar account name, or who types the name of another account into a second field, gets no other key. Without
 * any typed text there is no key. A single text in the spelling of its account has the key of the account, which is made already,
 * unless it begins as the JSON of all that was typed does.
 */
const knownAs = (
  settings: Settings["Service"],
  id: string,
  typed: ReadonlyArray<string>,
  [own]: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const [first, ...others] = typed.filter((text) => text !== "")
  if (first === undefined) return []
  const isSpelled = typed.length === 1 && !first.startsWith("[") && first === foldedName(first)
  const account = isSpelled && own !== undefined ? own : accountKey(settings, id, JSON.stringify(typed))
  const address = others.length === 0 ? EmailAddress.parseTrusted(first) : Result.fail("parts")
  return Result.isSuccess(address) ? [account, addressKey(settings, address.success)] : [account]
}

/** Types of inputs that a person types the name of an account into. */
const textTypes: ReadonlySet<string> = new Set(["email", "search", "tel", "text", "url"])

/** Every signed-in user has an id: one whom `authorize` returns without an id gets a random one for this session. */
const person = (
  provider: CredentialsProvider,
  answer: unknown,
  random: SecureRandom.SecureRandom["Service"]
): Effect.Effect<User & { readonly id: UserId }, CredentialsSignin | CallbackRouteError> => {
  if (!answer) {
    return Effect.fail(
      new CredentialsSignin({
        code: "credentials",
        provider: provider.id,
        detail: "authorize did not accept the credentials"
      })
    )
  }
  if (foreignKind(answer) !== undefined || !isUser(answer)) return Effect.fail(noUser(provider, answer))
  if (isIdentified(answer)) return Effect.succeed(answer)
  const { id } = answer
  const ownId = typeof id === "number" ? Effect.succeed(String(id)) : random.uuidV4()
  return Effect.map(ownId, (text) => Object.assign({}, answer, accessors(answer), { id: UserId.make(text) }))
}

/** Values that are returned by mistake in place of a user, and may have a name or an id. */
const foreignKind = (answer: unknown): string | undefined => {
  if (typeof answer !== "object" || answer === null) return `a ${typeof answer}`
  if (Array.isArray(answer)) return "an array"
  if (answer instanceof Error || Object.prototype.toString.call(answer) === "[object Error]") return "an Error"
  return answer instanceof Response || Object.prototype.toString.call(answer) === "[object Response]"
    ? `a Response of status ${String(member(answer, "status"))}`
    : undefined
}

/** The failure that says what came in the place of a user. Of an object the names of its members show, never their values. */
const noUser = (provider: CredentialsProvider, answer: unknown): CallbackRouteError => {
  const kind = foreignKind(answer)
  const members = typeof answer === "object" && answer !== null ? Object.keys(answer).filter(isName).slice(0, 8) : []
  const seen =
    kind ??
    (members.length === 0
      ? "an object without members"
      : `an object with ${members.join(", ")}${isUser(answer) ? "" : ", whose id is neither text nor a whole number"}`)
  return new CallbackRouteError({
    detail: `authorize must return a user with an id (text or a whole number), a name or an email, or null. It returned ${seen}`,
    fix:
      kind === "an Error"
        ? "Throw the error in authorize, or return null for wrong credentials."
        : "Return the user from authorize, or null for wrong credentials. A user of other members needs a jwt callback that makes claims of them.",
    provider: provider.id,
    ...(kind === "an Error" ? { cause: answer } : {})
  })
}

const isName = (name: string): boolean => /^\w{1,40}$/.test(name)

/**
 * An object without id, name and email may be a user all the same, of whom the `jwt` callback makes claims. Where none makes any, it is
 * what authorize returned by mistake, such as the body of an error. `accept` runs where the answer is a user.
 */
const claiming = (
  context: Context.Context<Services>,
  provider: CredentialsProvider,
  answer: unknown,
  accept: Effect.Effect<void>
): Effect.Effect<Callbacks["Service"], CallbackRouteError> => {
  const callbacks = Context.get(context, Callbacks)
  if (isNamed(answer)) return Effect.as(accept, callbacks)
  if (callbacks.keepsTokens || Context.get(context, Settings).session.strategy === "database")
    return Effect.fail(noUser(provider, answer))
  return Effect.succeed({
    ...callbacks,
    jwt: (params) =>
      Effect.flatMap(callbacks.jwt(params), (token) => {
        if (token === null) return Effect.succeed(token)
        const { account, token: before } = params
        const others = new Set<unknown>([before.sub, account, ...Object.values(account ?? {})])
        return hasClaims(token, others) ? Effect.as(accept, token) : Effect.fail(noUser(provider, answer))
      })
  })
}

/** Does an answer say who the person is? */
const isNamed = (answer: unknown): boolean =>
  typeof member(answer, "id") === "number" ||
  ["id", "name", "email"].some((name) => (textOf(answer, name) ?? "") !== "")

/** Has the token a claim of the person? `others` are values of the account, which every answer has. */
const hasClaims = (token: JWT, others: ReadonlySet<unknown>): boolean =>
  Object.values(token).some((value) => (value ?? "") !== "" && !others.has(value))

/** The required members of `authorize`'s user: the id, or its absence. The other members are the application's, and not read. */
const AuthorizedUser = Schema.Struct({
  id: Schema.optional(Schema.NullOr(Schema.Union([UserId, WholeNumber])))
})

const isUser = isOf(AuthorizedUser)

/** A user whose id is text stays what it is: an object of a class, such as a record of a database, would lose by copying. */
const isIdentified = (answer: typeof AuthorizedUser.Type): answer is { readonly id: UserId } =>
  typeof answer.id === "string"

/** Members that an object of a class may have as accessors, which copying leaves behind. */
const accessors = (answer: object): User =>
  Object.fromEntries(
    ["name", "email", "image"].flatMap((name) => (name in answer ? [[name, Reflect.get(answer, name)]] : []))
  )
