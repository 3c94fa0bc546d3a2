import * as Effect from "effect/Effect";
import { AuthConfig } from "./AuthConfig.ts";
import type { AuthRequest } from "./AuthRequest.ts";
import { Jwt } from "./Jwt.ts";
export declare const sessionTokens: (settings: AuthConfig["Service"], request: AuthRequest["Service"]) => {
    readonly tokens: ReadonlyArray<string>;
    readonly names: ReadonlyArray<string>;
};
export declare const longest = 512;
export declare const sessionSubject: (token: string) => string;
export declare const subjectOf: (request: AuthRequest["Service"]) => Effect.Effect<string | undefined, never, AuthConfig | Jwt>;
