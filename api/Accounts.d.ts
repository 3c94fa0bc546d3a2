import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { AdapterError, type LinkError, MissingAdapterMethods } from "./Errors.ts";
import type { AdapterAccount, AdapterAuthenticator, UserId } from "./Models.ts";
import type { AccountKey, AdapterShape } from "./storage/AdapterShape.ts";
import type { KeyDetails } from "./storage/KeyDetails.ts";
import * as UserDataPrograms from "./actions/UserData.ts";
import { Doorman } from "./Doorman.ts";
import type { UserData } from "./models/UserData.ts";
export { layer as layerLinkingPolicy, LinkingPolicy } from "./signin/LinkingRules.ts";
export interface Ways {
    readonly accounts: ReadonlyArray<AdapterAccount>;
    readonly authenticators: ReadonlyArray<AdapterAuthenticator & KeyDetails>;
    readonly mailbox: string | undefined;
}
export declare const waysOf: (adapter: AdapterShape, userId: string & import("effect/Brand").Brand<"effect-doorman/UserId">) => Effect.Effect<Ways, AdapterError, never>;
interface UnlinkOptions {
    readonly hasMailbox?: boolean | undefined;
    readonly hasPassword?: boolean | undefined;
    readonly keep?: string | undefined;
}
export declare const renamePasskey: (adapter: AdapterShape, userId: string & import("effect/Brand").Brand<"effect-doorman/UserId">, credentialID: string, label: string) => Effect.Effect<boolean, AdapterError | MissingAdapterMethods, never>;
export declare const unlink: (adapter: AdapterShape, userId: UserId, key: AccountKey, options?: UnlinkOptions) => Effect.Effect<void, LinkError>;
declare const exportUser: (userId: UserId) => Effect.Effect<Option.Option<UserData>, UserDataPrograms.UserDataError, Doorman>;
export { exportUser as export };
export declare const remove: (userId: UserId) => Effect.Effect<boolean, UserDataPrograms.UserDataError, Doorman>;
