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
import * as Schema from "effect/Schema"
import type { CallbacksOptions } from "./Callbacks.ts"
import { type Options, OptionsSchema } from "./config/Options.ts"
import { type ProxiedOrigins, proxiedOrigins } from "./config/ProxiedOrigins.ts"
import { adapterOf, mailerOf } from "./config/Bindings.ts"
import { secretProblem } from "./config/SecretStrength.ts"
import { storageProblem } from "./config/StorageNeeds.ts"
import { check as checkCookies, type CookiePolicy, policy } from "./Cookie.ts"
import {
  InvalidConfiguration,
  type MissingAdapter,
  type MissingAdapterMethods,
  MissingSecret,
  UntrustedHost,
  WeakSecret
} from "./Errors.ts"
import type { EventsOptions } from "./Events.ts"
import { route } from "./AuthRequest.ts"
import { isSkipCsrfCheck } from "./internal/Markers.ts"
import { ownMember, withoutPrototype } from "./internal/OwnMembers.ts"
import { unseen } from "./internal/Unseen.ts"
import type { Mailer } from "./Mailer.ts"
import type { PagesOptions } from "./Models.ts"
import type { ProviderProblem } from "./Provider/Problems.ts"
import { make as makeRegistry, type Registry } from "./Provider/Registry.ts"
import { type PageTheme, themeProblems } from "./pages/Theme.ts"
import type { AdapterShape } from "./storage/AdapterShape.ts"
import { DebugEnabled, ExperimentalWebAuthn, type Warning } from "./Warnings.ts"

