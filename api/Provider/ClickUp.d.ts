import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const ClickUpProfile: Schema.Struct<{
    readonly user: Schema.Struct<{
        readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
        readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly color: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly profilePicture: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type ClickUpProfile = Preset.ProfileOf<typeof ClickUpProfile>;
export declare const ClickUp: Preset.OAuthFactory<ClickUpProfile>;
