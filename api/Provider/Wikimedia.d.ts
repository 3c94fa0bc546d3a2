import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const WikimediaProfile: Schema.Struct<{
    readonly sub: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly confirmed_email: Schema.optional<Schema.NullOr<Schema.Boolean>>;
}>;
export type WikimediaProfile = Preset.ProfileOf<typeof WikimediaProfile>;
export declare const Wikimedia: Preset.OAuthFactory<WikimediaProfile>;
