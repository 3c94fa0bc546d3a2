/**
 * Sign in with Wikimedia, the account of Wikipedia and its sister projects.
 *
 * @since 0.1.0
 */
import { Wikimedia as logo } from "./internal/logos/Wikimedia.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The profile, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers#Identifying_the_user_2
 * @category schemas
 * @since 0.1.0
 */
export const WikimediaProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Id of the account in all projects. */
    sub: PersonId(S),
    username: optionalText(S),
    email: optionalText(S),
    /** The person has confirmed the address. */
    confirmed_email: S.optional(S.NullOr(S.Boolean))
  })
/** @category models @since 0.1.0 */
export type WikimediaProfile = Preset.ProfileOf<typeof WikimediaProfile>

/**
 * Wikimedia. Environment: `AUTH_WIKIMEDIA_ID`, `AUTH_WIKIMEDIA_SECRET`. An application is registered as a consumer of OAuth 2.0 and
 * says there what it may read; an email address comes only to those that may read it.
 *
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers#OAuth_2
 * @category providers
 * @since 0.1.0
 */
export const Wikimedia: Preset.OAuthFactory<WikimediaProfile> = Preset.oauth({
  id: "wikimedia",
  name: "Wikimedia",
  logo,
  authorization: { url: "https://meta.wikimedia.org/w/rest.php/oauth2/authorize", params: { scope: "" } },
  token: "https://meta.wikimedia.org/w/rest.php/oauth2/access_token",
  userinfo: "https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile",
  profile: WikimediaProfile,
  user: ({ email, sub, username }) => ({
    id: idText(sub),
    name: username ?? null,
    email: email ?? null,
    image: null
  }),
  emailVerified: ({ confirmed_email }) => confirmed_email,
  style: { bg: "#000", text: "#fff" }
})
