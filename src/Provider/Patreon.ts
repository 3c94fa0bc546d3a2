/**
 * Sign in with Patreon.
 *
 * @since 0.1.0
 */
import { Patreon as logo } from "./internal/logos/Patreon.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.patreon.com/#user-v2
 * @category schemas
 * @since 0.1.0
 */
export const PatreonProfile = (S: Preset.Shapes) =>
  S.Struct({
    data: S.Struct({
      id: S.NonEmptyString,
      attributes: S.optional(
        S.NullOr(
          S.Struct({
            full_name: optionalText(S),
            email: optionalText(S),
            is_email_verified: S.optional(S.NullOr(S.Boolean)),
            image_url: optionalText(S)
          })
        )
      )
    })
  })
/** @category models @since 0.1.0 */
export type PatreonProfile = Preset.ProfileOf<typeof PatreonProfile>

const fields = "email,full_name,image_url,is_email_verified"

/**
 * Patreon. Environment: `AUTH_PATREON_ID`, `AUTH_PATREON_SECRET`. The scopes and the profile are those of version 2 of Patreon's
 * API, which clients of version 1 may ask for as well.
 *
 * @see https://docs.patreon.com/#oauth
 * @category providers
 * @since 0.1.0
 */
export const Patreon: Preset.OAuthFactory<PatreonProfile> = Preset.oauth({
  id: "patreon",
  name: "Patreon",
  logo,
  authorization: { url: "https://www.patreon.com/oauth2/authorize", params: { scope: "identity identity[email]" } },
  token: "https://www.patreon.com/api/oauth2/token",
  userinfo: `https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=${fields}`,
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: PatreonProfile,
  user: ({ data: { attributes, id } }) => ({
    id,
    name: attributes?.full_name ?? null,
    email: attributes?.email ?? null,
    image: attributes?.image_url ?? null
  }),
  emailVerified: ({ data }) => data.attributes?.is_email_verified,
  style: { bg: "#e85b46", text: "#fff" }
})
