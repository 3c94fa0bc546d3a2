/**
 * Sign in with Bitbucket Cloud.
 *
 * @since 0.1.0
 */
import { Bitbucket as logo } from "./internal/logos/Bitbucket.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/#api-user-get
 * @category schemas
 * @since 0.1.0
 */
export const BitbucketProfile = (S: Preset.Shapes) =>
  S.Struct({
    account_id: S.NonEmptyString,
    display_name: optionalText(S),
    username: optionalText(S),
    links: S.optional(S.NullOr(S.Struct({ avatar: S.optional(S.NullOr(S.Struct({ href: optionalText(S) }))) })))
  })
/** @category models @since 0.1.0 */
export type BitbucketProfile = Preset.ProfileOf<typeof BitbucketProfile>

/**
 * Bitbucket. Environment: `AUTH_BITBUCKET_ID`, `AUTH_BITBUCKET_SECRET`. It gives no email address with the scope `account`.
 *
 * @see https://developer.atlassian.com/cloud/bitbucket/oauth-2/
 * @category providers
 * @since 0.1.0
 */
export const Bitbucket: Preset.OAuthFactory<BitbucketProfile> = Preset.oauth({
  id: "bitbucket",
  name: "Bitbucket",
  logo,
  authorization: { url: "https://bitbucket.org/site/oauth2/authorize", params: { scope: "account" } },
  token: "https://bitbucket.org/site/oauth2/access_token",
  userinfo: "https://api.bitbucket.org/2.0/user",
  profile: BitbucketProfile,
  user: ({ account_id, display_name, links, username }) => ({
    id: account_id,
    name: display_name ?? username ?? null,
    email: null,
    image: links?.avatar?.href ?? null
  }),
  emailVerified: "no-address",
  style: { text: "#fff", bg: "#205081" }
})
