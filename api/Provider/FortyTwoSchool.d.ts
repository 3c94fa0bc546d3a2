import * as Preset from "./Preset.ts";
export declare const FortyTwoSchoolProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly usual_full_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly image: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly link: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>>>;
}>;
export type FortyTwoSchoolProfile = Preset.ProfileOf<typeof FortyTwoSchoolProfile>;
export declare const FortyTwoSchool: Preset.OAuthFactory<FortyTwoSchoolProfile>;
