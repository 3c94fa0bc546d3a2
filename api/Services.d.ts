import * as Context from "effect/Context";
import * as SecureRandom from "effect/crypto/SecureRandom";
import * as HttpClient from "effect/http/HttpClient";
import * as Layer from "effect/Layer";
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
export declare const make: (settings: AuthConfig["Service"], platform: Context.Context<Platform>) => Context.Context<Services | Platform>;
export interface LayerOptions<R = never, Storage = never, Mail = never> extends Omit<Options<R>, "adapter" | "mailer"> {
    adapter?: Options<Storage>["adapter"];
    mailer?: Options<Mail>["mailer"];
}
export declare const layer: <R = never, Storage = never, Mail = never>(options: LayerOptions<R, Storage, Mail>) => Layer.Layer<Services, ConfigurationError, Platform | R | Storage | Mail>;
export declare const layerLogger: (options: Pick<Options, "logger" | "debug">) => Layer.Layer<never>;
export declare const logging: (options: Pick<Options, "logger" | "debug">) => Context.Context<never>;
