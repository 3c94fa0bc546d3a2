/**
 * The configuration, compiled: options are decoded once into immutable settings, and everything that does not depend on a
 * request is worked out here. What is wrong with them is found once too, as tagged failures and warnings.
 *
 * Nothing is shared between two configurations, and nothing here reads an environment variable: `Environment.ts` fills
 * options from one before they are compiled.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { CallbacksOptions } from "../Callbacks.ts"
import { authUrlIn, authUrlProblems, fixForUncopied, isWebAddress, valueOf } from "./EnvironmentProblems.ts"
import { hostProblems } from "./HostProblems.ts"
import { hostPolicy, type HostPolicy } from "./HostPolicy.ts"
import { findMisspellings, misspeltGuards, readOptions } from "./ReadOptions.ts"
import { logoutProblems, needsVoucher, providerRisks, redactedFieldProblems } from "./ProviderAdvice.ts"
import type { Options, WaitUntil } from "./Options.ts"
import {
  advice,
  concerns,
  type ConfigurationError,
  dependsOnCookies,
  dependsOnStage,
  fatal,
  isFatal,
  partial,
  type Problem,
  risk,
  type Situation,
  summarize
} from "./Problem.ts"
import { stageOf } from "./Production.ts"
import { isLoopback } from "../http/NetworkAddress.ts"
import { type ProxiedOrigins, proxiedOrigins } from "./ProxiedOrigins.ts"
import { adapterOf, mailerOf, sharedStateOf } from "./Bindings.ts"
import { packageProblems, withPackage } from "./OptionalPackages.ts"
import { secretProblem } from "./SecretStrength.ts"
import { providerStorageProblems, storageProblem } from "./StorageNeeds.ts"
import { maxCookieLength, sizeWithout } from "../http/CookieHeader.ts"
import type { CookiePolicy } from "../http/Cookie.ts"
import { cookiesWith } from "./CookieProblems.ts"
import type { CookieHeader } from "../http/CookieHeader.ts"
import { InvalidConfiguration, MissingSecret, WeakSecret } from "../Errors.ts"
import { authUrlOf } from "./Environment.ts"
import type { EventsOptions } from "../Events.ts"
import { route } from "../http/AuthRequest.ts"
import { isSkipCsrfCheck } from "../internal/Markers.ts"
import { fixForQuotes, quotedValue } from "../internal/QuotedValue.ts"
import { ownMember, withoutPrototype } from "../internal/OwnProperty.ts"
import { areRetiredSecrets, momentOf, retiredSecretsProblem } from "../crypto/RetiredSecrets.ts"
import { unseen } from "../internal/RedactedView.ts"
import type { Mailer } from "../Mailer.ts"
import type { PagesOptions } from "../Models.ts"
import { disable, make as makeRegistry, type Registry } from "../Provider/internal/ReadProvider.ts"
import { type PageTheme, themeProblems } from "../pages/Theme.ts"
import type { SharedStateShape } from "../SharedState.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { DebugEnabled, ExperimentalWebAuthn, type Warning } from "../telemetry/Warnings.ts"

export type { JwtDecodeCall, Options, WaitUntil } from "./Options.ts"

export type { RetiredSecret } from "../crypto/RetiredSecrets.ts"

export type { ConfigurationError, Problem, Situation } from "./Problem.ts"

/**
 * One or more secrets, newest first.
 *
 * @category models
 * @since 0.1.0
 */
export type Secrets = readonly [Redacted.Redacted, ...Array<Redacted.Redacted>]

/**
 * The settings that every program reads. Times are in seconds.
 *
 * @category services
 * @since 0.1.0
 */
