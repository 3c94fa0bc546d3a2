import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const ZohoProfile: Schema.Struct<{
    readonly ZUID: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly First_Name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly Last_Name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly Email: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type ZohoProfile = Preset.ProfileOf<typeof ZohoProfile>;
export declare const Zoho: Preset.OAuthFactory<ZohoProfile>;
