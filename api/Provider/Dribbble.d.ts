import * as Preset from "./Preset.ts";
export declare const DribbbleProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type DribbbleProfile = Preset.ProfileOf<typeof DribbbleProfile>;
export interface DribbbleOptions {
    readonly scope?: string | undefined;
}
export declare const Dribbble: Preset.OAuthFactory<DribbbleProfile, DribbbleOptions>;
