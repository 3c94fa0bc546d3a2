import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const Concept2Profile: Schema.Struct<{
    readonly data: Schema.Struct<{
        readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
        readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly profile_image: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type Concept2Profile = Preset.ProfileOf<typeof Concept2Profile>;
export declare const Concept2: Preset.OAuthFactory<Concept2Profile>;
