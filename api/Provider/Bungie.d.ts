import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const BungieProfile: Schema.Struct<{
    readonly Response: Schema.Struct<{
        readonly bungieNetUser: Schema.Struct<{
            readonly membershipId: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
            readonly displayName: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly profilePicturePath: Schema.optional<Schema.NullOr<Schema.String>>;
        }>;
    }>;
}>;
export type BungieProfile = Preset.ProfileOf<typeof BungieProfile>;
export interface BungieOptions {
    readonly apiKey?: string | undefined;
}
export declare const Bungie: Preset.OAuthFactory<BungieProfile, BungieOptions>;