export class Settings extends Context.Service<
  Settings,
  {
    readonly secrets: Secrets
    /** Which host the public URL of a request has. */
    readonly hosts: HostPolicy
    /** Does this process run in production, by its environment variables and options? */
    readonly production: boolean
    /** Without a trailing slash; empty for the root. */
    readonly basePath: string
    readonly providers: Registry
    readonly session: {
      readonly strategy: "jwt" | "database"
      readonly maxAge: number
      /** Seconds after the sign-in at which a session ends in any case; `undefined` for never. */
      readonly absoluteMaxAge: number | undefined
      /** Seconds between two renewals of a session; `undefined` leaves it to the way in which the session is read. */
      readonly updateAge: number | undefined
      readonly generateSessionToken: NonNullable<Options["session"]>["generateSessionToken"]
      /** Do sessions outlive the browser? `"ask"`: the person decides. */
      readonly rememberMe: boolean | "ask"
      /** Seconds between two checks whether a session that is a token was revoked; `undefined` where none can be. */
      readonly revocationCheck: number | undefined
    }
    /** Storage, with a deadline for every call. */
    readonly adapter: AdapterShape | undefined
    readonly mailer: Mailer["Service"] | undefined
    /** The shared state of the options, where they name a store. */
    readonly sharedState: SharedStateShape | undefined
    /** Keeps the process alive until a mail is sent; without one the answer waits. */
    readonly waitUntil: WaitUntil | undefined
    /** The address of the client, by a header that the application trusts. */
    readonly clientAddress: Options["clientAddress"]
    readonly jwt: {
      readonly secrets: Secrets
      /** Earlier secrets that open session tokens until a time, in milliseconds since 1970. */
      readonly retired: ReadonlyArray<{ readonly secret: Redacted.Redacted; readonly until: number }>
      readonly maxAge: number
      /** Are cookies opened that are encrypted with A256GCM? */
      readonly acceptA256GCM: boolean
      readonly encode: NonNullable<Options["jwt"]>["encode"]
      readonly decode: NonNullable<Options["jwt"]>["decode"]
      /** The jwt options as written, for custom `encode` and `decode`. */
      readonly options: NonNullable<Options["jwt"]>
    }
    readonly pages: PagesOptions
    readonly theme: PageTheme
    readonly callbacks: CallbacksOptions
    readonly events: EventsOptions
    /** Are cookies `Secure`? `undefined` follows the scheme of the request. */
    readonly useSecureCookies: boolean | undefined
    readonly plainCookies: CookiePolicy
    readonly secureCookies: CookiePolicy
    readonly redirectProxyUrl: URL | undefined
    readonly redirectProxyOrigins: ProxiedOrigins
    readonly skipCsrfCheck: boolean
    /** What happens when a person proves an address that a user holds without proof. */
    readonly unprovenAddress: NonNullable<Options["unprovenAddress"]>
    /** Are the tokens of providers kept in a cookie? */
    readonly providerTokens: Options["providerTokens"]
    /** Problems of options that can be used nevertheless. */
    readonly problems: () => ReadonlyArray<Problem>
  }
>()("effect-doorman/config/Settings") {}

/**
 * The settings as a layer; fails with all problems of the options in one failure. It is no member of the class, so that
 * a bundle that only reads settings does not bring the compiler of the options.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<Settings, ConfigurationError> =>
  Layer.effect(
    Settings,
    Effect.suspend(() => Effect.fromResult(compile(options).settings))
  )

/**
 * What became of the options.
 *
 * @category models
 * @since 0.1.0
 */
export interface Compiled {
  /** The settings, or all problems in one failure; requests are taken to arrive over https where nothing says otherwise. */
  readonly settings: Result.Result<Settings["Service"], ConfigurationError>
  /** The same in a situation that is known. */
  readonly settingsIn: (situation: Situation) => Result.Result<Settings["Service"], ConfigurationError>
  /** All problems of the options; reads each provider. */
  readonly problems: () => ReadonlyArray<Problem>
  /** The same without the problems of single providers. */
  readonly problemsWithoutProviders: ReadonlyArray<Problem>
  readonly providerIds: ReadonlyArray<string>
  /** Where the process uses the configuration, as far as options and environment say it; with a request, where that is. */
  readonly situation: (request?: URL) => Situation
  /** Do two requests of this configuration have different problems? */
  readonly dependsOnRequest: boolean
  readonly warnings: ReadonlyArray<Warning>
  /** Known even when the rest is wrong, as the next two are: so that requests can be answered at the right address. */
  readonly hosts: HostPolicy
  readonly basePath: string
  /** The application's error page, when it is known. */
  readonly errorPage: string | undefined
  readonly theme: PageTheme
}

