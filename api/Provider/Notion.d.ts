import * as Preset from "./Preset.ts";
export declare const NotionProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly person: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>>>;
}>;
export type NotionProfile = Preset.ProfileOf<typeof NotionProfile>;
export interface NotionOptions {
    readonly redirectUri?: string | undefined;
}
export declare const Notion: Preset.OAuthFactory<NotionProfile, NotionOptions>;
