/**
 * One configuration at work in an Effect application: its settings, its services, and what it keeps for each request.
 *
 * `Auth.layer` makes it, the mounts and middlewares of `Http.ts` and `Rpc.ts` stand on it. Two of them share nothing, so an
 * application can have as many as it has tenants.
 *
 * @since 0.1.0
 */
import * as Cookies from "effect/http/Cookies"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Audit } from "./audit/Trail.ts"
import { type AuthConfig, compile, type ConfigurationError, logProblems } from "./AuthConfig.ts"
import { logMissingPackages } from "./config/OptionalPackages.ts"
import { fatal, type Problem } from "./config/Problem.ts"
import type { CookiePolicy, CookieTemplate } from "./Cookie.ts"
import * as EndedSessions from "./EndedSessions.ts"
import { InvalidConfiguration } from "./Errors.ts"
import { ProofUses } from "./actions/ProofUses.ts"
import * as FlowLedger from "./FlowLedger.ts"
import * as RandomPool from "./internal/RandomPool.ts"
import { Keyring } from "./Keyring.ts"
import { decide, LinkingPolicy } from "./Login.ts"
import * as MailThrottle from "./mail/MailThrottle.ts"
import { builtIn, PageRenderer } from "./PageRenderer.ts"
import {
  debugging,
  type LayerOptions,
  logging,
  make as makeServices,
  type Platform,
  type Services,
  supply
} from "./Services.ts"
import { SessionPolicy } from "./SessionPolicy.ts"
import * as SignInThrottle from "./SignInThrottle.ts"
import { Measuring } from "./telemetry/Meters.ts"

/**
 * The options of a doorman.
 *
 * @category models
 * @since 0.1.0
 */
export type DoormanOptions<R = never, Storage = never, Mail = never> = LayerOptions<R, Storage, Mail>

/**
 * A configuration at work.
 *
 * @category services
 * @since 0.1.0
 */
export class Doorman extends Context.Service<
  Doorman,
  {
    readonly settings: AuthConfig["Service"]
    /** Everything that the programs of the library ask for, besides the request. */
    readonly services: Context.Context<Services | Platform>
    /**
     * Why the options cannot be used at this address, such as a weak secret at a public one. Absent where every address has
     * the same answer, which the layer gave when it was built.
     */
    readonly refusal?: ((url: URL) => ConfigurationError | undefined) | undefined
  }
>()("effect-doorman/Doorman") {}

/**
 * Makes a doorman from options. Fails with all problems of the options in one failure; `known` are some that were found
 * before.
 *
 * A service or reference of the context goes before what the options say: `Keyring`, `SessionPolicy`, `Callbacks`, `Events`,
 * `Seal`, `SecureRandom`, `LinkingPolicy`, `PageRenderer`, `Audit`, `Measuring`, and the memories `FlowLedger`, `SignInThrottle`,
 * `MailThrottle` and `EndedSessions`, which are otherwise its own. What is there where a request is answered counts for
 * `Audit` and `Measuring` alone, when the context has none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(
  function* <R = never, Storage = never, Mail = never>(
    options: DoormanOptions<R, Storage, Mail>,
    known: ReadonlyArray<Problem> = []
  ): Effect.fn.Return<Doorman["Service"], ConfigurationError, HttpClient.HttpClient | R | Storage | Mail> {
    const context = yield* Effect.context<HttpClient.HttpClient | R | Storage | Mail>()
    const problems = [...known]
    const collected = <A>(result: Result.Result<A, InvalidConfiguration>): A | undefined => {
      if (Result.isFailure(result)) problems.push(fatal(result.failure))
      return Result.getOrUndefined(result)
    }
    const times = collected(timesOf(options.session, context)) ?? options.session
    const own = yield* supply<HttpClient.HttpClient | R | Storage | Mail>(replaced(options, times, context), context)
    const logger = own.logger !== undefined ? logging(own) : own.debug ? debugging : Context.empty()
    const compiled = compile(own, problems)
    yield* Effect.provideContext(logProblems(compiled, compiled.situation()), logger)
    const settings = yield* Effect.fromResult(compiled.settingsIn(compiled.situation()))
    yield* Effect.provideContext(logMissingPackages(settings.providers), logger)
    yield* Effect.fromResult(writable(settings.plainCookies))
    yield* Effect.fromResult(writable(settings.secureCookies))
    const platform = Context.make(HttpClient.HttpClient, Context.get(context, HttpClient.HttpClient)).pipe(
      Context.add(
        SecureRandom.SecureRandom,
        Context.getOrElse(context, SecureRandom.SecureRandom, () =>
          SecureRandom.make(RandomPool.make(RandomPool.system))
        )
      )
    )
    const services = Context.mergeAll(makeServices(settings, platform, context), references(context), logger)
    const refusal = (url: URL) => Option.getOrUndefined(Result.getFailure(compiled.settingsIn(compiled.situation(url))))
    return { settings, services, ...(compiled.dependsOnRequest ? { refusal } : {}) }
  },
  (program) => Effect.catchDefect(program, unreadable)
)

/** Options may be written without types, and whatever reading them throws is theirs. @internal */
export const unreadable = (cause: unknown): Effect.Effect<never, InvalidConfiguration> =>
  Effect.fail(new InvalidConfiguration({ field: "options", detail: "The options could not be read", cause }))

