import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const NetlifyProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly full_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type NetlifyProfile = Preset.ProfileOf<typeof NetlifyProfile>;
export declare const Netlify: Preset.OAuthFactory<NetlifyProfile>;
