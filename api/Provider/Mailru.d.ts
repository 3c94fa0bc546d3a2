import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const MailruProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly image: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type MailruProfile = Preset.ProfileOf<typeof MailruProfile>;
export declare const Mailru: Preset.OAuthFactory<MailruProfile>;
