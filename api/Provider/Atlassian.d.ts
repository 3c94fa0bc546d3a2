import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const AtlassianProfile: Schema.Struct<{
    readonly account_id: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type AtlassianProfile = Preset.ProfileOf<typeof AtlassianProfile>;
export declare const Atlassian: Preset.OAuthFactory<AtlassianProfile>;
