import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const BoxyHqSamlProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly firstName: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly lastName: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type BoxyHqSamlProfile = Preset.ProfileOf<typeof BoxyHqSamlProfile>;
export declare const BoxyHqSaml: Preset.OAuthFactory<BoxyHqSamlProfile>;
