import type { AnswerKind } from "../internal/Answer.ts";
import type { TokenSet } from "../Models.ts";
import { type EmailStatement, type Shape, StandardProfile, type Vouching } from "./internal/ProfileMapping.ts";
import type { Awaitable } from "../internal/Untyped.ts";
import type { ProviderStyle } from "./internal/Provider.ts";
import type { AuthorizationHandler, ClientMetadata, Factory, OAuth2Config, OAuthUserConfig, OIDCConfig, OIDCUserConfig, TokenEndpointHandler, UserFields, UserinfoEndpointHandler } from "./internal/ProviderOptions.ts";
export type { Answer, AnswerKind, Answers } from "../internal/Answer.ts";
export type { Awaitable } from "../internal/Untyped.ts";
export type { ClientPrivateKey, ConfiguredProvider, ProfileContext, TokenRequestContext, UserinfoContext } from "./internal/Context.ts";
export { type EmailStatement, optionalText, PersonId, type Shape, type Shapes, StandardProfile, type Vouching } from "./internal/ProfileMapping.ts";
export type { MailServiceName, ProviderStyle, UserVerification, VerificationRequestParams } from "./internal/Provider.ts";
export type { AccountCallback, Authorization, AuthorizationHandler, ClientMetadata, CommonProviderOptions, CredentialInput, CredentialsConfig, EmailConfig, EmailFactory, EmailUserConfig, EndpointHandler, Factory, KeyOwner, Made, MailServer, OAuth2Config, OAuthConfig, OAuthUserConfig, OIDCConfig, OIDCUserConfig, ProfileCallback, ProviderProfile, RelyingPartyFields, SubmittedCredentials, TokenEndpointHandler, UserFields, UserinfoEndpointHandler, WebAuthnConfig, WebAuthnUserConfig } from "./internal/ProviderOptions.ts";
export type ProfileOf<S extends Shape> = Fields<S> & {
    readonly [member: string]: unknown;
};
type Fields<S extends Shape> = ReturnType<S>["Type"];
interface Platform {
    readonly id: string;
    readonly name: string;
    readonly issuer?: string | undefined;
    readonly authorization?: string | AuthorizationHandler | undefined;
    readonly token?: string | TokenEndpointHandler<"value"> | undefined;
    readonly userinfo?: string | UserinfoEndpointHandler<"value"> | undefined;
    readonly client?: ClientMetadata | undefined;
    readonly checks?: ReadonlyArray<"pkce" | "state" | "nonce"> | undefined;
    readonly refuses?: ReadonlyArray<"pkce" | "nonce"> | undefined;
    readonly style?: Omit<ProviderStyle, "outline"> | undefined;
    readonly logo?: string | undefined;
    readonly conform?: string | undefined;
}
export interface OAuthPreset<S extends Shape> extends Platform {
    readonly profile: S;
    readonly user: (profile: Fields<S>, tokens: TokenSet) => Awaitable<UserFields>;
    readonly emailVerified: EmailStatement<Fields<S>>;
    readonly vouchesForEmail?: Vouching | undefined;
}
export interface OidcPreset<S extends Shape> extends OAuthPreset<S> {
    readonly idToken?: boolean | undefined;
}
export interface StandardPreset extends Platform {
    readonly idToken?: boolean | undefined;
}
export interface OAuthFactory<P, O = {}> extends Factory<OAuth2Config<P, "value">, OAuthUserConfig<P, AnswerKind> & O, OAuthUserConfig<P, "value"> & O> {
}
export interface OidcFactory<P, O = {}> extends Factory<OIDCConfig<P, "value">, OIDCUserConfig<P, AnswerKind> & O, OIDCUserConfig<P, "value"> & O> {
}
export interface Filled {
    readonly issuer?: string | undefined;
    readonly clientId?: string | undefined;
    readonly clientSecret?: string | undefined;
}
type Written<A> = A | {
    from(options: Filled): A;
}["from"];
export declare const oauth: <S extends Shape>(preset: Written<OAuthPreset<S>>) => OAuthFactory<ProfileOf<S>>;
export declare const standard: (preset: Written<StandardPreset>) => OidcFactory<ProfileOf<typeof StandardProfile>>;
export declare const oidc: <S extends Shape>(preset: Written<OidcPreset<S>>) => OidcFactory<ProfileOf<S>>;
export declare const below: (base: string | undefined, path: `/${string}`) => string | undefined;
