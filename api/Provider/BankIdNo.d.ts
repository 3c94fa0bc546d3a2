import * as Preset from "./Preset.ts";
export declare const BankIdNoProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type BankIdNoProfile = Preset.ProfileOf<typeof BankIdNoProfile>;
export declare const BankIdNo: Preset.OidcFactory<BankIdNoProfile>;
