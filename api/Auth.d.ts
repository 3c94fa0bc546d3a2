import * as Config from "effect/Config";
import type * as HttpClient from "effect/http/HttpClient";
import * as Layer from "effect/Layer";
import type { ConfigurationError } from "./AuthConfig.ts";
import type { CallbacksOptions } from "./Callbacks.ts";
import { Doorman, type DoormanOptions } from "./Doorman.ts";
import type { EventsOptions } from "./Events.ts";
import type { Needs, NeedsOfProvider } from "./internal/Needs.ts";
import type { ProviderInput } from "./Provider/ProviderOptions.ts";
export { Auth, type AuthConfig, type ResponseInternal } from "./Facade.ts";
type Known<Given, Functions> = Given & {
    readonly [Name in keyof Given]: Name extends keyof Functions ? unknown : "There is no such function";
};
export interface LayerOptions<Asked, Told, Storage, Mail, Given = ReadonlyArray<ProviderInput>> extends Omit<DoormanOptions<never, Storage, Mail>, "callbacks" | "events" | "providers"> {
    providers: Given;
    callbacks?: Known<Asked, CallbacksOptions> | undefined;
    events?: Known<Told, EventsOptions> | undefined;
}
export interface LayerConfigOptions<Asked, Told, Storage, Mail, Given = ReadonlyArray<ProviderInput>> extends Omit<LayerOptions<Asked, Told, Storage, Mail, Given>, Configured> {
    secret?: DoormanOptions["secret"] | Config.Config<NonNullable<DoormanOptions["secret"]>>;
    origin?: string | undefined | Config.Config<string | URL>;
    basePath?: string | undefined | Config.Config<string>;
    trustHost?: boolean | undefined | Config.Config<boolean>;
    useSecureCookies?: boolean | undefined | Config.Config<boolean>;
    redirectProxyUrl?: string | undefined | Config.Config<string | URL>;
    debug?: boolean | undefined | Config.Config<boolean>;
}
type Configured = "basePath" | "debug" | "origin" | "redirectProxyUrl" | "secret" | "trustHost" | "useSecureCookies";
export declare const layer: <const Given extends ReadonlyArray<ProviderInput<unknown>>, Asked extends CallbacksOptions<unknown> | undefined = CallbacksOptions, Told extends EventsOptions<unknown> | undefined = EventsOptions, Storage = never, Mail = never>(options: LayerOptions<Asked, Told, Storage, Mail, Given>) => Layer.Layer<Doorman, ConfigurationError, HttpClient.HttpClient | NeedsOfProvider<Given[number]> | Needs<Asked> | Needs<Told> | Storage | Mail>;
export declare const layerConfig: <const Given extends ReadonlyArray<ProviderInput<unknown>>, Asked extends CallbacksOptions<unknown> | undefined = CallbacksOptions, Told extends EventsOptions<unknown> | undefined = EventsOptions, Storage = never, Mail = never>(options: LayerConfigOptions<Asked, Told, Storage, Mail, Given>) => Layer.Layer<Doorman, ConfigurationError | Config.ConfigError, HttpClient.HttpClient | NeedsOfProvider<Given[number]> | Needs<Asked> | Needs<Told> | Storage | Mail>;
