import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const AzureAdB2cProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly emails: Schema.optional<Schema.NullOr<Schema.$Array<Schema.String>>>;
}>;
export type AzureAdB2cProfile = Preset.ProfileOf<typeof AzureAdB2cProfile>;
export declare const AzureAdB2c: Preset.OidcFactory<AzureAdB2cProfile>;
