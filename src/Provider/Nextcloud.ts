/**
 * Sign in with Nextcloud.
 *
 * @since 0.1.0
 */
import { Nextcloud as logo } from "./internal/logos/Nextcloud.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.nextcloud.com/server/latest/developer_manual/client_apis/OCS/ocs-api-overview.html#user-metadata
 * @category schemas
 * @since 0.1.0
 */
export const NextcloudProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    displayname: optionalText(S),
    email: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type NextcloudProfile = Preset.ProfileOf<typeof NextcloudProfile>

const Envelope = (S: Preset.Shapes) => S.Struct({ ocs: S.Struct({ data: S.Record(S.String, S.Unknown) }) })

/**
 * Nextcloud. Environment: `AUTH_NEXTCLOUD_ID`, `AUTH_NEXTCLOUD_SECRET`, `AUTH_NEXTCLOUD_ISSUER`. The issuer is required: the address
 * of the installation, `https://cloud.example.com`. Nextcloud has no scopes: the access token may do all that the person may.
 * An account there need not have an email address, and administrators write any address into it.
 *
 * @see https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 * @category providers
 * @since 0.1.0
 */
export const Nextcloud: Preset.OAuthFactory<NextcloudProfile> = Preset.oauth(({ issuer }: Preset.Filled) => {
  const users = Preset.below(issuer, "/ocs/v1.php/cloud/users")
  return {
    id: "nextcloud",
    name: "Nextcloud",
    logo,
    authorization: { url: Preset.below(issuer, "/apps/oauth2/authorize"), params: { scope: null } },
    token: Preset.below(issuer, "/apps/oauth2/api/v1/token"),
    userinfo:
      users === undefined
        ? undefined
        : {
            url: users,
            // The token response says whose token it is.
            request: ({ askThen, read, tokens }: PresetContext) => {
              const user = tokens["user_id"]
              if (typeof user !== "string" || user === "") return {}
              const url = `${users}/${encodeURIComponent(user)}`
              // A refusal has an empty list in the place of the data.
              return askThen(
                { url, headers: { "ocs-apirequest": "true" } },
                (answer) => read(Envelope, answer)?.ocs.data ?? {}
              )
            }
          },
    profile: NextcloudProfile,
    user: ({ displayname, email, id }) => ({
      id,
      name: displayname ?? null,
      email: email ?? null,
      image: Preset.below(issuer, `/avatar/${encodeURIComponent(id)}/512`) ?? null
    }),
    emailVerified: "unstated",
    style: { bg: "#fff", text: "#0082C9" }
  }
})
