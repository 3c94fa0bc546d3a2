import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as HttpClient from "effect/http/HttpClient";
import { type AuthConfig, type ConfigurationError } from "./AuthConfig.ts";
import type { Problem } from "./config/Problem.ts";
import { type LayerOptions, type Platform, type Services } from "./Services.ts";
export type DoormanOptions<R = never, Storage = never, Mail = never> = LayerOptions<R, Storage, Mail>;
declare const Doorman_base: Context.ServiceClass<Doorman, "effect-doorman/Doorman", {
    readonly settings: AuthConfig["Service"];
    readonly services: Context.Context<Services | Platform>;
    readonly servicesHere: Effect.Effect<Context.Context<Services | Platform>>;
    readonly refusal?: ((url: URL) => ConfigurationError | undefined) | undefined;
}>;
export declare class Doorman extends Doorman_base {
}
export declare const make: <R = never, Storage = never, Mail = never>(options: DoormanOptions<R, Storage, Mail>, known?: readonly Problem[] | undefined) => Effect.Effect<{
    readonly settings: AuthConfig["Service"];
    readonly services: Context.Context<Services | Platform>;
    readonly servicesHere: Effect.Effect<Context.Context<Services | Platform>>;
    readonly refusal?: ((url: URL) => ConfigurationError | undefined) | undefined;
}, ConfigurationError, Mail | R | Storage | HttpClient.HttpClient>;
export {};
