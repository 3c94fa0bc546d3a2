import type * as SecureRandom from "effect/crypto/SecureRandom";
import * as Effect from "effect/Effect";
import { type Adapter } from "./storage/Storage.ts";
import { AuthConfig } from "./AuthConfig.ts";
import { AuthRequest } from "./AuthRequest.ts";
import type { Callbacks } from "./Callbacks.ts";
import type { ResponseCookie } from "./Cookie.ts";
import { AccessDenied, MissingAdapterMethods, SignOutError, UnsupportedStrategy } from "./Errors.ts";
import { Events } from "./Events.ts";
import { Jwt } from "./Jwt.ts";
import type { UserFields } from "./Provider/ProviderOptions.ts";
import type { Seal } from "./Seal.ts";
import type { ListedSession } from "./storage/ListedSession.ts";
export { type ListedSession, sessionIdOf } from "./storage/ListedSession.ts";
export type NamedUser = UserFields & {
    readonly id: string;
};
export interface Outcome<E> {
    readonly cookies: ReadonlyArray<ResponseCookie>;
    readonly failure: E | undefined;
}
export declare const signIn: (user: NamedUser) => Effect.Effect<Outcome<AccessDenied>, AccessDenied | import("./Errors.ts").AdapterError | import("./Errors.ts").CallbackRouteError | import("./Errors.ts").Configuration | import("./Errors.ts").CredentialsSignin | import("./Errors.ts").MalformedRequest | import("./Errors.ts").Signin, Adapter | AuthConfig | AuthRequest | Callbacks | Events | Jwt | Seal | SecureRandom.SecureRandom>;
export declare const signOut: Effect.Effect<Outcome<SignOutError>, never, Adapter | AuthConfig | AuthRequest | Events | Jwt>;
export declare const list: (userId: string) => Effect.Effect<readonly ListedSession[], import("./Errors.ts").AdapterError | MissingAdapterMethods | UnsupportedStrategy, Adapter | AuthConfig>;
export declare const revoke: (userId: string, id: string) => Effect.Effect<boolean, import("./Errors.ts").AdapterError | MissingAdapterMethods | UnsupportedStrategy, Adapter | AuthConfig>;
export declare const revokeAll: (userId: string, except?: string | undefined) => Effect.Effect<void, import("./Errors.ts").AdapterError | MissingAdapterMethods | UnsupportedStrategy, Adapter | AuthConfig>;
