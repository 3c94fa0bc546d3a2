import * as Effect from "effect/Effect";
import { AuthRequest } from "./http/AuthRequest.ts";
import * as AuthResponse from "./http/AuthResponse.ts";
import { type AuthError } from "./Errors.ts";
import type { Services } from "./composition/Services.ts";
export { AuthRequest, fromWeb } from "./http/AuthRequest.ts";
export { layer } from "./composition/Supply.ts";
export interface Handled {
    readonly response: AuthResponse.AuthResponse;
    readonly failure: AuthError | undefined;
}
type Needs = AuthRequest | Services;
export declare const handle: Effect.Effect<Handled, never, Needs>;
