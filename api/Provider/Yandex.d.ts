import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const YandexProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly display_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly real_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly first_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly default_email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly emails: Schema.optional<Schema.NullOr<Schema.$Array<Schema.String>>>;
    readonly is_avatar_empty: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    readonly default_avatar_id: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type YandexProfile = Preset.ProfileOf<typeof YandexProfile>;
export declare const Yandex: Preset.OAuthFactory<YandexProfile>;
