/**
 * Sign in with an instance of Mastodon.
 *
 * @since 0.1.0
 */
import { Mastodon as logo } from "./internal/logos/Mastodon.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The account, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.joinmastodon.org/entities/Account/#CredentialAccount
 * @category schemas
 * @since 0.1.0
 */
export const MastodonProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Id of the account on this instance. */
    id: PersonId(S),
    username: optionalText(S),
    avatar_static: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type MastodonProfile = Preset.ProfileOf<typeof MastodonProfile>

/**
 * Mastodon. Environment: `AUTH_MASTODON_ID`, `AUTH_MASTODON_SECRET`, `AUTH_MASTODON_ISSUER`. The issuer is required:
 * the address of the instance, `https://mastodon.social`. Ids are those of the instance: give each instance a
 * provider with an `id` of its own. It gives no email address.
 *
 * @see https://docs.joinmastodon.org/methods/oauth/
 * @category providers
 * @since 0.1.0
 */
export const Mastodon: Preset.OAuthFactory<MastodonProfile> = Preset.oauth(({ issuer }: Preset.Filled) => ({
  id: "mastodon",
  name: "Mastodon",
  logo,
  authorization: { url: Preset.below(issuer, "/oauth/authorize"), params: { scope: "read" } },
  token: Preset.below(issuer, "/oauth/token"),
  userinfo: Preset.below(issuer, "/api/v1/accounts/verify_credentials"),
  profile: MastodonProfile,
  user: ({ avatar_static, id, username }) => ({
    id: idText(id),
    name: username ?? null,
    email: null,
    image: avatar_static ?? null
  }),
  emailVerified: "no-address"
}))
