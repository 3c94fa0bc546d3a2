import * as Preset from "./Preset.ts";
export declare const FoursquareProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly response: import("effect/Schema").Struct<{
        readonly user: import("effect/Schema").Struct<{
            readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
            readonly firstName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            readonly lastName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            readonly contact: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
                readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            }>>>;
            readonly photo: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
                readonly prefix: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
                readonly suffix: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            }>>>;
        }>;
    }>;
}>;
export type FoursquareProfile = Preset.ProfileOf<typeof FoursquareProfile>;
export interface FoursquareOptions {
    readonly apiVersion?: string | undefined;
}
export declare const Foursquare: Preset.OAuthFactory<FoursquareProfile, FoursquareOptions>;
