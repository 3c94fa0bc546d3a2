import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const DribbbleProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type DribbbleProfile = Preset.ProfileOf<typeof DribbbleProfile>;
export interface DribbbleOptions {
    readonly scope?: string | undefined;
}
export declare const Dribbble: Preset.OAuthFactory<DribbbleProfile, DribbbleOptions>;
