import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const EventbriteProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly emails: Schema.optional<Schema.NullOr<Schema.$Array<Schema.Struct<{
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly primary: Schema.optional<Schema.NullOr<Schema.Boolean>>;
        readonly verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    }>>>>;
    readonly image_id: Schema.optional<Schema.NullOr<Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>>>;
}>;
export type EventbriteProfile = Preset.ProfileOf<typeof EventbriteProfile>;
export declare const Eventbrite: Preset.OAuthFactory<EventbriteProfile>;