export type {
  JwtDecodeCall,
  JwtEncodeCall,
  JwtOptions,
  LoggerInstance,
  Options,
  SessionOptions
} from "./config/Options.ts"

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
export class AuthConfig extends Context.Service<
  AuthConfig,
  {
    readonly secrets: Secrets
    /** Without a trailing slash; empty for the root. */
    readonly basePath: string
    readonly providers: Registry
    readonly session: {
      readonly strategy: "jwt" | "database"
      readonly maxAge: number
      /** Seconds between two renewals of a session; `undefined` renews at every read. */
      readonly updateAge: number | undefined
      readonly generateSessionToken: (() => string) | undefined
    }
    /** Storage, with a deadline for every call. */
    readonly adapter: AdapterShape | undefined
    readonly mailer: Mailer["Service"] | undefined
    readonly jwt: {
      readonly secrets: Secrets
      readonly maxAge: number
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
    /** Is what begins here written so that Auth.js can finish it? */
    readonly interchangeable: boolean
  }
>()("effect-doorman/AuthConfig") {
  /**
   * The settings as a layer; fails with the first problem of the options.
   *
   * @since 0.1.0
   */
  static readonly layer = (options: Options): Layer.Layer<AuthConfig, ConfigurationError> =>
    Layer.suspend(() => {
      const { settings } = compile(options)
      return Result.isSuccess(settings) ? Layer.succeed(AuthConfig, settings.success) : failing(settings.failure)
    })
}

const failing = (error: ConfigurationError): Layer.Layer<AuthConfig, ConfigurationError> =>
  Layer.effect(AuthConfig, Effect.fail(error))

/**
 * A problem of the options: the operator's to solve.
 *
 * @category errors
 * @since 0.1.0
 */
export type ConfigurationError =
  | InvalidConfiguration
  | MissingAdapter
  | MissingAdapterMethods
  | MissingSecret
  | ProviderProblem
  | UntrustedHost
  | WeakSecret

/**
 * What became of the options.
 *
 * @category models
 * @since 0.1.0
 */
export interface Compiled {
  readonly settings: Result.Result<AuthConfig["Service"], ConfigurationError>
  readonly warnings: ReadonlyArray<Warning>
  /** Known even when the rest is wrong, so that the right paths can be answered. */
  readonly basePath: string
  /** The application's error page, when it is known. */
  readonly errorPage: string | undefined
  readonly theme: PageTheme
}

const decode = Schema.decodeUnknownResult(OptionsSchema)

/** The path of the first option that is not what it must be. */
const fieldOf = (error: Schema.SchemaError): string => {
  const path = /at (\[.*\])/.exec(error.message)?.[1] ?? ""
  return path
    .split(/[[\]]+/)
    .filter((part) => part !== "")
    .map((part) => part.replaceAll('"', ""))
    .join(".")
}

/** No members at all, not even inherited ones. */
const nothing: Readonly<Record<string, never>> = withoutPrototype({})

/** Default lifetime of a session: 30 days. */
const month = 30 * 24 * 60 * 60
/** Default time between two renewals of a session in a database. */
const day = 24 * 60 * 60

/**
 * Compiles options. Nothing is derived, fetched or normalised yet that a request might not need.
 *
 * @category constructors
 * @since 0.1.0
 */
export const compile = (given: Options): Compiled => {
  const options = withoutPrototype(given)
  const warnings: ReadonlyArray<Warning> = [
    ...(options.debug === true ? [DebugEnabled.value] : []),
    ...(options.experimental?.enableWebAuthn === true ? [ExperimentalWebAuthn.value] : [])
  ]
  const basePath = typeof options.basePath === "string" ? options.basePath.replace(/\/+$/, "") : "/auth"
  const theme = themeOf(options.theme)
  const error: unknown = options.pages?.error
  const errorPage = typeof error === "string" && isPage(error) ? error : undefined
  return {
    settings: Result.flatMap(theme, (theme) => settingsOf(options, basePath, theme, ownMember(given, "adapter"))),
    warnings,
    basePath,
    errorPage,
    theme: Result.getOrElse(theme, () => ({ colorScheme: "auto" as const }))
  }
}

const settingsOf = (
  options: Options,
  basePath: string,
  theme: PageTheme,
  givenAdapter: unknown
): Result.Result<AuthConfig["Service"], ConfigurationError> =>
  Result.gen(function* () {
    yield* decode(options).pipe(
      Result.mapError((error) => new InvalidConfiguration({ field: fieldOf(error), detail: error.message }))
    )
    if (options.trustHost !== true)
      return yield* Result.fail(
        new UntrustedHost({
          field: "trustHost",
          detail: "trustHost is not set: the host of requests cannot be believed"
        })
      )
    if (!basePathPattern.test(basePath)) {
      return yield* Result.fail(
        new InvalidConfiguration({
          field: "basePath",
          detail: "basePath must begin with / and hold no empty segment, query, fragment or escape"
        })
      )
    }
    const secrets = yield* secretsOf("secret", options.secret)
    const jwtSecrets = options.jwt?.secret === undefined ? secrets : yield* secretsOf("jwt.secret", options.jwt.secret)
    const adapter = yield* adapterOf(givenAdapter)
    const mailer = yield* mailerOf(options.mailer)
    const strategy = options.session?.strategy ?? (adapter === undefined ? "jwt" : "database")
    const own = options.cookies
    const plainCookies = own === undefined ? defaultCookies.plain : yield* checkCookies(policy(false, own))
    const secureCookies = own === undefined ? defaultCookies.secure : yield* checkCookies(policy(true, own))
    const redirectProxyUrl = yield* proxyUrl(options.redirectProxyUrl)
    const redirectProxyOrigins = yield* proxiedOrigins(options.redirectProxyOrigins)
    yield* pagePaths(options.pages ?? {})
    yield* pageLoops(basePath, options.pages ?? {})
    const providers = makeRegistry(options.providers, {
      redirectProxyUrl: options.redirectProxyUrl,
      surroundings: {
        hasAdapter: adapter !== undefined,
        enableWebAuthn: options.experimental?.enableWebAuthn === true,
        hasMailer: mailer !== undefined
      }
    })
    const types = new Set(providers.identities.map(({ type }) => type))
    const lacking = storageProblem({ strategy, types, methods: adapter?.methods })
    const [problem = lacking] = providers.problems()
    if (problem !== undefined) return yield* Result.fail(problem)
    const maxAge = options.session?.maxAge ?? month
    return {
      secrets,
      basePath,
      providers,
      session: {
        strategy,
        maxAge,
        updateAge: options.session?.updateAge ?? (strategy === "database" ? day : undefined),
        generateSessionToken: options.session?.generateSessionToken
      },
      adapter,
      mailer,
      jwt: {
        secrets: jwtSecrets,
        maxAge: options.jwt?.maxAge ?? maxAge,
        encode: options.jwt?.encode,
        decode: options.jwt?.decode,
        options: unseen(options.jwt ?? {})
      },
      pages: options.pages ?? nothing,
      theme,
      callbacks: options.callbacks ?? nothing,
      events: options.events ?? nothing,
      useSecureCookies: options.useSecureCookies,
      plainCookies,
      secureCookies,
      redirectProxyUrl,
      redirectProxyOrigins,
      skipCsrfCheck: isSkipCsrfCheck(options.skipCSRFCheck),
      interchangeable: options.interchangeable === true
    }
  })

/** Segments of RFC 3986 section 3.3 without escapes. With an empty one first, a path would read as a host. */
const basePathPattern = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*$/

const defaultCookies = { plain: policy(false), secure: policy(true) }

/**
 * The cookies for a request: `Secure` by option, or by the scheme of its URL.
 *
 * @category combinators
 * @since 0.1.0
 */
export const cookiesFor = (settings: AuthConfig["Service"], url: URL): CookiePolicy =>
  (settings.useSecureCookies ?? url.protocol === "https:") ? settings.secureCookies : settings.plainCookies

/** What a field of the theme says is checked here, and harmless on the page even so. */
const themeOf = (theme: Options["theme"]): Result.Result<PageTheme, InvalidConfiguration> => {
  if (theme === undefined || theme === null) return Result.succeed({ colorScheme: "auto" })
  const [problem] = themeProblems(theme)
  if (problem !== undefined)
    return Result.fail(
      new InvalidConfiguration({ field: `theme.${problem.field}`, detail: `theme.${problem.field} ${problem.reason}` })
    )
  const { brandColor, buttonText, colorScheme, logo } = theme
  return Result.succeed({
    colorScheme: colorScheme ?? "auto",
    ...(logo ? { logo } : {}),
    ...(brandColor ? { brandColor } : {}),
    ...(buttonText ? { buttonText } : {})
  })
}

const secretsOf = (
  name: string,
  value: string | ReadonlyArray<string> | undefined
): Result.Result<Secrets, MissingSecret | WeakSecret> => {
  const [first, ...rest] = typeof value === "string" ? [value] : (value ?? [])
  if (first === undefined || (first === "" && rest.length === 0)) {
    return Result.fail(new MissingSecret({ field: name, detail: `${name} is not set` }))
  }
  for (const secret of [first, ...rest]) {
    const problem = secretProblem(secret)
    if (problem !== undefined) return Result.fail(new WeakSecret({ field: name, detail: `${name}: ${problem}` }))
  }
  return Result.succeed([redacted(first), ...rest.map(redacted)])
}

const redacted = (secret: string): Redacted.Redacted => Redacted.make(secret, { label: "secret" })

const proxyUrl = (value: string | undefined): Result.Result<URL | undefined, InvalidConfiguration> => {
  if (value === undefined || value === "") return Result.succeed(undefined)
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? Result.succeed(new URL(value))
    : Result.fail(
        new InvalidConfiguration({
          field: "redirectProxyUrl",
          detail: "redirectProxyUrl must be an absolute http or https URL"
        })
      )
}

/** A page is a path of this site or an absolute web address; it may have a query of its own. */
const pagePaths = (pages: PagesOptions): Result.Result<void, InvalidConfiguration> => {
  for (const [name, page] of Object.entries(pages)) {
    if (typeof page === "string" && !isPage(page)) {
      return Result.fail(
        new InvalidConfiguration({
          field: `pages.${name}`,
          detail: `pages.${name} must be a path that begins with / or an absolute http(s) URL`
        })
      )
    }
  }
  return Result.void
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

/** A page that is one of the actions again must end at a page that is shown, or browsers go round in circles. */
const pageLoops = (basePath: string, pages: PagesOptions): Result.Result<void, InvalidConfiguration> => {
  for (const [name, page] of Object.entries(pages)) {
    let next: string | undefined = page
    for (let steps = 0; typeof next === "string" && next.startsWith("/"); steps++) {
      const action: string | undefined = route(basePath, new URL(next, "http://localhost").pathname)?.action
      const replaced = action === undefined || !Object.hasOwn(pageOf, action) ? undefined : pageOf[action]
      if (steps > 4)
        return Result.fail(
          new InvalidConfiguration({ field: `pages.${name}`, detail: `pages.${name} leads back to itself` })
        )
      next = replaced === undefined ? undefined : pages[replaced]
    }
  }
  return Result.void
}
