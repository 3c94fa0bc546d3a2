import * as Preset from "./Preset.ts";
export declare const BungieProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly Response: import("effect/Schema").Struct<{
        readonly bungieNetUser: import("effect/Schema").Struct<{
            readonly membershipId: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
            readonly displayName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            readonly profilePicturePath: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        }>;
    }>;
}>;
export type BungieProfile = Preset.ProfileOf<typeof BungieProfile>;
export interface BungieOptions {
    readonly apiKey?: string | undefined;
}
export declare const Bungie: Preset.OAuthFactory<BungieProfile, BungieOptions>;
