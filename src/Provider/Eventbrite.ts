/**
 * Sign in with Eventbrite.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

const Address = (S: Preset.Shapes) =>
  S.Struct({
    email: optionalText(S),
    primary: S.optional(S.NullOr(S.Boolean)),
    verified: S.optional(S.NullOr(S.Boolean))
  })

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://www.eventbrite.com/platform/api#/reference/user/retrieve/retrieve-your-user
 * @category schemas
 * @since 0.1.0
 */
export const EventbriteProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    name: optionalText(S),
    emails: S.optional(S.NullOr(S.Array(Address(S)))),
    image_id: S.optional(S.NullOr(PersonId(S)))
  })
/** @category models @since 0.1.0 */
export type EventbriteProfile = Preset.ProfileOf<typeof EventbriteProfile>

const primary = ({ emails }: EventbriteProfile) => emails?.find((address) => address.primary === true)

const pictureOf = (id: string | number): string =>
  `https://img.evbuc.com/${encodeURIComponent(`https://cdn.evbuc.com/images/${id}/1/original.jpg`)}`

/**
 * Eventbrite. Environment: `AUTH_EVENTBRITE_ID` (the API key), `AUTH_EVENTBRITE_SECRET`. The address is the primary one of the
 * account, and Eventbrite says whether it is verified.
 *
 * @see https://www.eventbrite.com/platform/api#/introduction/authentication
 * @category providers
 * @since 0.1.0
 */
export const Eventbrite: Preset.OAuthFactory<EventbriteProfile> = Preset.oauth({
  id: "eventbrite",
  name: "Eventbrite",
  authorization: { url: "https://www.eventbrite.com/oauth/authorize", params: { scope: "user.profile" } },
  token: "https://www.eventbrite.com/oauth/token",
  userinfo: "https://www.eventbriteapi.com/v3/users/me/",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: EventbriteProfile,
  user: (profile) => ({
    id: idText(profile.id),
    name: profile.name ?? null,
    email: primary(profile)?.email ?? null,
    image: profile.image_id === undefined || profile.image_id === null ? null : pictureOf(profile.image_id)
  }),
  emailVerified: (profile) => primary(profile)?.verified,
  style: { bg: "#f05537", text: "#fff" }
})
