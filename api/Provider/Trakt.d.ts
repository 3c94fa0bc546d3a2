import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const TraktProfile: Schema.Struct<{
    readonly ids: Schema.Struct<{
        readonly slug: Schema.NonEmptyString;
    }>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly images: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly avatar: Schema.optional<Schema.NullOr<Schema.Struct<{
            readonly full: Schema.optional<Schema.NullOr<Schema.String>>;
        }>>>;
    }>>>;
}>;
export type TraktProfile = Preset.ProfileOf<typeof TraktProfile>;
export declare const Trakt: Preset.OAuthFactory<TraktProfile>;
