import * as Schema from "effect/Schema";
import type * as Shape from "./models/Shape.ts";
export type { Account, AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser, Authenticator, DefaultJWT, DefaultSession, DefaultUser, JWT, ProviderType, Session, TokenSet, User, VerificationToken } from "./models/Shape.ts";
export { AccountId, SessionId, UserId } from "./models/Id.ts";
export declare const Profile: Schema.StructWithRest<Schema.Struct<{
    readonly id: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly sub: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly given_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly family_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly middle_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly profile: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.Unknown>;
    readonly website: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    readonly gender: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly birthdate: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly zoneinfo: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly locale: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly phone_number: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly updated_at: Schema.optional<Schema.NullOr<Schema.Union<readonly [Schema.String, Schema.Number, Schema.Date]>>>;
    readonly address: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly country: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly formatted: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly locality: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly postal_code: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly region: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly street_address: Schema.optional<Schema.NullOr<Schema.String>>;
    }>>>;
}>, readonly [Schema.$Record<Schema.String, Schema.Unknown>]>;
export interface Profile extends Shape.Profile {
}
export declare const PublicProvider: Schema.Struct<{
    readonly id: Schema.String;
    readonly name: Schema.String;
    readonly type: Schema.String;
    readonly signinUrl: Schema.String;
    readonly callbackUrl: Schema.String;
}>;
export interface PublicProvider extends Shape.PublicProvider {
}
export declare const Theme: Schema.Struct<{
    readonly colorScheme: Schema.optional<Schema.Literals<readonly ["auto", "dark", "light"]>>;
    readonly brandColor: Schema.optional<Schema.String>;
    readonly buttonText: Schema.optional<Schema.String>;
    readonly logo: Schema.optional<Schema.String>;
}>;
export interface Theme extends Shape.Theme {
}
export declare const PagesOptions: Schema.Struct<{
    readonly signIn: Schema.optional<Schema.String>;
    readonly signOut: Schema.optional<Schema.String>;
    readonly error: Schema.optional<Schema.String>;
    readonly verifyRequest: Schema.optional<Schema.String>;
    readonly newUser: Schema.optional<Schema.String>;
}>;
export type PagesOptions = {
    readonly [Page in keyof Shape.PagesOptions]?: Shape.PagesOptions[Page] | undefined;
};
