/**
 * Sign in with Spotify.
 *
 * @since 0.1.0
 */
import { Spotify as logo } from "./internal/logos/Spotify.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile
 * @category schemas
 * @since 0.1.0
 */
export const SpotifyProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    display_name: optionalText(S),
    email: optionalText(S),
    /** The widest first. */
    images: S.optional(S.NullOr(S.Array(S.Struct({ url: optionalText(S) }))))
  })
/** @category models @since 0.1.0 */
export type SpotifyProfile = Preset.ProfileOf<typeof SpotifyProfile>

/**
 * Spotify. Environment: `AUTH_SPOTIFY_ID`, `AUTH_SPOTIFY_SECRET`. Spotify says of every email address that it is not verified, so
 * the address links to no existing user, not even with `allowDangerousEmailAccountLinking`. There may be no
 * address: Spotify does not give it to every application.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 * @category providers
 * @since 0.1.0
 */
export const Spotify: Preset.OAuthFactory<SpotifyProfile> = Preset.oauth({
  id: "spotify",
  name: "Spotify",
  logo,
  authorization: { url: "https://accounts.spotify.com/authorize", params: { scope: "user-read-email" } },
  token: "https://accounts.spotify.com/api/token",
  userinfo: "https://api.spotify.com/v1/me",
  profile: SpotifyProfile,
  user: ({ display_name, email, id, images }) => ({
    id,
    name: display_name ?? null,
    email: email ?? null,
    image: images?.[0]?.url ?? null
  }),
  // The documentation of the member email: there is no proof that it belongs to the user.
  emailVerified: () => false,
  style: { brandColor: "#1db954" }
})
