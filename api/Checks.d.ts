import * as Context from "effect/Context";
import * as SecureRandom from "effect/crypto/SecureRandom";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import { Adapter } from "./storage/Storage.ts";
import { AuthConfig } from "./AuthConfig.ts";
import type { AuthRequest } from "./AuthRequest.ts";
import { type ResponseCookie } from "./Cookie.ts";
import { type AdapterError, InvalidCheck, type SharedStateError } from "./Errors.ts";
import type { Flow } from "./oauth/Flow.ts";
import { type RequestedSignIn } from "./oauth/RequestedSignIn.ts";
import type { RedirectProvider } from "./Provider/Provider.ts";
import { Seal } from "./Seal.ts";
export interface Attempt {
    readonly own: string;
    readonly redirectUri: string;
    readonly target: string;
    readonly proxied: string | undefined;
    readonly session?: string | undefined;
}
export interface Started {
    readonly flow: Flow;
    readonly codeChallenge: string | undefined;
    readonly cookies: (requested?: RequestedSignIn) => Effect.Effect<ReadonlyArray<ResponseCookie>>;
}
export interface Returned {
    readonly flow: Flow;
    readonly cookies: ReadonlyArray<ResponseCookie>;
}
declare const Checks_base: Context.ServiceClass<Checks, "effect-doorman/Checks", {
    readonly start: (request: AuthRequest["Service"], provider: RedirectProvider, attempt: Attempt) => Effect.Effect<Started>;
    readonly finish: (request: AuthRequest["Service"], provider: RedirectProvider, state: string | undefined, legacy: {
        readonly redirectUri: string;
        readonly target: string;
    }) => Effect.Effect<Returned, AdapterError | InvalidCheck | SharedStateError, Adapter>;
    readonly abandon: (request: AuthRequest["Service"], provider: RedirectProvider, state: string | undefined) => ReadonlyArray<ResponseCookie>;
    readonly proxiedOrigin: (state: string) => Effect.Effect<string | undefined>;
}>;
export declare class Checks extends Checks_base {
    static readonly make: (settings: AuthConfig["Service"], { open, seal }: Seal["Service"], { randomBytes }: SecureRandom.SecureRandom["Service"]) => Checks["Service"];
    static readonly layer: Layer.Layer<Checks, never, AuthConfig | Seal | SecureRandom.SecureRandom>;
}
export {};
