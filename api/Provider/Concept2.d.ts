import * as Preset from "./Preset.ts";
export declare const Concept2Profile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly data: import("effect/Schema").Struct<{
        readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
        readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly profile_image: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>;
}>;
export type Concept2Profile = Preset.ProfileOf<typeof Concept2Profile>;
export declare const Concept2: Preset.OAuthFactory<Concept2Profile>;
