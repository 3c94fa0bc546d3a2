import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import type { CallbacksOptions } from "./Callbacks.ts";
import { type HostPolicy } from "./config/HostPolicy.ts";
import type { Options, WaitUntil } from "./config/Options.ts";
import { type ConfigurationError, type Problem, type Situation } from "./config/Problem.ts";
import { type ProxiedOrigins } from "./config/ProxiedOrigins.ts";
import { type CookiePolicy } from "./Cookie.ts";
import type { EventsOptions } from "./Events.ts";
import type { Mailer } from "./Mailer.ts";
import type { PagesOptions } from "./Models.ts";
import { type Registry } from "./Provider/Registry.ts";
import { type PageTheme } from "./pages/Theme.ts";
import type { SharedStateShape } from "./SharedState.ts";
import type { AdapterShape } from "./storage/AdapterShape.ts";
import { type Warning } from "./Warnings.ts";
export type { JwtDecodeCall, JwtEncodeCall, JwtOptions, LoggerInstance, Options, SessionOptions, WaitUntil } from "./config/Options.ts";
export type { RetiredSecret } from "./internal/RetiredSecrets.ts";
export type { ConfigurationError, Problem, Situation } from "./config/Problem.ts";
export type Secrets = readonly [Redacted.Redacted, ...Array<Redacted.Redacted>];
declare const AuthConfig_base: Context.ServiceClass<AuthConfig, "effect-doorman/AuthConfig", {
    readonly secrets: Secrets;
    readonly hosts: HostPolicy;
    readonly production: boolean;
    readonly basePath: string;
    readonly providers: Registry;
    readonly session: {
        readonly strategy: "jwt" | "database";
        readonly maxAge: number;
        readonly absoluteMaxAge: number | undefined;
        readonly updateAge: number | undefined;
        readonly generateSessionToken: (() => string) | undefined;
        readonly companionCookie: boolean;
    };
    readonly adapter: AdapterShape | undefined;
    readonly mailer: Mailer["Service"] | undefined;
    readonly sharedState: SharedStateShape | undefined;
    readonly waitUntil: WaitUntil | undefined;
    readonly jwt: {
        readonly secrets: Secrets;
        readonly retired: ReadonlyArray<{
            readonly secret: Redacted.Redacted;
            readonly until: number;
        }>;
        readonly maxAge: number;
        readonly acceptA256GCM: boolean;
        readonly encode: NonNullable<Options["jwt"]>["encode"];
        readonly decode: NonNullable<Options["jwt"]>["decode"];
        readonly options: NonNullable<Options["jwt"]>;
    };
    readonly pages: PagesOptions;
    readonly theme: PageTheme;
    readonly callbacks: CallbacksOptions;
    readonly events: EventsOptions;
    readonly useSecureCookies: boolean | undefined;
    readonly plainCookies: CookiePolicy;
    readonly secureCookies: CookiePolicy;
    readonly redirectProxyUrl: URL | undefined;
    readonly redirectProxyOrigins: ProxiedOrigins;
    readonly skipCsrfCheck: boolean;
    readonly unprovenAddress: NonNullable<Options["unprovenAddress"]>;
    readonly interchangeable: boolean;
    readonly problems: () => ReadonlyArray<Problem>;
}>;
export declare class AuthConfig extends AuthConfig_base {
    static readonly layer: (options: Options) => Layer.Layer<AuthConfig, ConfigurationError>;
}
export interface Compiled {
    readonly settings: Result.Result<AuthConfig["Service"], ConfigurationError>;
    readonly settingsIn: (situation: Situation) => Result.Result<AuthConfig["Service"], ConfigurationError>;
    readonly problems: () => ReadonlyArray<Problem>;
    readonly problemsWithoutProviders: ReadonlyArray<Problem>;
    readonly providerIds: ReadonlyArray<string>;
    readonly situation: (request?: URL) => Situation;
    readonly dependsOnRequest: boolean;
    readonly warnings: ReadonlyArray<Warning>;
    readonly hosts: HostPolicy;
    readonly basePath: string;
    readonly errorPage: string | undefined;
    readonly theme: PageTheme;
}
export declare const compile: (given: Options, known?: ReadonlyArray<Problem>) => Compiled;
export declare const logProblems: ({ problems, problemsWithoutProviders, warnings }: Compiled, situation: Situation, isNew?: (line: string) => boolean, examinesProviders?: boolean) => Effect.Effect<void>;
export declare const cookiesFor: (settings: AuthConfig["Service"], url: URL) => CookiePolicy;
