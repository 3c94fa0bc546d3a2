/**
 * Sign in with Auth0.
 *
 * @since 0.1.0
 */
import { Auth0 as logo } from "./internal/logos/Auth0.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile, standardUser } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Auth0Profile = (S: Preset.Shapes) =>
  S.Struct({
    ...StandardProfile(S).fields,
    sub: S.NonEmptyString,
    email_verified: S.optional(S.NullOr(S.Boolean))
  })
/** @category models @since 0.1.0 */
export type Auth0Profile = Preset.ProfileOf<typeof Auth0Profile>

/**
 * Auth0. Environment: `AUTH_AUTH0_ID`, `AUTH_AUTH0_SECRET`, `AUTH_AUTH0_ISSUER`; callback URL
 * `https://example.com/auth/callback/auth0`. The issuer is required: `https://<tenant>.auth0.com/`, final slash included.
 *
 * @see https://auth0.com/docs/authenticate/protocols/openid-connect-protocol
 * @category providers
 * @since 0.1.0
 */
export const Auth0: Preset.OidcFactory<Auth0Profile> = Preset.oidc({
  id: "auth0",
  name: "Auth0",
  logo,
  profile: Auth0Profile,
  user: standardUser,
  emailVerified: "claim",
  style: { text: "#fff", bg: "#EB5424" }
})
