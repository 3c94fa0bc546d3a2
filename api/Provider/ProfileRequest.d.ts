import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { OAuthCallbackError } from "../Errors.ts";
import type { TokenSet } from "../Models.ts";
export interface ProfileRequest {
    readonly provider: string;
    readonly url: string;
    readonly method?: "GET" | "POST" | undefined;
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
    readonly body?: string | undefined;
}
interface Attempt {
    readonly tokens: TokenSet;
    readonly fetch: typeof globalThis.fetch;
}
export declare const askForObject: (attempt: Attempt, request: ProfileRequest) => Effect.Effect<Readonly<Record<string, Schema.MutableJson>>, OAuthCallbackError>;
export declare const askForList: (attempt: Attempt, request: ProfileRequest) => Effect.Effect<ReadonlyArray<unknown>, OAuthCallbackError>;
export {};
