/**
 * The options of a configuration for Effect.
 *
 * @since 0.1.0
 */
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { CallbacksOptions } from "../Callbacks.ts"
import type { Inside, OrConfig } from "../internal/OrConfig.ts"
import type { Options } from "../config/Options.ts"
import type { DoormanCookies, DoormanJwt, DoormanSession, Secrets } from "./PlainOptions.ts"
import { InvalidConfiguration } from "../Errors.ts"
import type { EventsOptions } from "../Events.ts"
import type { RetiredSecret } from "../crypto/RetiredSecrets.ts"
import type { LayerConfigProvider, LayerProvider } from "../Provider/internal/LayerProvider.ts"

export type { DoormanJwt, DoormanSession } from "./PlainOptions.ts"

/**
 * The options of `Doorman.layer`. Storage and mail may be Effects, such as `Adapter` and `Mailer` themselves. What
 * they require has type parameters of its own, so that the compiler infers it without the callbacks and events.
 *
 * @category models
 * @since 0.1.0
 */
export interface DoormanOptions<R = never, Storage = never, Mail = never> extends Omit<
  Options<R>,
  "adapter" | "cookies" | "jwt" | "mailer" | "providers" | "raw" | "retiredSecrets" | "secret" | "session"
> {
  /** Provider objects, or factories of them: secrets are redacted, times are durations. */
  providers: ReadonlyArray<LayerProvider<R>>
  adapter?: Options<Storage>["adapter"]
  mailer?: Options<Mail>["mailer"]
  /** Newest first; the first one seals, all of them open. At least 16 random bytes each, or 32 characters. */
  secret?: Secrets | undefined
  /** Earlier secrets that open session tokens until their date. */
  retiredSecrets?: ReadonlyArray<RetiredSecret<Redacted.Redacted>> | undefined
  /** Names and attributes of cookies that differ from the defaults. */
  cookies?: DoormanCookies | undefined
  session?: DoormanSession<R> | undefined
  jwt?: DoormanJwt<R> | undefined
}

/** A member that is none of the functions is a mistake, such as `singIn`. */
type Known<Given, Functions> = Given & {
  readonly [Name in keyof Given]: Name extends keyof Functions ? unknown : "There is no such function"
}

/**
 * The same. What each function answers is kept apart by its option, so that the compiler finds what all of them require.
 *
 * @category models
 * @since 0.1.0
 */
export interface LayerOptions<
  CallbackHandlers,
  EventHandlers,
  Storage,
  Mail,
  Given = ReadonlyArray<LayerProvider>,
  Tokens = DoormanJwt,
  Sessions = DoormanSession
> extends Omit<DoormanOptions<never, Storage, Mail>, "callbacks" | "events" | "jwt" | "providers" | "session"> {
  /** Provider objects, or factories of them. */
  providers: Given
  callbacks?: Known<CallbackHandlers, CallbacksOptions> | undefined
  events?: Known<EventHandlers, EventsOptions> | undefined
  jwt?: Known<Tokens, DoormanJwt> | undefined
  session?: Known<Sessions, DoormanSession> | undefined
}

/** The options that are data: each value in them may be a `Config`. @internal */
export const dataOptions = [
  "basePath",
  "cookies",
  "debug",
  "experimental",
  "interchangeable",
  "jwt",
  "pages",
  "providerTokens",
  "redirectProxyOrigins",
  "retiredSecrets",
  "secret",
  "session",
  "theme",
  "trustedHosts",
  "trustHost",
  "unprovenAddress",
  "useSecureCookies"
] as const satisfies ReadonlyArray<keyof DoormanOptions>

/** @internal */
export type Data = (typeof dataOptions)[number]

/** The options that are data, from Config. */
type FromConfig = { [Name in Data]?: OrConfig<DoormanOptions[Name]> | undefined }

/**
 * The options of `Doorman.layerConfig`: each value of what is data may be a `Config`, in objects and lists and in what
 * factories of providers are given. A `Config` without a value stops the layer; that of a provider disables the provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface LayerConfigOptions<
  CallbackHandlers,
  EventHandlers,
  Storage,
  Mail,
  Given = ReadonlyArray<LayerConfigProvider>,
  Tokens = Inside<DoormanJwt>,
  Sessions = Inside<DoormanSession>
>
  extends
    Omit<
      LayerOptions<CallbackHandlers, EventHandlers, Storage, Mail, Given, Tokens, Sessions>,
      Exclude<Data, "jwt" | "session"> | "origin" | "redirectProxyUrl"
    >,
    Omit<FromConfig, "jwt" | "session"> {
  /** Default: the origin of `AUTH_URL`. */
  readonly origin?: string | undefined | Config.Config<string | URL>
  readonly redirectProxyUrl?: string | undefined | Config.Config<string | URL>
}

/** What the functions of the options require is in the type of the layer, and provided to them at each call. @internal */
export type Provided<Storage, Mail> = LayerConfigOptions<CallbacksOptions, EventsOptions, Storage, Mail>

/** Options may be written without types, and whatever reading them throws is theirs. @internal */
export const unreadable = (cause: unknown): Effect.Effect<never, InvalidConfiguration> =>
  Effect.fail(new InvalidConfiguration({ field: "options", detail: "The options could not be read", cause }))
