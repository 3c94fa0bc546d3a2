/**
 * The callback action of credentials providers: a form with a name and a password, or whatever the provider asks for.
 *
 * `authorize` is given the fields that the provider declares, as text; everything else in the body stays outside. A
 * provider that declares no fields is given every text field but the library's own.
 *
 * Attempts are throttled by account (`SignInThrottle.ts`). The account is what was typed into the declared field with
 * `autocomplete: "username"`, else into the first of type `email`, else into the first text field; forms where nothing was
 * count as one account. A provider that declares no fields is not throttled.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Adapter } from "./storage/Storage.ts"
import { complete } from "./actions/Completion.ts"
import type { FailureWithCookies } from "./actions/FailureWithCookies.ts"
import { Settings } from "./Settings.ts"
import { AuthRequest, toWeb } from "./AuthRequest.ts"
import type * as AuthResponse from "./AuthResponse.ts"
import type { Callbacks } from "./Callbacks.ts"
import * as CallbackUrl from "./CallbackUrl.ts"
import { Csrf } from "./Csrf.ts"
import { type AuthError, CallbackRouteError, CredentialsSignin, MethodNotAllowed, recognise } from "./Errors.ts"
import type { Events } from "./Events.ts"
import { fromAnswer } from "./internal/Answer.ts"
import { providerScope } from "./internal/Scope.ts"
import { sha256 } from "./internal/Sha256.ts"
import { longest } from "./internal/Text.ts"
import type { Jwt } from "./Jwt.ts"
import type { Account, User } from "./Models.ts"
import * as Answered from "./models/Answered.ts"
import { forAuthorize, forCallbacks, submitted } from "./preset/CredentialForm.ts"
import type { CredentialsProvider } from "./preset/Provider.ts"
import type { Seal } from "./Seal.ts"
import { type SignInAttempt, type SignInOutcome, SignInThrottle } from "./SignInThrottle.ts"
import { subjectOf } from "./Subject.ts"

/** What the action needs. */
type Services = Adapter | Settings | AuthRequest | Callbacks | Csrf | Events | Jwt | Seal | SecureRandom.SecureRandom

/**
 * `POST callback/‹provider›`.
 *
 * @category actions
 * @since 0.1.0
 */
