import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const FreshBooksProfile: Schema.Struct<{
    readonly response: Schema.Struct<{
        readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
        readonly first_name: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly last_name: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type FreshBooksProfile = Preset.ProfileOf<typeof FreshBooksProfile>;
export declare const FreshBooks: Preset.OAuthFactory<FreshBooksProfile>;
