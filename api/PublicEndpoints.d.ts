import * as Effect from "effect/Effect";
import { AuthConfig } from "./AuthConfig.ts";
import { AuthRequest } from "./AuthRequest.ts";
import * as AuthResponse from "./AuthResponse.ts";
import { Csrf } from "./Csrf.ts";
import type { Jwt } from "./Jwt.ts";
export declare const csrf: Effect.Effect<AuthResponse.AuthResponse, never, AuthConfig | AuthRequest | Csrf | Jwt>;
export declare const providers: Effect.Effect<AuthResponse.AuthResponse, never, AuthConfig | AuthRequest>;
