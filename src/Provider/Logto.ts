/**
 * Sign in with Logto, in its cloud or on an installation of one's own.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://docs.logto.io/developers/id-token
 * @category schemas
 * @since 0.1.0
 */
export const LogtoProfile = (S: Preset.Shapes) =>
  S.Struct({
    sub: PersonId(S),
    name: optionalText(S),
    username: optionalText(S),
    email: optionalText(S),
    picture: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type LogtoProfile = Preset.ProfileOf<typeof LogtoProfile>

/**
 * Logto. Environment: `AUTH_LOGTO_ID`, `AUTH_LOGTO_SECRET`, `AUTH_LOGTO_ISSUER`. The issuer is required: the endpoint
 * of the tenant with `/oidc`, `https://example.logto.app/oidc`. For a refresh token, write
 * `authorization: { params: { prompt: "consent" } }`.
 *
 * @see https://docs.logto.io/integrate-logto/third-party-applications
 * @category providers
 * @since 0.1.0
 */
export const Logto: Preset.OidcFactory<LogtoProfile> = Preset.oidc({
  id: "logto",
  name: "Logto",
  authorization: { params: { scope: "offline_access openid email profile" } },
  profile: LogtoProfile,
  user: ({ email, name, picture, sub, username }) => ({
    id: idText(sub),
    name: name ?? username ?? null,
    email: email ?? null,
    image: picture ?? null
  }),
  emailVerified: "claim"
})
