import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const LogtoProfile: Schema.Struct<{
    readonly sub: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type LogtoProfile = Preset.ProfileOf<typeof LogtoProfile>;
export declare const Logto: Preset.OidcFactory<LogtoProfile>;
