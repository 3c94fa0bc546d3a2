import * as Schema from "effect/Schema";
import type { OIDCUserConfig } from "./internal/ProviderOptions.ts";
import type { OidcFactory } from "./Preset.ts";
export declare const MicrosoftEntraIdProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly tid: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly oid: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly xms_edov: Schema.optional<Schema.Unknown>;
}>;
export type MicrosoftEntraIdProfile = typeof MicrosoftEntraIdProfile.Type & {
    readonly [claim: string]: unknown;
};
export interface MicrosoftEntraIdOptions extends OIDCUserConfig<MicrosoftEntraIdProfile> {
    profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648 | false | undefined;
}
export declare const MicrosoftEntraId: OidcFactory<MicrosoftEntraIdProfile, Pick<MicrosoftEntraIdOptions, "profilePhotoSize">>;
