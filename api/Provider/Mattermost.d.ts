import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const MattermostProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly first_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly last_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type MattermostProfile = Preset.ProfileOf<typeof MattermostProfile>;
export declare const Mattermost: Preset.OAuthFactory<MattermostProfile>;