/** No members at all, not even inherited ones. */
const nothing: Readonly<Record<string, never>> = withoutPrototype({})

/** Default lifetime of a session: 30 days. */
const month = 30 * 24 * 60 * 60
/** Default time between two checks whether a session that is a token was revoked. */
const defaultCheck = 60
/** Default time between two renewals of a session in a database. */
const day = 24 * 60 * 60

/** Collects problems, so that one does not hide the next. */
const collector = (problems: Array<Problem>) => {
  const ofProviders: Array<() => ReadonlyArray<Problem>> = []
  return {
    problems,
    /** Problems that stop no other part, found only on demand: a configuration may be made for every request. */
    ofProviders,
    /** The value, or its substitute where there is a problem. */
    take: <A>(result: Result.Result<A, ConfigurationError>, instead: A, severity = fatal): A => {
      if (Result.isSuccess(result)) return result.success
      problems.push(severity(result.failure))
      return instead
    },
    add: (severity: typeof fatal, error: ConfigurationError | undefined): void => {
      if (error !== undefined) problems.push(severity(error))
    }
  }
}
type Collector = ReturnType<typeof collector>

/** Who asks: `createAuth`, an Effect application, or the function `Auth`, which shares its sessions with Auth.js. */
type Face = "functions" | "layers" | "drop-in"

/**
 * Compiles options: finds everything that is wrong with them, and works out what does not depend on a request. `known` are
 * problems that were found while the options were put together.
 *
 * @category constructors
 * @since 0.1.0
 */
export const compile = (given: Options, known: ReadonlyArray<Problem> = [], face: Face = "layers"): Compiled => {
  const options = withoutPrototype(given)
  const types = readOptions(options)
  const warnings: ReadonlyArray<Warning> = [
    ...(options.debug ? [DebugEnabled.value] : []),
    ...(options.experimental?.enableWebAuthn === true ? [ExperimentalWebAuthn.value] : [])
  ]
  const basePath = typeof options.basePath === "string" ? options.basePath.replace(/\/+$/, "") : "/auth"
  const isToldOfAddress = known.some(({ error }) => error.field === "AUTH_URL")
  const authUrl = authUrlIn(authUrlOf(given))
  const faults = collector([...known, ...types, ...(isToldOfAddress ? [] : authUrlProblems(authUrl, basePath))])
  const theme = themeOf(options.theme, faults)
  const hosts = hostPolicy(options)
  const site = hosts.origin === undefined ? undefined : new URL(hosts.origin)
  const publicSite = site ?? (authUrl !== undefined && isWebAddress(authUrl) ? new URL(authUrl) : undefined)
  const stage = stageOf(publicSite)
  const adapter = ownMember(given, "adapter")
  const hasUnreadableUrl = isToldOfAddress || (authUrl !== undefined && !isWebAddress(authUrl))
  const settings = settingsOf(
    { options, hasUnreadableUrl, hosts, stage, production: stage !== "development", basePath, theme, adapter, face },
    faults
  )
  const { problems } = faults
  const { useSecureCookies } = options
  // Once a request named a public host, no later one makes this development again: a client chooses the host it names.
  let isPublic = false
  const situation = (request = site): Situation => {
    isPublic ||= request !== undefined && !isLoopback(request.hostname)
    return {
      production: stage === undefined ? isPublic : stage === "production",
      cookies: cookiesOf(useSecureCookies ?? (request === undefined ? undefined : request.protocol === "https:"))
    }
  }
  const settingsIn: Compiled["settingsIn"] = (situation) => {
    const failure = problems.some((problem) => isFatal(problem, situation))
      ? summarize(allOf(faults), situation)
      : undefined
    return failure === undefined ? settings : Result.fail(failure)
  }
  const error: unknown = options.pages?.error
  return {
    settings: settingsIn({ ...situation(), cookies: situation().cookies ?? "secure" }),
    settingsIn,
    problems: () => allOf(faults),
    problemsWithoutProviders: problems,
    providerIds: Result.isSuccess(settings) ? settings.success.providers.identities.map(({ id }) => id) : [],
    situation,
    dependsOnRequest:
      site === undefined &&
      problems.some(
        (problem) =>
          (stage === undefined && dependsOnStage(problem)) ||
          (useSecureCookies === undefined && dependsOnCookies(problem))
      ),
    warnings,
    hosts,
    basePath,
    errorPage: typeof error === "string" && isPage(error) ? error : undefined,
    theme
  }
}

