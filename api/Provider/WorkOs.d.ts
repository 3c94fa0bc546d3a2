import * as Preset from "./Preset.ts";
export declare const WorkOsProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly first_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly last_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly raw_attributes: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly picture: import("effect/Schema").optional<import("effect/Schema").Unknown>;
    }>>>;
}>;
export type WorkOsProfile = Preset.ProfileOf<typeof WorkOsProfile>;
export interface WorkOsOptions {
    readonly connection?: string | undefined;
}
export declare const WorkOs: Preset.OAuthFactory<WorkOsProfile, WorkOsOptions>;
