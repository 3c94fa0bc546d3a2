/**
 * Sign in with Trakt.
 *
 * @since 0.1.0
 */
import { Trakt as logo } from "./internal/logos/Trakt.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"

const Avatar = (S: Preset.Shapes) => S.Struct({ full: optionalText(S) })

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://trakt.docs.apiary.io/#reference/users/profile/get-user-profile
 * @category schemas
 * @since 0.1.0
 */
export const TraktProfile = (S: Preset.Shapes) =>
  S.Struct({
    ids: S.Struct({ slug: S.NonEmptyString }),
    name: optionalText(S),
    images: S.optional(S.NullOr(S.Struct({ avatar: S.optional(S.NullOr(Avatar(S))) })))
  })
/** @category models @since 0.1.0 */
export type TraktProfile = Preset.ProfileOf<typeof TraktProfile>

const me = "https://api.trakt.tv/users/me?extended=full"

/**
 * Trakt. Environment: `AUTH_TRAKT_ID`, `AUTH_TRAKT_SECRET`. It gives no email address. The account id is the name in
 * the address of the person's page (`ids.slug`), because stored accounts have it. It follows the user name: a person who changes
 * that at Trakt becomes another user, and a person who takes over a released name becomes its former user. Without stored
 * accounts, take `user.ids.uuid` of `https://api.trakt.tv/users/settings` with `userinfo` and `profile` functions of your own.
 *
 * Trakt does not allow that its pictures are shown from its own servers: copy them.
 *
 * @see https://trakt.docs.apiary.io/#reference/authentication-oauth
 * @category providers
 * @since 0.1.0
 */
export const Trakt: Preset.OAuthFactory<TraktProfile> = Preset.oauth((options: Preset.Filled) => ({
  id: "trakt",
  name: "Trakt",
  logo,
  authorization: { url: "https://trakt.tv/oauth/authorize", params: { scope: "" } },
  token: "https://api.trakt.tv/oauth/token",
  userinfo: {
    url: me,
    request: ({ ask }: PresetContext) =>
      ask({ url: me, headers: { "trakt-api-version": "2", "trakt-api-key": options.clientId } })
  },
  profile: TraktProfile,
  user: ({ ids, images, name }) => ({
    id: ids.slug,
    name: name ?? null,
    email: null,
    image: images?.avatar?.full ?? null
  }),
  emailVerified: "no-address",
  style: { bg: "#ED2224", text: "#fff" }
}))
