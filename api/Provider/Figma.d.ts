import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const FigmaProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly handle: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly img_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type FigmaProfile = Preset.ProfileOf<typeof FigmaProfile>;
export declare const Figma: Preset.OAuthFactory<FigmaProfile>;
