/**
 * Sign in with FusionAuth, in its cloud or on an installation of one's own.
 *
 * @since 0.1.0
 */
import { FusionAuth as logo } from "./internal/logos/FusionAuth.ts"
import * as Preset from "./Preset.ts"
import { fullName, idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/tokens#id-token
 * @category schemas
 * @since 0.1.0
 */
export const FusionAuthProfile = (S: Preset.Shapes) =>
  S.Struct({
    sub: PersonId(S),
    name: optionalText(S),
    preferred_username: optionalText(S),
    given_name: optionalText(S),
    middle_name: optionalText(S),
    family_name: optionalText(S),
    email: optionalText(S),
    picture: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type FusionAuthProfile = Preset.ProfileOf<typeof FusionAuthProfile>

/**
 * Options of {@link FusionAuth} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface FusionAuthOptions {
  /** The tenant, where the installation has more than one. */
  readonly tenantId?: string | undefined
}

/**
 * FusionAuth. Environment: `AUTH_FUSIONAUTH_ID`, `AUTH_FUSIONAUTH_SECRET`, `AUTH_FUSIONAUTH_ISSUER`. The issuer is
 * required and must be what the tenant has as its issuer in FusionAuth (Tenants, General): set it there to an address
 * below which the metadata is, `https://auth.example.com`, or `https://auth.example.com/<tenant id>` for a tenant
 * with an issuer of its own.
 *
 * ID tokens must be signed with an asymmetric key, `RS256` or `ES256` (Applications, JWT). Where they are signed with
 * the client secret, say so with `client: { id_token_signed_response_alg: "HS256" }`.
 *
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints
 * @category providers
 * @since 0.1.0
 */
export const FusionAuth: Preset.OidcFactory<FusionAuthProfile, FusionAuthOptions> = Preset.oidc(
  ({ tenantId }: Preset.Filled & FusionAuthOptions) => ({
    id: "fusionauth",
    name: "FusionAuth",
    checks: ["pkce", "state"],
    logo,
    authorization: { params: { scope: "openid offline_access email profile", tenantId } },
    profile: FusionAuthProfile,
    user: ({ email, family_name, given_name, middle_name, name, picture, preferred_username, sub }) => ({
      id: idText(sub),
      name: name ?? preferred_username ?? fullName(given_name, middle_name, family_name),
      email: email ?? null,
      image: picture ?? null
    }),
    emailVerified: "claim"
  })
)
