import * as Preset from "./Preset.ts";
export declare const NetSuiteProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type NetSuiteProfile = Preset.ProfileOf<typeof NetSuiteProfile>;
export interface NetSuiteOptions {
    readonly accountID?: string | undefined;
    readonly scope?: string | undefined;
    readonly prompt?: string | undefined;
}
export declare const NetSuite: Preset.OAuthFactory<NetSuiteProfile, NetSuiteOptions>;
