import * as Schema from "effect/Schema";
import type { OIDCConfig, OIDCUserConfig } from "./ProviderOptions.ts";
export declare const GoogleProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    readonly hd: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type GoogleProfile = typeof GoogleProfile.Type & {
    readonly [claim: string]: unknown;
};
export declare const Google: (options?: OIDCUserConfig<GoogleProfile>) => OIDCConfig<GoogleProfile>;
