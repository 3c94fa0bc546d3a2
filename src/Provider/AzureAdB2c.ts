/**
 * Sign in with Azure AD B2C.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://learn.microsoft.com/azure/active-directory-b2c/tokens-overview#claims
 * @category schemas
 * @since 0.1.0
 */
export const AzureAdB2cProfile = (S: Preset.Shapes) =>
  S.Struct({
    sub: S.NonEmptyString,
    name: optionalText(S),
    preferred_username: optionalText(S),
    emails: S.optional(S.NullOr(S.Array(S.String)))
  })
/** @category models @since 0.1.0 */
export type AzureAdB2cProfile = Preset.ProfileOf<typeof AzureAdB2cProfile>

/**
 * Azure AD B2C. Environment: `AUTH_AZURE_AD_B2C_ID`, `AUTH_AZURE_AD_B2C_SECRET`, `AUTH_AZURE_AD_B2C_ISSUER`.
 *
 * The issuer is required, and the user flow or policy has to use the one that OpenID Connect Discovery can find: set "Issuer
 * (iss) claim" in its token compatibility settings to the address with `tfp`, and write that,
 * `https://<tenant>.b2clogin.com/tfp/<tenant id>/<policy>/v2.0/`, final slash included. Select the user's object id, display
 * name and email addresses as application claims.
 *
 * Without a scope that names an application the platform gives no access token, so the client id is one of the scopes; name
 * those of your API, or the client id, when you write others. It does not say whether an address is verified. Microsoft sells
 * it to no new customers since May 2025.
 *
 * @see https://learn.microsoft.com/azure/active-directory-b2c/openid-connect
 * @see https://learn.microsoft.com/azure/active-directory-b2c/configure-tokens
 * @category providers
 * @since 0.1.0
 */
export const AzureAdB2c: Preset.OidcFactory<AzureAdB2cProfile> = Preset.oidc(({ clientId }: Preset.Filled) => ({
  id: "azure-ad-b2c",
  name: "Azure AD B2C",
  authorization: { params: { scope: ["openid profile email", clientId ?? ""].join(" ").trim() } },
  profile: AzureAdB2cProfile,
  user: ({ emails, name, preferred_username, sub }) => ({
    id: sub,
    name: name ?? preferred_username ?? null,
    email: emails?.[0] ?? null,
    image: null
  }),
  emailVerified: "unstated",
  style: { text: "#fff", bg: "#0072c6" }
}))
