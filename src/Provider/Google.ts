/**
 * Sign in with Google.
 *
 * @since 0.1.0
 */
import { Google as logo } from "./internal/logos/Google.ts"
import * as Preset from "./Preset.ts"
import { optionalText, standardUser } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload
 * @category schemas
 * @since 0.1.0
 */
export const GoogleProfile = (S: Preset.Shapes) =>
  S.Struct({
    sub: S.NonEmptyString,
    name: optionalText(S),
    email: optionalText(S),
    picture: optionalText(S),
    email_verified: S.optional(S.NullOr(S.Boolean)),
    hd: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type GoogleProfile = Preset.ProfileOf<typeof GoogleProfile>

/**
 * Google. Environment: `AUTH_GOOGLE_ID`, `AUTH_GOOGLE_SECRET`; callback URL `https://example.com/auth/callback/google`.
 * Google sends a refresh token only with `authorization: { params: { access_type: "offline", prompt: "consent" } }`.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 * @category providers
 * @since 0.1.0
 */
export const Google: Preset.OidcFactory<GoogleProfile> = Preset.oidc({
  id: "google",
  name: "Google",
  logo,
  issuer: "https://accounts.google.com",
  profile: GoogleProfile,
  user: standardUser,
  emailVerified: "claim",
  vouchesForEmail: true,
  style: { brandColor: "#1a73e8" }
})
