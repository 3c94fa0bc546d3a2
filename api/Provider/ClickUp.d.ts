import * as Preset from "./Preset.ts";
export declare const ClickUpProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly user: import("effect/Schema").Struct<{
        readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
        readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly color: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly profilePicture: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>;
}>;
export type ClickUpProfile = Preset.ProfileOf<typeof ClickUpProfile>;
export declare const ClickUp: Preset.OAuthFactory<ClickUpProfile>;
