import * as Result from "effect/Result";
import { InvalidConfiguration } from "../Errors.ts";
import type { ProviderType } from "../Models.ts";
import type { Members } from "./Merge.ts";
import type { ProviderStyle } from "./Provider.ts";
export interface Identity {
    readonly id: string;
    readonly name: string;
    readonly type: ProviderType;
    readonly style: ProviderStyle | undefined;
}
export type Platform = "apple" | "microsoft-entra-id" | "salesforce" | "client-key";
export interface Definition extends Identity {
    readonly position: number;
    readonly preset: Members;
    readonly options: Members;
    readonly platform: Platform | undefined;
    readonly fetch: typeof globalThis.fetch | undefined;
}
export declare const isProviderId: (id: string) => boolean;
export declare const define: (input: unknown, position?: number) => Result.Result<Definition, InvalidConfiguration>;
export declare const identify: (input: unknown, position?: number) => Result.Result<Identity, InvalidConfiguration>;
