import type * as Config from "effect/Config";
import * as Context from "effect/Context";
import * as HttpClient from "effect/http/HttpClient";
import * as Layer from "effect/Layer";
import type { AnswerKind } from "./internal/Answer.ts";
import { type ConfigurationError } from "./config/Settings.ts";
import type { CallbacksOptions } from "./Callbacks.ts";
import { type DoormanJwt, type DoormanSession, type LayerOptions } from "./composition/DoormanOptions.ts";
import type { EventsOptions } from "./Events.ts";
import type { Needs, NeedsOfProvider } from "./composition/Needs.ts";
import type { StorageCheck } from "./config/StorageCheck.ts";
import type { LayerProvider, ProviderChecks } from "./Provider/internal/LayerProvider.ts";
export type { DoormanOptions } from "./composition/DoormanOptions.ts";
export type { ConfigurationError } from "./config/Settings.ts";
export type { LayerOptions } from "./composition/DoormanOptions.ts";
export type { Needs, NeedsOfProvider } from "./composition/Needs.ts";
export type { DoormanCookies, DoormanJwt, DoormanSession } from "./composition/DoormanOptions.ts";
export type { StorageCheck } from "./config/StorageCheck.ts";
export type { JwtDecodeCall, JwtEncodeCall } from "./config/Options.ts";
export type { Time } from "./internal/Times.ts";
export type { AnswerKind } from "./internal/Answer.ts";
export type { LayerProvider, ProviderChecks } from "./Provider/internal/LayerProvider.ts";
export type { RetiredSecret } from "./crypto/RetiredSecrets.ts";
export type { AdapterShape, PromiseAdapter } from "./Adapter.ts";
export interface CompiledDoorman {
    readonly "~effect-doorman/Doorman": "effect-doorman/Doorman";
}
declare const Doorman_base: Context.ServiceClass<Doorman, "effect-doorman/Doorman", CompiledDoorman>;
export declare class Doorman extends Doorman_base {
    static readonly layer: <const Given extends ReadonlyArray<LayerProvider<AnswerKind>>, CallbackHandlers extends CallbacksOptions<unknown> | undefined = CallbacksOptions, EventHandlers extends EventsOptions<unknown> | undefined = EventsOptions, Storage = never, Mail = never, Tokens extends DoormanJwt<unknown> | undefined = DoormanJwt, Sessions extends DoormanSession<unknown> | undefined = undefined, Store = unknown>(options: StorageCheck<Given, NoInfer<Store>, NoInfer<Sessions>> & LayerOptions<CallbackHandlers, EventHandlers, Storage, Mail, Given, Tokens, Sessions> & {
        readonly adapter?: Store;
    } & ProviderChecks<Given>) => Layer.Layer<Doorman, ConfigurationError, HttpClient.HttpClient | NeedsOfProvider<Given[number]> | Needs<CallbackHandlers | EventHandlers | Tokens | Sessions> | Storage | Mail>;
    static readonly layerConfig: <const Given extends ReadonlyArray<LayerProvider<AnswerKind>>, CallbackHandlers extends CallbacksOptions<unknown> | undefined = CallbacksOptions, EventHandlers extends EventsOptions<unknown> | undefined = EventsOptions, Storage = never, Mail = never, Tokens extends DoormanJwt<unknown> | undefined = DoormanJwt, Sessions extends DoormanSession<unknown> | undefined = undefined, Store = unknown>(options: StorageCheck<Given, NoInfer<Store>, NoInfer<Sessions>> & LayerOptions<CallbackHandlers, EventHandlers, Storage, Mail, Given, Tokens, Sessions> & {
        readonly adapter?: Store;
    } & ProviderChecks<Given>) => Layer.Layer<Doorman, ConfigurationError | Config.ConfigError, HttpClient.HttpClient | NeedsOfProvider<Given[number]> | Needs<CallbackHandlers | EventHandlers | Tokens | Sessions> | Storage | Mail>;
}