const allOf = ({ ofProviders, problems }: Collector): ReadonlyArray<Problem> => [
  ...problems,
  ...ofProviders.flatMap((find) => find())
]

/** A refresh of the tokens in one place can end those in the other (RFC 9700 section 4.14.2). */
const keptTwice = ({ providerTokens }: Options, adapter: AdapterShape | undefined): InvalidConfiguration | undefined =>
  providerTokens === "cookie" && adapter?.methods.has("listAccounts") && adapter.methods.has("updateAccount")
    ? new InvalidConfiguration({
        field: "providerTokens",
        detail: "providerTokens: the store keeps the tokens too, and a refresh in one place can end those in the other",
        fix: "Remove the option."
      })
    : undefined

const cookiesOf = (secure: boolean | undefined): Situation["cookies"] =>
  secure === undefined ? undefined : secure ? "secure" : "plain"

/**
 * Logs what does not stop the configuration in this situation: warnings, and problems that disable a part of it. A line
 * for which `isNew` returns `false` is left out. `examinesProviders` reads each provider for problems of its own.
 *
 * @category combinators
 * @since 0.1.0
 */
export const logProblems = (
  { problems, problemsWithoutProviders, warnings }: Compiled,
  situation: Situation,
  isNew: (line: string) => boolean = () => true,
  examinesProviders = true
): Effect.Effect<void> => {
  // A failure of the whole lists the other problems itself.
  const isStopped = problemsWithoutProviders.some((problem) => isFatal(problem, situation))
  const all = isStopped ? [] : examinesProviders ? problems() : problemsWithoutProviders
  const lines = [
    ...warnings.filter(({ _tag, message }) => isNew(`${_tag} ${message}`)).map((warning) => Effect.logWarning(warning)),
    ...all
      .filter((problem) => concerns(problem, situation))
      .filter(({ error }) => isNew(`${error._tag} ${error.field ?? ""} ${error.message}`))
      .map(({ error, level }) => (level === "error" ? Effect.logError(error) : Effect.logWarning(error)))
  ]
  return lines.length === 0 ? Effect.void : Effect.all(lines, { discard: true })
}

interface Input {
  readonly options: Options
  /** Is `AUTH_URL` set to what is no address? Then the missing origin has its problem already. */
  readonly hasUnreadableUrl: boolean
  readonly hosts: HostPolicy
  /** What the operator says of the process, if anything. */
  readonly stage: ReturnType<typeof stageOf>
  readonly production: boolean
  readonly basePath: string
  readonly theme: PageTheme
  readonly adapter: unknown
  readonly face: Face
}

/** The adapter, the mailer and the shared state, and the strategy of sessions that follows from the adapter. */
const storesOf = ({ adapter: given, options }: Input, found: Collector) => {
  const adapter = found.take(adapterOf(given), undefined)
  return {
    adapter,
    mailer: found.take(Result.flatMap(mailerOf(options.mailer), withPackage), undefined, partial),
    sharedState: found.take(sharedStateOf(options.sharedState, given), undefined),
    strategy: options.session?.strategy ?? (adapter === undefined ? "jwt" : "database")
  } as const
}
type Stores = ReturnType<typeof storesOf>

