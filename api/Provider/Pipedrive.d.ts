import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const PipedriveProfile: Schema.Struct<{
    readonly data: Schema.Struct<{
        readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
        readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly icon_url: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type PipedriveProfile = Preset.ProfileOf<typeof PipedriveProfile>;
export declare const Pipedrive: Preset.OAuthFactory<PipedriveProfile>;
