import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const NotionProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly person: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    }>>>;
}>;
export type NotionProfile = Preset.ProfileOf<typeof NotionProfile>;
export interface NotionOptions {
    readonly redirectUri?: string | undefined;
}
export declare const Notion: Preset.OAuthFactory<NotionProfile, NotionOptions>;