/** The providers. Problems of a single one stop no other part. */
const providersOf = (
  { face, hosts, options, production, stage }: Input,
  { adapter, mailer, strategy }: Stores,
  found: Collector
): Registry => {
  const storage = { strategy, methods: adapter?.methods }
  const registry = makeRegistry(options.providers, {
    redirectProxyUrl: options.redirectProxyUrl,
    surroundings: {
      hasAdapter: adapter !== undefined,
      enableWebAuthn: options.experimental?.enableWebAuthn === true,
      // While a site is developed, the terminal and the mailbox show its mails.
      hasMailer: mailer !== undefined || stage !== "production"
    },
    rejections: (definition) => [
      ...(production && hosts.voucher === "nothing" ? needsVoucher(definition) : []),
      ...misspeltGuards(definition.id, [definition.options, definition.preset]),
      ...providerStorageProblems(storage, definition),
      ...logoutProblems(definition, strategy === "database" || options.session?.revocation === true),
      ...packageProblems(definition),
      ...(face !== "layers" ? redactedFieldProblems(definition) : [])
    ]
  })
  for (const error of registry.duplicates) found.add(fatal, error)
  found.add(fatal, storageProblem(storage))
  found.add(advice, keptTwice(options, adapter))
  const misspelt = findMisspellings(options)
  found.problems.push(...misspelt.problems)
  // A global address is one problem, however many providers use it.
  const reportedFields = new Set(["redirectProxyUrl", ...misspelt.problems.map(({ error }) => error.field)])
  found.ofProviders.push(
    () => registry.problems().flatMap((error) => (reportedFields.has(error.field) ? [] : [partial(error)])),
    () =>
      providerRisks(registry, {
        hosts,
        production,
        list: options.redirectProxyOrigins,
        hasAdapter: adapter !== undefined
      })
  )
  return misspelt.closed === undefined ? registry : disable(registry, misspelt.closed)
}

const sessionOf = ({ session }: Options, strategy: Stores["strategy"]): Settings["Service"]["session"] => ({
  strategy,
  maxAge: session?.maxAge ?? month,
  absoluteMaxAge: session?.absoluteMaxAge,
  updateAge: session?.updateAge ?? (strategy === "database" ? day : undefined),
  generateSessionToken: session?.generateSessionToken,
  rememberMe: session?.rememberMe ?? true,
  revocationCheck:
    strategy === "jwt" && session?.revocation === true ? (session.revocationCheck ?? defaultCheck) : undefined
})

const settingsOf = (input: Input, found: Collector): Result.Result<Settings["Service"], ConfigurationError> => {
  const { basePath, hasUnreadableUrl, hosts, options, production, theme } = input
  if (!basePathPattern.test(basePath))
    found.add(
      fatal,
      new InvalidConfiguration({
        field: "basePath",
        detail: `basePath must begin with / and hold no empty segment, query, fragment or escape${valueOf(basePath)}`,
        fix: `Write ${JSON.stringify(sensiblePath(basePath))}.`
      })
    )
  const secrets = secretsOf("secret", options.secret, found)
  const jwtSecrets = options.jwt?.secret === undefined ? secrets : secretsOf("jwt.secret", options.jwt.secret, found)
  const retiredKeys = retiredOf(options.retiredSecrets, found)
  const { strategy, ...stores } = storesOf(input, found)
  const cookies = cookiesWith(options, found.problems, input.face === "drop-in")
  const redirectProxyUrl = found.take(proxyUrl(options.redirectProxyUrl), undefined, partial)
  const redirectProxyOrigins = found.take(proxiedOrigins(options.redirectProxyOrigins), () => false)
  const pages = pagesOf(basePath, options.pages, found)
  found.problems.push(...hostProblems(options, hosts, production && !hasUnreadableUrl))
  const providers = providersOf(input, { strategy, ...stores }, found)
  const session = sessionOf(options, strategy)
  return Result.map(Result.all([secrets, jwtSecrets]), ([secrets, jwtSecrets]) => ({
    secrets,
    hosts,
    production,
    basePath,
    providers,
    session,
    ...stores,
    waitUntil: options.waitUntil,
    clientAddress: options.clientAddress,
    jwt: {
      secrets: jwtSecrets,
      retired: retiredKeys,
      maxAge: options.jwt?.maxAge ?? session.maxAge,
      acceptA256GCM: options.jwt?.acceptA256GCM === true,
      encode: options.jwt?.encode,
      decode: options.jwt?.decode,
      options: options.jwt === undefined ? nothing : unseen(options.jwt)
    },
    pages,
    theme,
    callbacks: options.callbacks ?? nothing,
    events: options.events ?? nothing,
    useSecureCookies: options.useSecureCookies,
    plainCookies: cookies.plain,
    secureCookies: cookies.secure,
    redirectProxyUrl,
    redirectProxyOrigins,
    skipCsrfCheck: isSkipCsrfCheck(options.skipCSRFCheck),
    unprovenAddress: options.unprovenAddress ?? "ask",
    providerTokens: options.providerTokens,
    problems: () => allOf(found)
  }))
}

