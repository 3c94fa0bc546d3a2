import * as Preset from "./Preset.ts";
export declare const DiscordProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").String;
    readonly username: import("effect/Schema").String;
    readonly discriminator: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly global_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly verified: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
    readonly avatar: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type DiscordProfile = Preset.ProfileOf<typeof DiscordProfile>;
export declare const Discord: Preset.OAuthFactory<DiscordProfile>;
