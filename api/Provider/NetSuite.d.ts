import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const NetSuiteProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type NetSuiteProfile = Preset.ProfileOf<typeof NetSuiteProfile>;
export interface NetSuiteOptions {
    readonly accountID?: string | undefined;
    readonly scope?: string | undefined;
    readonly prompt?: string | undefined;
}
export declare const NetSuite: Preset.OAuthFactory<NetSuiteProfile, NetSuiteOptions>;
