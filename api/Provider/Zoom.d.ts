import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const ZoomProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly first_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly last_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly display_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly pic_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type ZoomProfile = Preset.ProfileOf<typeof ZoomProfile>;
export declare const Zoom: Preset.OAuthFactory<ZoomProfile>;
