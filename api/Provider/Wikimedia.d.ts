import * as Preset from "./Preset.ts";
export declare const WikimediaProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly confirmed_email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
}>;
export type WikimediaProfile = Preset.ProfileOf<typeof WikimediaProfile>;
export declare const Wikimedia: Preset.OAuthFactory<WikimediaProfile>;
