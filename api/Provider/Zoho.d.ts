import * as Preset from "./Preset.ts";
export declare const ZohoProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly ZUID: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly First_Name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly Last_Name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly Email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type ZohoProfile = Preset.ProfileOf<typeof ZohoProfile>;
export declare const Zoho: Preset.OAuthFactory<ZohoProfile>;
