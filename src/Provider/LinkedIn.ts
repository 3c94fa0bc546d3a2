/**
 * Sign in with LinkedIn.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile, standardUser } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LinkedInProfile = StandardProfile
/** @category models @since 0.1.0 */
export type LinkedInProfile = Preset.ProfileOf<typeof LinkedInProfile>

/**
 * LinkedIn. Environment: `AUTH_LINKEDIN_ID`, `AUTH_LINKEDIN_SECRET`. Add the product "Sign In with LinkedIn using
 * OpenID Connect" to the application. Members may have no email address there. LinkedIn takes no PKCE from
 * applications with a secret and repeats no nonce, so neither is sent.
 *
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 * @category providers
 * @since 0.1.0
 */
export const LinkedIn: Preset.OidcFactory<LinkedInProfile> = Preset.oidc({
  id: "linkedin",
  name: "LinkedIn",
  checks: ["state"],
  refuses: ["pkce", "nonce"],
  issuer: "https://www.linkedin.com/oauth",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: StandardProfile,
  user: standardUser,
  // The ID token has the claim as text, userinfo as a boolean.
  emailVerified: ({ email_verified: verified }) =>
    verified === true || verified === "true" ? true : verified === false || verified === "false" ? false : undefined,
  style: { bg: "#069", text: "#fff" }
})
