import * as Context from "effect/Context";
import * as SecureRandom from "effect/crypto/SecureRandom";
import * as Effect from "effect/Effect";
import * as HttpClient from "effect/http/HttpClient";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { AuthConfig, type ConfigurationError, type Options } from "./AuthConfig.ts";
import * as Callbacks from "./Callbacks.ts";
import { Checks } from "./Checks.ts";
import { Csrf } from "./Csrf.ts";
import * as Events from "./Events.ts";
import { Jwt } from "./Jwt.ts";
import { MailRoom } from "./mail/MailRoom.ts";
import { OAuthClient } from "./OAuthClient.ts";
import { Seal } from "./Seal.ts";
import { WebAuthn } from "./WebAuthn.ts";
export type Services = AuthConfig | Callbacks.Callbacks | Checks | Csrf | Events.Events | Jwt | MailRoom | OAuthClient | Seal | SecureRandom.SecureRandom | WebAuthn;
export type Platform = HttpClient.HttpClient | SecureRandom.SecureRandom;
export declare const make: (settings: AuthConfig["Service"], platform: Context.Context<Platform>, replaced?: Context.Context<never>) => Context.Context<Services | Platform>;
export interface LayerOptions<R = never, Storage = never, Mail = never> extends Omit<Options<R>, "adapter" | "mailer" | "raw" | "secret"> {
    adapter?: Options<Storage>["adapter"];
    mailer?: Options<Mail>["mailer"];
    secret?: string | Redacted.Redacted | ReadonlyArray<string | Redacted.Redacted> | undefined;
}
export declare const layer: <R = never, Storage = never, Mail = never>(options: LayerOptions<R, Storage, Mail>) => Layer.Layer<Services, ConfigurationError, Platform | R | Storage | Mail>;
export declare const supply: <R>(options: LayerOptions<R, R, R>, context: Context.Context<R>) => Effect.Effect<Options<never>, ConfigurationError, never>;
export declare const layerLogger: (options: Pick<Options, "logger" | "debug">) => Layer.Layer<never>;
export declare const logging: (options: Pick<Options, "logger" | "debug">) => Context.Context<never>;
