/**
 * Sign in with Nextcloud.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Nextcloud as logo } from "./internal/logos/Nextcloud.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import { askForObject } from "./internal/ProfileRequest.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.nextcloud.com/server/latest/developer_manual/client_apis/OCS/ocs-api-overview.html#user-metadata
 * @category schemas
 * @since 0.1.0
 */
export const NextcloudProfile = Schema.Struct({
  id: Schema.NonEmptyString,
  displayname: optionalText,
  email: optionalText
})
/** @category models @since 0.1.0 */
export type NextcloudProfile = Preset.ProfileOf<typeof NextcloudProfile>

const Envelope = Schema.Struct({ ocs: Schema.Struct({ data: Schema.Record(Schema.String, Schema.Unknown) }) })
const decodeEnvelope = Schema.decodeUnknownOption(Envelope)

/** What is in the envelope of an answer; nothing for a refusal, which has an empty list in that place. */
const dataOf = (answer: unknown): Readonly<Record<string, unknown>> =>
  Option.match(decodeEnvelope(answer), { onNone: () => ({}), onSome: ({ ocs }) => ocs.data })

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
            request: (attempt) => {
              const user = attempt.tokens["user_id"]
              if (typeof user !== "string" || user === "") return Effect.succeed({})
              return Effect.map(
                askForObject(attempt, {
                  provider: "nextcloud",
                  url: `${users}/${encodeURIComponent(user)}`,
                  headers: { "ocs-apirequest": "true" }
                }),
                dataOf
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
