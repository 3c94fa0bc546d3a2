import { type Shapes } from "./internal/ProfileMapping.ts";
import type { OIDCUserConfig } from "./internal/ProviderOptions.ts";
import type { OidcFactory, ProfileOf } from "./Preset.ts";
export declare const MicrosoftEntraIdProfile: (S: Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly tid: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly oid: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly xms_edov: import("effect/Schema").optional<import("effect/Schema").Unknown>;
}>;
export type MicrosoftEntraIdProfile = ProfileOf<typeof MicrosoftEntraIdProfile>;
export interface MicrosoftEntraIdOptions extends OIDCUserConfig<MicrosoftEntraIdProfile> {
    profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648 | false | undefined;
}
export declare const MicrosoftEntraId: OidcFactory<MicrosoftEntraIdProfile, Pick<MicrosoftEntraIdOptions, "profilePhotoSize">>;
