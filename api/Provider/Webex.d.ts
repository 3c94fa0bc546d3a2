import * as Preset from "./Preset.ts";
export declare const WebexProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly emails: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").$Array<import("effect/Schema").String>>>;
    readonly displayName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type WebexProfile = Preset.ProfileOf<typeof WebexProfile>;
export interface WebexOptions {
    readonly apiBaseUrl?: string | undefined;
}
export declare const Webex: Preset.OAuthFactory<WebexProfile, WebexOptions>;
