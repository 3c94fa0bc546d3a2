import * as Preset from "./Preset.ts";
export declare const PatreonProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly data: import("effect/Schema").Struct<{
        readonly id: import("effect/Schema").NonEmptyString;
        readonly attributes: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
            readonly full_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            readonly is_email_verified: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
            readonly image_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        }>>>;
    }>;
}>;
export type PatreonProfile = Preset.ProfileOf<typeof PatreonProfile>;
export declare const Patreon: Preset.OAuthFactory<PatreonProfile>;