/** A base path that can be used, near the one that cannot. */
const sensiblePath = (basePath: string): string => {
  const path = `/${
    basePath
      .split(/[?#]/, 1)[0]
      ?.split("/")
      .filter((segment) => segment !== "")
      .join("/") ?? ""
  }`
  return path !== "/" && basePathPattern.test(path) ? path : "/auth"
}

/** Segments of RFC 3986 section 3.3 without escapes. With an empty one first, a path would read as a host. */
const basePathPattern = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*$/

/**
 * The cookies for a request: `Secure` by option, or by the scheme of its URL.
 *
 * @category combinators
 * @since 0.1.0
 */
export const cookiesFor = (settings: Settings["Service"], url: URL): CookiePolicy =>
  (settings.useSecureCookies ?? url.protocol === "https:") ? settings.secureCookies : settings.plainCookies

/**
 * Does a provider keep the ID token of its sessions? Only providers with the option for it are read.
 *
 * @category guards
 * @since 0.1.0
 */
export const keepsIdToken = ({ providers }: Settings["Service"]): boolean =>
  providers.identities.some(({ hasLogout, id }) => {
    const provider = hasLogout ? Result.getOrUndefined(providers.get(id)) : undefined
    return provider?._tag === "Oidc" && provider.logout !== undefined
  })

/**
 * Bytes of the cookies of a request, beside those that give way to a new sign-in attempt: earlier attempts and the callback URL.
 * The ID token of a session, which only requests to the sign-out show, counts as one of the largest size.
 *
 * @category combinators
 * @since 0.1.0
 */
export const sizeBesideAttempts = (
  settings: Settings["Service"],
  { cookies, url }: { readonly cookies: CookieHeader; readonly url: URL }
): number => {
  const { callbackUrl, flow, idToken, sessionToken } = cookiesFor(settings, url)
  const { values } = cookies
  const attempts = `${flow.name}.`
  const isIn = values.has(sessionToken.name) || values.has(`${sessionToken.name}.0`)
  const isUnseen = isIn && !values.has(idToken.name) && keepsIdToken(settings)
  const size = sizeWithout(cookies, (name) => name === callbackUrl.name || name.startsWith(attempts))
  return size + (isUnseen ? maxCookieLength : 0)
}

/** A value of the theme that no page can use is left out. */
const themeOf = (theme: Options["theme"], found: Collector): PageTheme => {
  if (typeof theme !== "object" || theme === null) return { colorScheme: "auto" }
  const problems = themeProblems(theme)
  for (const { field, reason } of problems)
    found.add(advice, new InvalidConfiguration({ field: `theme.${field}`, detail: `theme.${field} ${reason}` }))
  const usable = (field: keyof PageTheme) => !problems.some((problem) => problem.field === field)
  const { brandColor, buttonText, colorScheme, logo } = theme
  return {
    colorScheme: usable("colorScheme") && colorScheme ? colorScheme : "auto",
    ...(logo && usable("logo") ? { logo } : {}),
    ...(brandColor && usable("brandColor") ? { brandColor } : {}),
    ...(buttonText && usable("buttonText") ? { buttonText } : {})
  }
}

const secretsOf = (
  name: "secret" | "jwt.secret",
  value: string | ReadonlyArray<string> | undefined,
  found: Collector
): Result.Result<Secrets, MissingSecret> => {
  const variable: { variable?: string } = name === "secret" ? { variable: "AUTH_SECRET" } : {}
  const list = typeof value === "string" ? [value] : (value ?? [])
  // An empty secret has no key material.
  const [first, ...rest] = list.filter((secret) => secret !== "")
  if (first === undefined) {
    const missing = new MissingSecret({
      field: name,
      detail: `${name} is not set`,
      ...variable,
      ...(name === "secret" ? fixForUncopied("AUTH_SECRET") : {})
    })
    found.add(fatal, missing)
    return Result.fail(missing)
  }
  found.add(
    fatal,
    quotedValue(
      list.find((secret) => fixForQuotes(name, secret) !== undefined),
      { field: name, variable: variable.variable ?? name }
    )
  )
  for (const [index, secret] of list.entries()) {
    const problem = secretProblem(secret)
    if (problem === undefined) continue
    const fix: { fix?: string } = index === 0 ? {} : { fix: olderSecret }
    const subject = index === 0 ? name : `${name}[${index}]`
    found.add(risk, new WeakSecret({ field: name, detail: `${subject}: ${problem}`, ...variable, ...fix }))
  }
  return Result.succeed([toRedacted(first), ...rest.map(toRedacted)])
}

