import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const BitbucketProfile: Schema.Struct<{
    readonly account_id: Schema.NonEmptyString;
    readonly display_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly links: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly avatar: Schema.optional<Schema.NullOr<Schema.Struct<{
            readonly href: Schema.optional<Schema.NullOr<Schema.String>>;
        }>>>;
    }>>>;
}>;
export type BitbucketProfile = Preset.ProfileOf<typeof BitbucketProfile>;
export declare const Bitbucket: Preset.OAuthFactory<BitbucketProfile>;
