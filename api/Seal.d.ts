import * as Context from "effect/Context";
import * as SecureRandom from "effect/crypto/SecureRandom";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import { AuthConfig } from "./AuthConfig.ts";
import * as Jwe from "./internal/Jwe.ts";
export type Opened = Jwe.Opened;
declare const Seal_base: Context.ServiceClass<Seal, "effect-doorman/Seal", {
    readonly seal: (salt: string, claims: Readonly<Record<string, unknown>>, maxAge: number) => Effect.Effect<string>;
    readonly open: (salt: string, token: string) => Effect.Effect<Opened>;
}>;
export declare class Seal extends Seal_base {
    static readonly make: ({ jwt }: AuthConfig["Service"], { randomBytes }: SecureRandom.SecureRandom["Service"]) => Seal["Service"];
    static readonly layer: Layer.Layer<Seal, never, AuthConfig | SecureRandom.SecureRandom>;
}
export declare const openWith: (secrets: ReadonlyArray<string>, salt: string, token: string, acceptA256GCM: boolean) => Effect.Effect<Opened>;
export {};
