import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const FaceitProfile: Schema.Struct<{
    readonly guid: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type FaceitProfile = Preset.ProfileOf<typeof FaceitProfile>;
export declare const Faceit: Preset.OAuthFactory<FaceitProfile>;
