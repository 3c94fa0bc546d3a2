import * as Preset from "./Preset.ts";
export declare const EventbriteProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly emails: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").$Array<import("effect/Schema").Struct<{
        readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly primary: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
        readonly verified: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
    }>>>>;
    readonly image_id: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>>>;
}>;
export type EventbriteProfile = Preset.ProfileOf<typeof EventbriteProfile>;
export declare const Eventbrite: Preset.OAuthFactory<EventbriteProfile>;
