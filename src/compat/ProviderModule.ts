/**
 * How the factory of a preset looks in `providers/*`: as factories of Auth.js look, with functions that answer values and promises.
 *
 * A profile there can be read without asking whether a claim is there, and whatever the preset does not name can be read too.
 * The presets in `Provider/*` have the honest types.
 *
 * @since 0.1.0
 */
import type { Awaitable, Unchecked } from "../internal/Untyped.ts"
import type { CredentialsOptions } from "../Provider/Credentials.ts"
import type { EmailFactory, OAuthFactory, OidcFactory } from "../Provider/Preset.ts"
import type {
  Authorization,
  CredentialInput,
  CredentialsConfig,
  EmailConfig,
  EmailUserConfig,
  OAuth2Config,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  WebAuthnConfig,
  WebAuthnUserConfig
} from "./providers.ts"

/**
 * A profile as programs for Auth.js read it.
 *
 * @category models
 * @since 0.1.0
 */
export type Claims<Profile> =
  Profile extends ReadonlyArray<infer Item>
    ? Array<Claims<Item>>
    : Profile extends object
      ? { [Claim in keyof Profile]-?: Claims<NonNullable<Profile[Claim]>> } & { [claim: string]: Unchecked }
      : Profile

/**
 * An object of a profile whose members are not named here.
 *
 * @category models
 * @since 0.1.0
 */
export interface Member {
  [claim: string]: Unchecked
}

/**
 * Options of this preset alone.
 *
 * @category models
 * @since 0.1.0
 */
export type OwnOptions<Preset> =
  Preset extends OAuthFactory<infer _Profile, infer Own>
    ? Own
    : Preset extends OidcFactory<infer _Profile, infer Own>
      ? Own
      : never

/**
 * The factory of a preset, for a profile of a type of one's own.
 *
 * @category models
 * @since 0.1.0
 */
export type Factory<Preset, Profile> = Preset extends (...options: never) => { type: "oidc" }
  ? <P extends Profile = Profile>(options?: OIDCUserConfig<P> & OwnOptions<Preset>) => OIDCConfig<P>
  : <P extends Profile = Profile>(options?: OAuthUserConfig<P> & OwnOptions<Preset>) => OAuth2Config<P>

/**
 * The factory of an email provider.
 *
 * @category models
 * @since 0.1.0
 */
export type MailFactory<Preset> =
  Preset extends EmailFactory<infer Own> ? (options?: EmailUserConfig & Own) => EmailConfig : never

/**
 * The factory of a form.
 *
 * @category models
 * @since 0.1.0
 */
export type FormFactory = <const Fields extends Record<string, object> = Record<string, CredentialInput>>(
  options?: CredentialsOptions<Fields, Awaitable<Authorization>>
) => Omit<CredentialsConfig, "options"> & { readonly options: CredentialsOptions<Fields, Awaitable<Authorization>> }

/**
 * The factory of a provider of Web Authentication.
 *
 * @category models
 * @since 0.1.0
 */
export type KeyFactory = (options?: WebAuthnUserConfig) => WebAuthnConfig
