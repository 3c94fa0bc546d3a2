/**
 * Sign in with Zoom.
 *
 * @since 0.1.0
 */
import { Zoom as logo } from "./internal/logos/Zoom.ts"
import * as Preset from "./Preset.ts"
import { fullName, optionalText } from "./internal/ProfileMapping.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.zoom.us/docs/api/users/#tag/users/GET/users/{userId}
 * @category schemas
 * @since 0.1.0
 */
export const ZoomProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    first_name: optionalText(S),
    last_name: optionalText(S),
    display_name: optionalText(S),
    email: optionalText(S),
    pic_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type ZoomProfile = Preset.ProfileOf<typeof ZoomProfile>

/**
 * Zoom. Environment: `AUTH_ZOOM_ID`, `AUTH_ZOOM_SECRET`. The scopes are those of the registration, `user:read:user` among them. Zoom
 * says of an account whether it is verified, but not of its email address.
 *
 * @see https://developers.zoom.us/docs/integrations/oauth/
 * @category providers
 * @since 0.1.0
 */
export const Zoom: Preset.OAuthFactory<ZoomProfile> = Preset.oauth({
  id: "zoom",
  name: "Zoom",
  logo,
  authorization: { url: "https://zoom.us/oauth/authorize", params: { scope: "" } },
  token: "https://zoom.us/oauth/token",
  userinfo: "https://api.zoom.us/v2/users/me",
  profile: ZoomProfile,
  user: ({ display_name, email, first_name, id, last_name, pic_url }) => ({
    id,
    name: fullName(first_name, last_name) ?? display_name ?? null,
    email: email ?? null,
    image: pic_url ?? null
  }),
  emailVerified: "unstated",
  style: { bg: "#0b5cff", text: "#fff" }
})
