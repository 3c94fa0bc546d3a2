/**
 * Sign in with Bungie.net.
 *
 * @since 0.1.0
 */
import { Bungie as logo } from "./internal/logos/Bungie.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"

/**
 * The memberships of the current user, as far as a user of the application is made of them; further members are kept in the
 * profile.
 *
 * @see https://bungie-net.github.io/multi/operation_get_User-GetMembershipDataForCurrentUser.html
 * @category schemas
 * @since 0.1.0
 */
export const BungieProfile = (S: Preset.Shapes) =>
  S.Struct({
    Response: S.Struct({
      bungieNetUser: S.Struct({
        membershipId: PersonId(S),
        displayName: optionalText(S),
        /** Path below `https://www.bungie.net`. */
        profilePicturePath: optionalText(S)
      })
    })
  })
/** @category models @since 0.1.0 */
export type BungieProfile = Preset.ProfileOf<typeof BungieProfile>

/**
 * Options of {@link Bungie} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface BungieOptions {
  /** The API key that the application got beside its id. Required. */
  readonly apiKey?: string | undefined
}

const site = "https://www.bungie.net"
const memberships = `${site}/Platform/User/GetMembershipsForCurrentUser/`

/**
 * Bungie. Environment: `AUTH_BUNGIE_ID`, `AUTH_BUNGIE_SECRET`, `AUTH_BUNGIE_KEY` (the API key, which is required). Register
 * the application as a confidential client with the scope to read the basic user profile; Bungie takes the scopes from the
 * registration. It gives no email address.
 *
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 * @category providers
 * @since 0.1.0
 */
export const Bungie: Preset.OAuthFactory<BungieProfile, BungieOptions> = Preset.oauth(
  ({ apiKey }: Preset.Filled & BungieOptions) => ({
    id: "bungie",
    name: "Bungie",
    logo,
    authorization: { url: `${site}/en/OAuth/Authorize`, params: { reauth: "true", scope: null } },
    token: `${site}/platform/app/oauth/token/`,
    userinfo:
      apiKey === undefined || apiKey === ""
        ? undefined
        : {
            url: memberships,
            request: ({ ask }: PresetContext) => ask({ url: memberships, headers: { "x-api-key": apiKey } })
          },
    profile: BungieProfile,
    user: ({ Response: { bungieNetUser: person } }) => ({
      id: idText(person.membershipId),
      name: person.displayName ?? null,
      email: null,
      image: typeof person.profilePicturePath === "string" ? pictureAt(person.profilePicturePath) : null
    }),
    emailVerified: "no-address"
  })
)

const pictureAt = (path: string): string => `${site}${path.startsWith("/") ? "" : "/"}${path}`
