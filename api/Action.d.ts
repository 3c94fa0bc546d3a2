import * as Effect from "effect/Effect";
import { Settings } from "./Settings.ts";
import { AuthRequest } from "./AuthRequest.ts";
import * as AuthResponse from "./AuthResponse.ts";
import { type AuthError } from "./Errors.ts";
export { AuthRequest, fromWeb } from "./AuthRequest.ts";
export { layer } from "./Services.ts";
export { type AuthAction, isAuthAction } from "./internal/AuthAction.ts";
export { report } from "./telemetry/Report.ts";
export interface Handled {
    readonly response: AuthResponse.AuthResponse;
    readonly failure: AuthError | undefined;
}
declare const settled: Effect.Effect<Handled, never, import("./Checks.ts").Checks | import("./OAuthClient.ts").OAuthClient | (import("./Adapter.ts").Adapter | AuthRequest | import("./Callbacks.ts").Callbacks | import("./Csrf.ts").Csrf | import("./Events.ts").Events | import("./Jwt.ts").Jwt | import("./mail/MailRoom.ts").MailRoom | import("./Seal.ts").Seal | import("effect/crypto/SecureRandom").SecureRandom | Settings | import("./WebAuthn.ts").WebAuthn)>;
export declare const handle: typeof settled;
