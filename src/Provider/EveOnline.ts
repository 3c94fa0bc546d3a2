/**
 * Sign in with EVE Online: a character of the game, not the account of the player.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OAuthCallbackError } from "../Errors.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import * as Preset from "./Preset.ts"
import { optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The character, as far as a user of the application is made of it; the claims of the access token are kept in the
 * profile.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @category schemas
 * @since 0.1.0
 */
export const EveOnlineProfile = Schema.Struct({ CharacterID: PersonId, CharacterName: optionalText })
/** @category models @since 0.1.0 */
export type EveOnlineProfile = Preset.ProfileOf<typeof EveOnlineProfile>

/** The claims that say whose token it is, and for whom. */
const Claims = Schema.Struct({
  iss: Schema.Literals(["https://login.eveonline.com", "login.eveonline.com"]),
  aud: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  sub: Schema.String.check(Schema.isPattern(/^CHARACTER:EVE:[1-9]\d{0,14}$/)),
  name: optionalText,
  owner: optionalText
})

const decodeMembers = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
const decodeClaims = Schema.decodeUnknownOption(Claims)

/** The text of the middle part of a signed token. */
const payloadOf = (token: string): string => {
  const bytes = Base64Url.decode(token.split(".", 3)[1] ?? "")
  return bytes === undefined ? "" : new TextDecoder().decode(bytes)
}

/** The character of an access token of this client. */
const characterOf = (token: string, clientId: unknown) =>
  Option.gen(function* () {
    const members = yield* decodeMembers(payloadOf(token))
    const { aud, name, owner, sub } = yield* decodeClaims(members)
    const audience = typeof aud === "string" ? [aud] : aud
    if (!audience.some((one) => one === clientId)) return yield* Option.none()
    return {
      ...members,
      CharacterID: Number(sub.slice(sub.lastIndexOf(":") + 1)),
      CharacterName: name,
      CharacterOwnerHash: owner
    }
  })

/**
 * EVE Online. Environment: `AUTH_EVEONLINE_ID`, `AUTH_EVEONLINE_SECRET`. The person chooses one of their characters;
 * its id is that of the user, and `CharacterOwnerHash` in the profile changes when the character goes to another
 * player. It gives no email address.
 *
 * The character is read from the access token, a signed token that comes straight from the token endpoint.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @category providers
 * @since 0.1.0
 */
export const EveOnline: Preset.OAuthFactory<EveOnlineProfile> = Preset.oauth({
  id: "eveonline",
  name: "EVE Online",
  checks: ["state"],
  authorization: { url: "https://login.eveonline.com/v2/oauth/authorize", params: { scope: "publicData" } },
  token: "https://login.eveonline.com/v2/oauth/token",
  userinfo: {
    request: ({ provider, tokens }) =>
      Effect.mapError(
        Effect.fromOption(characterOf(tokens.access_token ?? "", provider["clientId"])),
        () =>
          new OAuthCallbackError({
            provider: "eveonline",
            code: "invalid_response",
            detail: "The access token names no character, or is for another client."
          })
      )
  },
  profile: EveOnlineProfile,
  user: ({ CharacterID, CharacterName }) => ({
    id: String(CharacterID),
    name: CharacterName ?? null,
    email: null,
    image: `https://images.evetech.net/characters/${encodeURIComponent(CharacterID)}/portrait?size=128`
  }),
  emailVerified: "no-address"
})
