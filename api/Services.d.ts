import * as Context from "effect/Context";
import * as SecureRandom from "effect/crypto/SecureRandom";
import * as Effect from "effect/Effect";
import * as HttpClient from "effect/http/HttpClient";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { Adapter } from "./storage/Storage.ts";
import { AuthConfig, type ConfigurationError, type Options, type RetiredSecret } from "./AuthConfig.ts";
import * as Callbacks from "./Callbacks.ts";
import { Checks } from "./Checks.ts";
import { type Problem } from "./config/Problem.ts";
import { Csrf } from "./Csrf.ts";
import * as Events from "./Events.ts";
import { Jwt } from "./Jwt.ts";
import { type Keys } from "./Keyring.ts";
import { MailRoom } from "./mail/MailRoom.ts";
import { OAuthClient } from "./OAuthClient.ts";
import { Seal } from "./Seal.ts";
import { WebAuthn } from "./WebAuthn.ts";
export type Services = Adapter | AuthConfig | Callbacks.Callbacks | Checks | Csrf | Events.Events | Jwt | MailRoom | OAuthClient | Seal | SecureRandom.SecureRandom | WebAuthn;
export type Platform = HttpClient.HttpClient | SecureRandom.SecureRandom;
export declare const compose: (settings: AuthConfig["Service"], platform: Context.Context<Platform>, given: ReadonlyMap<string, unknown>) => Context.Context<Services | Platform>;
export interface LayerOptions<R = never, Storage = never, Mail = never> extends Omit<Options<R>, "adapter" | "mailer" | "raw" | "retiredSecrets" | "secret"> {
    adapter?: Options<Storage>["adapter"];
    mailer?: Options<Mail>["mailer"];
    secret?: string | Redacted.Redacted | ReadonlyArray<string | Redacted.Redacted> | undefined;
    retiredSecrets?: ReadonlyArray<RetiredSecret<string | Redacted.Redacted>> | undefined;
}
export declare const layer: <R = never, Storage = never, Mail = never>(options: LayerOptions<R, Storage, Mail>) => Layer.Layer<Services, ConfigurationError, Platform | R | Storage | Mail>;
interface Supplied {
    readonly options: Options;
    readonly application: Context.Context<never>;
    readonly keys: Keys | undefined;
    readonly problems: ReadonlyArray<Problem>;
}
export declare const supply: <R>(options: LayerOptions<R, R, R>, context: Context.Context<R>) => Effect.Effect<Supplied, ConfigurationError, never>;
export declare const layerLogger: (options: Pick<Options, "logger" | "debug">) => Layer.Layer<never>;
export declare const logging: (options: Pick<Options, "logger" | "debug">) => Context.Context<never>;
export declare const debugging: Context.Context<never>;
export {};
