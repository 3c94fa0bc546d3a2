import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const OssoProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type OssoProfile = Preset.ProfileOf<typeof OssoProfile>;
export declare const Osso: Preset.OAuthFactory<OssoProfile>;
