import * as Preset from "./Preset.ts";
export declare const PipedriveProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly data: import("effect/Schema").Struct<{
        readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
        readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly icon_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>;
}>;
export type PipedriveProfile = Preset.ProfileOf<typeof PipedriveProfile>;
export declare const Pipedrive: Preset.OAuthFactory<PipedriveProfile>;
