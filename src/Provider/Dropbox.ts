/**
 * Sign in with Dropbox.
 *
 * @since 0.1.0
 */
import { Dropbox as logo } from "./internal/logos/Dropbox.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"

/**
 * The account, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://www.dropbox.com/developers/documentation/http/documentation#users-get_current_account
 * @category schemas
 * @since 0.1.0
 */
export const DropboxProfile = (S: Preset.Shapes) =>
  S.Struct({
    account_id: S.NonEmptyString,
    name: S.optional(S.NullOr(S.Struct({ display_name: optionalText(S) }))),
    email: optionalText(S),
    email_verified: S.optional(S.NullOr(S.Boolean)),
    profile_photo_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type DropboxProfile = Preset.ProfileOf<typeof DropboxProfile>

const account = "https://api.dropboxapi.com/2/users/get_current_account"

/**
 * Dropbox. Environment: `AUTH_DROPBOX_ID`, `AUTH_DROPBOX_SECRET`. A refresh token comes along, as `token_access_type=offline`
 * asks for it.
 *
 * @see https://developers.dropbox.com/oauth-guide
 * @category providers
 * @since 0.1.0
 */
export const Dropbox: Preset.OAuthFactory<DropboxProfile> = Preset.oauth({
  id: "dropbox",
  name: "Dropbox",
  logo,
  authorization: {
    url: "https://www.dropbox.com/oauth2/authorize",
    params: { scope: "account_info.read", token_access_type: "offline" }
  },
  token: "https://api.dropboxapi.com/oauth2/token",
  userinfo: {
    url: account,
    // Dropbox's calls are POST requests; this one takes no arguments, so no body and no content type.
    request: ({ ask }: PresetContext) => ask({ url: account, method: "POST" })
  },
  profile: DropboxProfile,
  user: ({ account_id, email, name, profile_photo_url }) => ({
    id: account_id,
    name: name?.display_name ?? null,
    email: email ?? null,
    image: profile_photo_url ?? null
  }),
  emailVerified: "claim",
  style: { brandColor: "#0061fe" }
})
