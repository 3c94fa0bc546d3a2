import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const TodoistProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly full_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly verification_status: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_big: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type TodoistProfile = Preset.ProfileOf<typeof TodoistProfile>;
export declare const Todoist: Preset.OAuthFactory<TodoistProfile>;
