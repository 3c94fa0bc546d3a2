import * as Preset from "./Preset.ts";
export declare const FigmaProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly handle: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly img_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type FigmaProfile = Preset.ProfileOf<typeof FigmaProfile>;
export declare const Figma: Preset.OAuthFactory<FigmaProfile>;
