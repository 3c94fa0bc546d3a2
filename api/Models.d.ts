import * as Schema from "effect/Schema";
import type { Unchecked } from "./internal/Unchecked.ts";
export declare const User: Schema.StructWithRest<Schema.Struct<{
    readonly id: Schema.optional<Schema.String>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly image: Schema.optional<Schema.NullOr<Schema.String>>;
}>, readonly [Schema.$Record<Schema.String, Schema.Unknown>]>;
export interface User extends DefaultUser {
}
export interface DefaultUser {
    id?: string | undefined;
    name?: string | null | undefined;
    email?: string | null | undefined;
    image?: string | null | undefined;
}
export declare const Session: Schema.StructWithRest<Schema.Struct<{
    readonly user: Schema.optional<Schema.StructWithRest<Schema.Struct<{
        readonly id: Schema.optional<Schema.String>;
        readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly image: Schema.optional<Schema.NullOr<Schema.String>>;
    }>, readonly [Schema.$Record<Schema.String, Schema.Unknown>]>>;
    readonly expires: Schema.String;
}>, readonly [Schema.$Record<Schema.String, Schema.Unknown>]>;
export interface Session extends DefaultSession {
}
export interface DefaultSession {
    user?: User | undefined;
    expires: string;
}
export type ProviderType = "oauth" | "oidc" | "email" | "credentials" | "webauthn";
export type JsonValue = string | number | boolean | null | JsonObject | Array<JsonValue>;
export type JsonObject = {
    [member: string]: JsonValue | undefined;
};
export interface AuthorizationDetails {
    readonly type: string;
    readonly locations?: Array<string>;
    readonly actions?: Array<string>;
    readonly datatypes?: Array<string>;
    readonly privileges?: Array<string>;
    readonly identifier?: string;
    readonly [member: string]: JsonValue | undefined;
}
export interface TokenSet {
    readonly access_token?: string | undefined;
    readonly refresh_token?: string | undefined;
    readonly id_token?: string | undefined;
    readonly token_type?: Lowercase<string> | undefined;
    readonly scope?: string | undefined;
    readonly authorization_details?: Array<AuthorizationDetails> | undefined;
    readonly expires_in?: number | undefined;
    expires_at?: number | undefined;
    readonly [member: string]: JsonValue | undefined;
}
export interface Account extends TokenSet {
    provider: string;
    providerAccountId: string;
    type: ProviderType;
    userId?: string | undefined;
}
declare const address: Schema.Struct<{
    readonly country: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly formatted: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly locality: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly postal_code: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly region: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly street_address: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
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
export interface Profile {
    id?: string | null | undefined;
    sub?: string | null | undefined;
    name?: string | null | undefined;
    given_name?: string | null | undefined;
    family_name?: string | null | undefined;
    middle_name?: string | null | undefined;
    nickname?: string | null | undefined;
    preferred_username?: string | null | undefined;
    profile?: string | null | undefined;
    picture?: Unchecked;
    website?: string | null | undefined;
    email?: string | null | undefined;
    email_verified?: boolean | null | undefined;
    gender?: string | null | undefined;
    birthdate?: string | null | undefined;
    zoneinfo?: string | null | undefined;
    locale?: string | null | undefined;
    phone_number?: string | null | undefined;
    updated_at?: string | number | Date | null | undefined;
    address?: typeof address.Type | null | undefined;
    [claim: string]: unknown;
}
export interface AdapterUser extends User {
    id: string;
    email: string;
    emailVerified: Date | null;
}
export interface AdapterAccount extends Account {
    userId: string;
    type: Exclude<ProviderType, "credentials">;
}
export interface AdapterSession {
    sessionToken: string;
    userId: string;
    expires: Date;
}
export interface VerificationToken {
    identifier: string;
    token: string;
    expires: Date;
}
export interface Authenticator {
    credentialID: string;
    providerAccountId: string;
    credentialPublicKey: string;
    counter: number;
    credentialDeviceType: string;
    credentialBackedUp: boolean;
    transports?: string | null | undefined;
    userId?: string | undefined;
}
export interface AdapterAuthenticator extends Authenticator {
    userId: string;
}
export declare const PublicProvider: Schema.Struct<{
    readonly id: Schema.String;
    readonly name: Schema.String;
    readonly type: Schema.String;
    readonly signinUrl: Schema.String;
    readonly callbackUrl: Schema.String;
}>;
export type PublicProvider = typeof PublicProvider.Type;
export declare const Theme: Schema.Struct<{
    readonly colorScheme: Schema.optional<Schema.Literals<readonly ["auto", "dark", "light"]>>;
    readonly brandColor: Schema.optional<Schema.String>;
    readonly buttonText: Schema.optional<Schema.String>;
    readonly logo: Schema.optional<Schema.String>;
}>;
export type Theme = typeof Theme.Type;
export declare const PagesOptions: Schema.Struct<{
    readonly signIn: Schema.optional<Schema.String>;
    readonly signOut: Schema.optional<Schema.String>;
    readonly error: Schema.optional<Schema.String>;
    readonly verifyRequest: Schema.optional<Schema.String>;
    readonly newUser: Schema.optional<Schema.String>;
}>;
export type PagesOptions = typeof PagesOptions.Type;
export interface DefaultJWT extends Record<string, unknown> {
    name?: string | null | undefined;
    email?: string | null | undefined;
    picture?: string | null | undefined;
    sub?: string | undefined;
    iat?: number | undefined;
    exp?: number | undefined;
    jti?: string | undefined;
}
export interface JWT extends Record<string, unknown>, DefaultJWT {
}
export {};
