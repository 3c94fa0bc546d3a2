/**
 * Sign in with Dribbble.
 *
 * @since 0.1.0
 */
import { Dribbble as logo } from "./internal/logos/Dribbble.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developer.dribbble.com/v2/user/
 * @category schemas
 * @since 0.1.0
 */
export const DribbbleProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    name: optionalText(S),
    avatar_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type DribbbleProfile = Preset.ProfileOf<typeof DribbbleProfile>

/**
 * Options of {@link Dribbble} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface DribbbleOptions {
  /** `public`, which is what Dribbble gives without one, or `public upload`. */
  readonly scope?: string | undefined
}

/**
 * Dribbble. Environment: `AUTH_DRIBBBLE_ID`, `AUTH_DRIBBBLE_SECRET`. It gives no email address.
 *
 * @see https://developer.dribbble.com/v2/oauth/
 * @category providers
 * @since 0.1.0
 */
export const Dribbble: Preset.OAuthFactory<DribbbleProfile, DribbbleOptions> = Preset.oauth(
  ({ scope }: Preset.Filled & DribbbleOptions) => ({
    id: "dribbble",
    name: "Dribbble",
    logo,
    authorization: { url: "https://dribbble.com/oauth/authorize", params: { scope: scope ?? null } },
    token: "https://dribbble.com/oauth/token",
    userinfo: "https://api.dribbble.com/v2/user",
    profile: DribbbleProfile,
    user: ({ avatar_url, id, name }) => ({
      id: idText(id),
      name: name ?? null,
      email: null,
      image: avatar_url ?? null
    }),
    emailVerified: "no-address",
    style: { bg: "#000", text: "#fff" }
  })
)
