import * as Schema from "effect/Schema";
import type { OIDCConfig, OIDCUserConfig } from "./ProviderOptions.ts";
export declare const AppleProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly user: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly name: Schema.optional<Schema.NullOr<Schema.Struct<{
            readonly firstName: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly lastName: Schema.optional<Schema.NullOr<Schema.String>>;
        }>>>;
    }>>>;
}>;
export type AppleProfile = typeof AppleProfile.Type & {
    readonly [claim: string]: unknown;
};
export declare const Apple: (options?: OIDCUserConfig<AppleProfile>) => OIDCConfig<AppleProfile>;
