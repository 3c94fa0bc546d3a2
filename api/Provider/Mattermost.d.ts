import * as Preset from "./Preset.ts";
export declare const MattermostProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly first_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly last_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type MattermostProfile = Preset.ProfileOf<typeof MattermostProfile>;
export declare const Mattermost: Preset.OAuthFactory<MattermostProfile>;