const olderSecret =
  "Move the older secret into retiredSecrets: [{ secret, until }], where it opens sessions until its date and nothing else."

const retiredOf = (list: unknown, found: Collector): Settings["Service"]["jwt"]["retired"] => {
  if (list === undefined) return []
  if (!areRetiredSecrets(list)) {
    const detail = `retiredSecrets${retiredSecretsProblem(list) ?? ""}`
    found.add(fatal, new InvalidConfiguration({ field: "retiredSecrets", detail }))
    return []
  }
  return list.map(({ secret, until }, index) => {
    const end = momentOf(until) ?? 0
    const problem = secretProblem(secret)
    const field = `retiredSecrets[${index}]`
    // The day alone: a date that is worked out for every request must not make another line each time.
    const day = new Date(end).toISOString().slice(0, 10)
    const detail = `${field}: ${problem}; an attacker who guesses it can make sessions until ${day}`
    if (problem !== undefined) found.add(advice, new WeakSecret({ field, detail, fix: "Remove it after its date." }))
    return { secret: toRedacted(secret), until: end }
  })
}

const toRedacted = (secret: string): Redacted.Redacted => Redacted.make(secret, { label: "secret" })

const proxyUrl = (value: string | undefined): Result.Result<URL | undefined, InvalidConfiguration> => {
  if (value === undefined || value === "") return Result.succeed(undefined)
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? Result.succeed(new URL(value))
    : Result.fail(
        new InvalidConfiguration({
          field: "redirectProxyUrl",
          detail: `redirectProxyUrl must be an absolute http or https URL${valueOf(value)}`,
          fix:
            fixForQuotes("AUTH_REDIRECT_PROXY_URL", value) ??
            "Write the whole address, such as https://site.example/auth.",
          variable: "AUTH_REDIRECT_PROXY_URL"
        })
      )
}

/** The pages of the application that can be shown; the library shows its own in place of the others. */
const pagesOf = (basePath: string, pages: Options["pages"], found: Collector): PagesOptions => {
  if (pages === undefined) return nothing
  const usable = Object.entries(pages).filter(([name, page]) => {
    const reason =
      typeof page !== "string" || isPage(page)
        ? isLoop(basePath, pages, page)
          ? "leads back to itself"
          : undefined
        : "must be a path that begins with / or an absolute http(s) URL"
    const field = `pages.${name}`
    if (reason !== undefined)
      found.add(partial, new InvalidConfiguration({ field, detail: `${field} ${reason}: the built-in page is shown` }))
    return reason === undefined
  })
  return withoutPrototype(Object.fromEntries(usable))
}

const isPage = (page: string): boolean =>
  /^\/(?![/\\])[^\s\\]*$/.test(page) || (/^https?:\/\//.test(page) && URL.canParse(page) && !/[\s\\]/.test(page))

/** The actions that show a page, and the option that replaces it. */
const pageOf: { readonly [action: string]: "signIn" | "signOut" | "error" | "verifyRequest" } = {
  signin: "signIn",
  signout: "signOut",
  error: "error",
  "verify-request": "verifyRequest"
}

/** Does a page that is one of the actions again never end at a page that is shown? Browsers would go round in circles. */
const isLoop = (basePath: string, pages: PagesOptions, page: string | undefined): boolean => {
  let next = page
  for (let steps = 0; typeof next === "string" && next.startsWith("/"); steps++) {
    if (steps > 4) return true
    const action: string | undefined = route(basePath, new URL(next, "http://localhost").pathname)?.action
    const replacement = action === undefined || !Object.hasOwn(pageOf, action) ? undefined : pageOf[action]
    next = replacement === undefined ? undefined : pages[replacement]
  }
  return false
}
