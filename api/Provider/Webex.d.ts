import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const WebexProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly emails: Schema.optional<Schema.NullOr<Schema.$Array<Schema.String>>>;
    readonly displayName: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type WebexProfile = Preset.ProfileOf<typeof WebexProfile>;
export interface WebexOptions {
    readonly apiBaseUrl?: string | undefined;
}
export declare const Webex: Preset.OAuthFactory<WebexProfile, WebexOptions>;
