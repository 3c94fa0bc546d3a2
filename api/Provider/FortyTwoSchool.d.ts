import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const FortyTwoSchoolProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly usual_full_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly image: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly link: Schema.optional<Schema.NullOr<Schema.String>>;
    }>>>;
}>;
export type FortyTwoSchoolProfile = Preset.ProfileOf<typeof FortyTwoSchoolProfile>;
export declare const FortyTwoSchool: Preset.OAuthFactory<FortyTwoSchoolProfile>;
