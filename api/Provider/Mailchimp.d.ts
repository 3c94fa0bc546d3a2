import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const MailchimpProfile: Schema.Struct<{
    readonly accountname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly login: Schema.Struct<{
        readonly login_id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type MailchimpProfile = Preset.ProfileOf<typeof MailchimpProfile>;
export declare const Mailchimp: Preset.OAuthFactory<MailchimpProfile>;
