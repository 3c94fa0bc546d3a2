import * as Schema from "effect/Schema";
import type { UserId } from "./models/Id.ts";
import type * as Shape from "./models/Shape.ts";
export type { Account, AuthorizationDetails, Authenticator, DefaultJWT, DefaultSession, DefaultUser, JsonObject, JsonValue, JWT, ProviderType, Session, TokenSet, User } from "./models/Shape.ts";
export { AccountId, SessionId, UserId } from "./models/Id.ts";
export { UserData } from "./models/UserData.ts";
export declare const AdapterUser: Schema.StructWithRest<Schema.Struct<{
    readonly id: Schema.decodeTo<Schema.brand<Schema.NonEmptyString, "effect-doorman/UserId">, Schema.Union<readonly [Schema.NonEmptyString, Schema.Int, Schema.BigInt]>, never, never>;
    readonly email: Schema.decodeTo<Schema.String, Schema.NullishOr<Schema.String>, never, never>;
    readonly emailVerified: Schema.decodeTo<Schema.Union<readonly [Schema.Null, Schema.Date]>, Schema.Unknown, never, never>;
    readonly name: Schema.decodeTo<Schema.NullOr<Schema.String>, Schema.Union<readonly [Schema.NullishOr<Schema.String>, Schema.Date]>, never, never>;
    readonly image: Schema.decodeTo<Schema.NullOr<Schema.String>, Schema.NullishOr<Schema.String>, never, never>;
}>, readonly [Schema.$Record<Schema.String, Schema.Unknown>]>;
export type AdapterUser = Shape.AdapterUser & {
    id: UserId;
};
export declare const AdapterAccount: Schema.StructWithRest<Schema.Struct<{
    readonly userId: Schema.decodeTo<Schema.brand<Schema.NonEmptyString, "effect-doorman/UserId">, Schema.Union<readonly [Schema.NonEmptyString, Schema.Int, Schema.BigInt]>, never, never>;
    readonly type: Schema.Literals<readonly ["oauth", "oidc", "email", "webauthn"]>;
    readonly provider: Schema.String;
    readonly providerAccountId: Schema.String;
    readonly access_token: Schema.optionalKey<Schema.String>;
    readonly refresh_token: Schema.optionalKey<Schema.String>;
    readonly id_token: Schema.optionalKey<Schema.String>;
    readonly token_type: Schema.optionalKey<Schema.decodeTo<Schema.refine<Lowercase<string>, Schema.String>, Schema.String, never, never>>;
    readonly scope: Schema.optionalKey<Schema.String>;
    readonly expires_at: Schema.optionalKey<Schema.decodeTo<Schema.Finite, Schema.Union<readonly [Schema.Finite, Schema.BigInt, Schema.String]>, never, never>>;
    readonly expires_in: Schema.optionalKey<Schema.decodeTo<Schema.Finite, Schema.Union<readonly [Schema.Finite, Schema.BigInt, Schema.String]>, never, never>>;
}>, readonly [Schema.$Record<Schema.String, Schema.Any>]>;
export type AdapterAccount = Shape.AdapterAccount & {
    userId: UserId;
};
export declare const AdapterSession: Schema.StructWithRest<Schema.Struct<{
    readonly sessionToken: Schema.String;
    readonly userId: Schema.decodeTo<Schema.brand<Schema.NonEmptyString, "effect-doorman/UserId">, Schema.Union<readonly [Schema.NonEmptyString, Schema.Int, Schema.BigInt]>, never, never>;
    readonly expires: Schema.decodeTo<Schema.Date, Schema.Unknown, never, never>;
}>, readonly [Schema.$Record<Schema.String, Schema.Unknown>]>;
export type AdapterSession = Shape.AdapterSession & {
    userId: UserId;
};
export declare const AdapterAuthenticator: Schema.StructWithRest<Schema.Struct<{
    readonly credentialID: Schema.String;
    readonly userId: Schema.decodeTo<Schema.brand<Schema.NonEmptyString, "effect-doorman/UserId">, Schema.Union<readonly [Schema.NonEmptyString, Schema.Int, Schema.BigInt]>, never, never>;
    readonly providerAccountId: Schema.String;
    readonly credentialPublicKey: Schema.String;
    readonly counter: Schema.decodeTo<Schema.Finite, Schema.Union<readonly [Schema.Finite, Schema.BigInt, Schema.String]>, never, never>;
    readonly credentialDeviceType: Schema.String;
    readonly credentialBackedUp: Schema.decodeTo<Schema.Boolean, Schema.Union<readonly [Schema.Boolean, Schema.Literals<readonly [0, 1, 0n, 1n, "0", "1"]>]>, never, never>;
    readonly transports: Schema.decodeTo<Schema.NullOr<Schema.String>, Schema.NullishOr<Schema.String>, never, never>;
}>, readonly [Schema.$Record<Schema.String, Schema.Unknown>]>;
export type AdapterAuthenticator = Shape.AdapterAuthenticator & {
    userId: UserId;
};
export declare const VerificationToken: Schema.Struct<{
    readonly identifier: Schema.String;
    readonly token: Schema.String;
    readonly expires: Schema.decodeTo<Schema.Date, Schema.Unknown, never, never>;
}>;
export type VerificationToken = Shape.VerificationToken;
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
