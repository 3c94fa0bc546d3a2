import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const MediumProfile: Schema.Struct<{
    readonly data: Schema.Struct<{
        readonly id: Schema.NonEmptyString;
        readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly imageUrl: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type MediumProfile = Preset.ProfileOf<typeof MediumProfile>;
export declare const Medium: Preset.OAuthFactory<MediumProfile>;