export const signInWithCredentials = Effect.fnUntraced(function* (
  provider: CredentialsProvider
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> {
  const context = yield* Effect.context<Services>()
  const request = Context.get(context, AuthRequest)
  if (request.method !== "POST") {
    return yield* new MethodNotAllowed({ allow: "POST", provider: provider.id, detail: "Credentials come by POST" })
  }
  const settings = Context.get(context, Settings)
  if (!settings.skipCsrfCheck) {
    yield* Context.get(context, Csrf).verify(request, yield* subjectOf(request))
  }
  const credentials = yield* Effect.fromResult(submitted(provider, request.body ?? {}))
  const target = yield* CallbackUrl.target(request)
  const remembered = CallbackUrl.remember(settings, request, target)
  const user = yield* checked(context, provider, credentials)
  const account: Account = { providerAccountId: user.id, type: "credentials", provider: provider.id }
  return yield* complete({ user, account, credentials: forCallbacks(provider, credentials) }, target, remembered)
})

/** Asks `authorize`, unless there were too many attempts. */
const checked = (
  context: Context.Context<Settings | AuthRequest | SecureRandom.SecureRandom>,
  provider: CredentialsProvider,
  credentials: Readonly<Record<string, string>>
): Effect.Effect<User & { readonly id: string }, AuthError> => {
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const throttle = Context.get(context, SignInThrottle)
  const attempt: SignInAttempt = {
    owner: ownerOf(settings, provider),
    provider: provider.id,
    account: accountKey(settings, provider, credentials),
    headers: request.headers
  }
  const asked = fromAnswer("authorize", () =>
    provider.authorize(forAuthorize(provider, credentials), toWeb(request))
  ).pipe(
    Effect.mapError(
      (cause) =>
        recognise(cause) ?? new CallbackRouteError({ detail: "authorize failed", provider: provider.id, cause })
    ),
    Effect.flatMap((answer) => person(provider, answer, Context.get(context, SecureRandom.SecureRandom)))
  )
  return Effect.acquireUseRelease(
    throttle.begin(attempt),
    (allowed) => (allowed ? asked : Effect.fail(tooMany(provider))),
    (allowed, exit) => (allowed ? throttle.end(attempt, outcome(exit)) : Effect.void)
  )
}

/** Scopes of providers that were computed already; a provider belongs to one configuration. */
const scopes = new WeakMap<CredentialsProvider, string>()

const ownerOf = (settings: Settings["Service"], provider: CredentialsProvider): string => {
  const known = scopes.get(provider)
  if (known !== undefined) return known
  // A configuration that is made for every request has a new function each time, with the same text.
  const scope = providerScope("throttle", settings, provider.id, Function.prototype.toString.call(provider.authorize))
  scopes.set(provider, scope)
  return scope
}

const tooMany = (provider: CredentialsProvider): AuthError =>
  new CredentialsSignin({
    code: "throttled",
    provider: provider.id,
    detail: "There were too many attempts",
    retryable: true
  })

const outcome = (exit: Exit.Exit<unknown, AuthError>): SignInOutcome => {
  if (Exit.isSuccess(exit)) return "accepted"
  return Option.exists(Exit.findErrorOption(exit), (failure) => failure.blame === "person") ? "rejected" : "unknown"
}

/** Names the account of an attempt without telling it to anybody: spelled alike, then hashed with the secret. */
const accountKey = (
  { secrets }: Settings["Service"],
  provider: CredentialsProvider,
  credentials: Readonly<Record<string, string>>
): string | undefined => {
  if (provider.fields.length === 0) return undefined
  const spelled = foldedName(accountOf(provider, credentials))
  return sha256(`sign-in throttle ${Redacted.value(secrets[0])} ${provider.id} ${spelled}`, "base64url")
}

/**
 * A name in the one spelling of all that a database may find it by. What follows a name of ordinary length is cut off, so
 * that no longer text after it counts as another account. Marks go before the name is decomposed, which
 * costs the square of how many follow each other.
 */
const foldedName = (name: string): string =>
  name.slice(0, longest.accountName).replace(unseen, "").normalize("NFKD").replace(unseen, "").toLowerCase()

/** Accents, spaces and what cannot be seen: databases may find the same account with and without. */
const unseen = /[\p{M}\p{C}\p{Default_Ignorable_Code_Point}\s]+/gu

/** What was typed where the account is named: in the field said to (`autocomplete`), an e-mail address, or the first text. */
const accountOf = ({ fields }: CredentialsProvider, credentials: Readonly<Record<string, string>>): string => {
  const typed = fields.filter(({ name }) => (credentials[name] ?? "") !== "")
  const field =
    typed.find(({ attributes }) => attributes["autocomplete"] === "username") ??
    typed.find(({ type }) => type === "email") ??
    typed.find(({ type }) => type === undefined || type === "text" || type === "tel")
  return field === undefined ? "" : (credentials[field.name] ?? "")
}

/** Nobody is signed in without an id: a user that has none of their own gets a random one for this session. */
const person = (
  provider: CredentialsProvider,
  answer: unknown,
  random: SecureRandom.SecureRandom["Service"]
): Effect.Effect<User & { readonly id: string }, CredentialsSignin | CallbackRouteError> => {
  if (!answer) {
    return Effect.fail(
      new CredentialsSignin({
        code: "credentials",
        provider: provider.id,
        detail: "authorize did not accept the credentials"
      })
    )
  }
  if (!isUser(answer)) {
    return Effect.fail(
      new CallbackRouteError({
        detail: "authorize must return a user whose id is text or a whole number, or null",
        provider: provider.id
      })
    )
  }
  if (isIdentified(answer)) return Effect.succeed(answer)
  const { id } = answer
  const ownId = typeof id === "number" ? Effect.succeed(String(id)) : random.uuidV4()
  return Effect.map(ownId, (text) => Object.assign({}, answer, accessors(answer), { id: text }))
}

const isUser = Schema.is(Answered.AuthorizedUser)

/** A user whose id is text stays what it is: an object of a class, such as a record of a database, would lose by copying. */
const isIdentified = (answer: typeof Answered.AuthorizedUser.Type): answer is { readonly id: string } =>
  typeof answer.id === "string"

/** Members that an object of a class may have as accessors, which copying leaves behind. */
const accessors = (answer: object): User =>
  Object.fromEntries(
    ["name", "email", "image"].flatMap((name) => (name in answer ? [[name, Reflect.get(answer, name)]] : []))
  )