type Times = LayerOptions["session"]

/** The times of the `SessionPolicy`, where there is one. */
const timesOf = (session: Times, context: Context.Context<never>): Result.Result<Times, InvalidConfiguration> => {
  const policy = Option.getOrUndefined(Context.getOption(context, SessionPolicy))
  if (policy === undefined) return Result.succeed(session)
  const { maxAge, updateAge } = policy
  return Result.gen(function* () {
    const seconds = yield* secondsOf("maxAge", maxAge)
    if (updateAge === undefined) return { ...session, maxAge: seconds }
    return { ...session, maxAge: seconds, updateAge: yield* secondsOf("updateAge", updateAge) }
  })
}

const secondsOf = (name: string, time: Duration.Input): Result.Result<number, InvalidConfiguration> =>
  Result.fromOption(
    Option.map(Duration.fromInput(time), Duration.toSeconds),
    () =>
      new InvalidConfiguration({
        field: `SessionPolicy.${name}`,
        detail: `SessionPolicy.${name} must be a duration, such as "8 hours"`
      })
  )

/** Secrets and times from services, where the application has them there. */
const replaced = <R, Storage, Mail>(
  options: LayerOptions<R, Storage, Mail>,
  session: Times,
  context: Context.Context<R>
): LayerOptions<R, Storage, Mail> => {
  const keyring = Option.getOrUndefined(Context.getOption(context, Keyring))
  return {
    ...options,
    session,
    ...(keyring === undefined ? {} : { secret: keyring.secrets }),
    ...(keyring?.retired === undefined ? {} : { retiredSecrets: keyring.retired })
  }
}

/**
 * The references that count for this doorman: those that the application gave to its layer. Memories are its own otherwise,
 * and what decides is the library's: nothing that is set where a request is answered changes it.
 */
const references = (context: Context.Context<never>): Context.Context<never> => {
  const own = Context.make(FlowLedger.FlowLedger, FlowLedger.makeMemory()).pipe(
    Context.add(SignInThrottle.SignInThrottle, SignInThrottle.makeMemory()),
    Context.add(MailThrottle.MailThrottle, MailThrottle.makeMemory()),
    Context.add(EndedSessions.EndedSessions, EndedSessions.makeMemory()),
    Context.add(ProofUses, EndedSessions.makeMemory()),
    Context.add(LinkingPolicy, decide),
    Context.add(PageRenderer, builtIn)
  )
  const made = new Map<string, unknown>(own.mapUnsafe)
  for (const key of [...made.keys(), Audit.key, Measuring.key]) {
    if (context.mapUnsafe.has(key)) made.set(key, context.mapUnsafe.get(key))
  }
  return Context.makeUnsafe(made)
}

/** Effect's servers write a cookie by stricter rules than browsers read one: what they would refuse is found here. */
const writable = (policy: CookiePolicy): Result.Result<void, InvalidConfiguration> => {
  const templates: ReadonlyArray<[string, CookieTemplate]> = Object.entries<CookieTemplate>({ ...policy })
  for (const [name, { name: cookie, options }] of templates) {
    const { domain, path } = options
    const written = Cookies.makeCookie(cookie, "", {
      ...(domain === undefined ? {} : { domain }),
      ...(path === undefined ? {} : { path })
    })
    if (Result.isFailure(written)) {
      return Result.fail(
        new InvalidConfiguration({
          field: `cookies.${name}`,
          detail: `cookies.${name}: name, domain or path cannot be written by Effect's servers`
        })
      )
    }
  }
  return Result.void
}
