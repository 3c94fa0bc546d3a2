/**
 * Sign in with Frontegg.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { standardUser, StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://developers.frontegg.com/ciam/guides/authentication/jwt
 * @category schemas
 * @since 0.1.0
 */
export const FronteggProfile = (S: Preset.Shapes) =>
  S.Struct({
    ...StandardProfile(S).fields,
    profilePictureUrl: S.optional(S.NullOr(S.String))
  })
/** @category models @since 0.1.0 */
export type FronteggProfile = Preset.ProfileOf<typeof FronteggProfile>

/**
 * Frontegg. Environment: `AUTH_FRONTEGG_ID`, `AUTH_FRONTEGG_SECRET` (the API key of the environment),
 * `AUTH_FRONTEGG_ISSUER`. The issuer is required: the address of the hosted login,
 * `https://app-example.frontegg.com`, or your own domain.
 *
 * @see https://developers.frontegg.com/ciam/guides/authentication/login-box/hosted
 * @category providers
 * @since 0.1.0
 */
export const Frontegg: Preset.OidcFactory<FronteggProfile> = Preset.oidc(({ issuer }: Preset.Filled) => ({
  id: "frontegg",
  name: "Frontegg",
  authorization: Preset.below(issuer, "/oauth/authorize"),
  token: Preset.below(issuer, "/oauth/token"),
  userinfo: Preset.below(issuer, "/identity/resources/users/v2/me"),
  profile: FronteggProfile,
  user: (claims) => {
    const user = standardUser(claims)
    return { ...user, image: user.image ?? claims.profilePictureUrl ?? undefined }
  },
  emailVerified: "claim"
}))
