import * as Preset from "./Preset.ts";
export declare const MailchimpProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly accountname: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly login: import("effect/Schema").Struct<{
        readonly login_id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
        readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>;
}>;
export type MailchimpProfile = Preset.ProfileOf<typeof MailchimpProfile>;
export declare const Mailchimp: Preset.OAuthFactory<MailchimpProfile>;
