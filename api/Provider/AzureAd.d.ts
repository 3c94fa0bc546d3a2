import { type MicrosoftEntraIdOptions, MicrosoftEntraIdProfile } from "./MicrosoftEntraId.ts";
import type { OidcFactory } from "./Preset.ts";
export declare const AzureAdProfile: import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly tid: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly oid: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly xms_edov: import("effect/Schema").optional<import("effect/Schema").Unknown>;
}>;
export type AzureAdProfile = MicrosoftEntraIdProfile;
export interface AzureAdOptions extends MicrosoftEntraIdOptions {
    profilePhotoSize?: MicrosoftEntraIdOptions["profilePhotoSize"];
}
export declare const AzureAd: OidcFactory<AzureAdProfile, Pick<AzureAdOptions, "profilePhotoSize">>;
