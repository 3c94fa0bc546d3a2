import * as Schema from "effect/Schema";
import type { OIDCConfig, OIDCUserConfig } from "./ProviderOptions.ts";
export declare const Auth0Profile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type Auth0Profile = typeof Auth0Profile.Type & {
    readonly [claim: string]: unknown;
};
export declare const Auth0: (options?: OIDCUserConfig<Auth0Profile>) => OIDCConfig<Auth0Profile>;
