import * as Preset from "./Preset.ts";
export declare const TraktProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly ids: import("effect/Schema").Struct<{
        readonly slug: import("effect/Schema").NonEmptyString;
    }>;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly images: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly avatar: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
            readonly full: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        }>>>;
    }>>>;
}>;
export type TraktProfile = Preset.ProfileOf<typeof TraktProfile>;
export declare const Trakt: Preset.OAuthFactory<TraktProfile>;
