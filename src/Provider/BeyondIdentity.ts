/**
 * Sign in with Beyond Identity.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BeyondIdentityProfile = (S: Preset.Shapes) =>
  S.Struct({
    sub: S.NonEmptyString,
    name: optionalText(S),
    email: optionalText(S),
    preferred_username: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type BeyondIdentityProfile = Preset.ProfileOf<typeof BeyondIdentityProfile>

/**
 * Beyond Identity. Environment: `AUTH_BEYONDIDENTITY_ID`, `AUTH_BEYONDIDENTITY_SECRET`, `AUTH_BEYONDIDENTITY_ISSUER`. The
 * issuer is required, and the configuration of the application shows it:
 * `https://auth-us.beyondidentity.com/v1/tenants/<tenant>/realms/<realm>/applications/<application>`. The user also has the
 * member `preferred_username`, which a database needs a column for.
 *
 * @see https://developer.beyondidentity.com/docs/next/authentication
 * @category providers
 * @since 0.1.0
 */
export const BeyondIdentity: Preset.OidcFactory<BeyondIdentityProfile> = Preset.oidc({
  id: "beyondidentity",
  name: "Beyond Identity",
  profile: BeyondIdentityProfile,
  user: ({ email, name, preferred_username, sub }) => ({
    id: sub,
    name: name ?? null,
    email: email ?? null,
    image: null,
    preferred_username: preferred_username ?? null
  }),
  emailVerified: "claim",
  style: { bg: "#5077c5", text: "#fff" }
})
