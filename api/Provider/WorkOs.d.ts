import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const WorkOsProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly first_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly last_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly raw_attributes: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly picture: Schema.optional<Schema.Unknown>;
    }>>>;
}>;
export type WorkOsProfile = Preset.ProfileOf<typeof WorkOsProfile>;
export interface WorkOsOptions {
    readonly connection?: string | undefined;
}
export declare const WorkOs: Preset.OAuthFactory<WorkOsProfile, WorkOsOptions>;
