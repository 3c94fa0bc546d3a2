import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const BankIdNoProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type BankIdNoProfile = Preset.ProfileOf<typeof BankIdNoProfile>;
export declare const BankIdNo: Preset.OidcFactory<BankIdNoProfile>;
