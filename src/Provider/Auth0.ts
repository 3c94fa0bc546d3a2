/**
 * Sign in with Auth0.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { mapProfile, optionalText } from "./ProfileMapping.ts"
import type { OIDCConfig, OIDCUserConfig } from "./ProviderOptions.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Auth0Profile = Schema.Struct({
  sub: Schema.NonEmptyString,
  name: optionalText,
  nickname: optionalText,
  preferred_username: optionalText,
  email: optionalText,
  email_verified: Schema.optional(Schema.NullOr(Schema.Boolean)),
  picture: optionalText
})
/** @category models @since 0.1.0 */
export type Auth0Profile = typeof Auth0Profile.Type & { readonly [claim: string]: unknown }

const profile = mapProfile("auth0", Auth0Profile, (profile) => ({
  id: profile.sub,
  name: profile.name ?? profile.nickname ?? profile.preferred_username ?? undefined,
  email: profile.email ?? undefined,
  image: profile.picture ?? undefined
}))

/**
 * Auth0. Environment: `AUTH_AUTH0_ID`, `AUTH_AUTH0_SECRET`, `AUTH_AUTH0_ISSUER`; callback URL
 * `https://example.com/auth/callback/auth0`. The issuer is required: `https://<tenant>.auth0.com/`, final slash included.
 *
 * @see https://auth0.com/docs/authenticate/protocols/openid-connect-protocol
 * @category providers
 * @since 0.1.0
 */
export const Auth0 = (options: OIDCUserConfig<Auth0Profile> = {}): OIDCConfig<Auth0Profile> => ({
  id: "auth0",
  name: "Auth0",
  type: "oidc",
  profile,
  style: { text: "#fff", bg: "#EB5424" },
  options
})
