/**
 * Sign in with EVE Online: a character of the game, not the account of the player.
 *
 * @since 0.1.0
 */
import * as Base64Url from "../crypto/Base64Url.ts"
import { readJsonObject } from "../internal/JsonText.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"

/**
 * The character, as far as a user of the application is made of it; the claims of the access token are kept in the
 * profile.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @category schemas
 * @since 0.1.0
 */
export const EveOnlineProfile = (S: Preset.Shapes) =>
  S.Struct({ CharacterID: PersonId(S), CharacterName: optionalText(S) })
/** @category models @since 0.1.0 */
export type EveOnlineProfile = Preset.ProfileOf<typeof EveOnlineProfile>

/** The claims that say whose token it is, and for whom. */
const Claims = (S: Preset.Shapes) =>
  S.Struct({
    iss: S.Literals(["https://login.eveonline.com", "login.eveonline.com"]),
    aud: S.Union([S.String, S.Array(S.String)]),
    sub: S.String.check(S.isPattern(/^CHARACTER:EVE:[1-9]\d{0,14}$/)),
    name: optionalText(S),
    owner: optionalText(S)
  })

/** The text of the middle part of a signed token. */
const payloadOf = (token: string): string => {
  const bytes = Base64Url.decode(token.split(".", 3)[1] ?? "")
  return bytes === undefined ? "" : new TextDecoder().decode(bytes)
}

/** The character of an access token, which must be one of this client. */
const character = ({ fail, provider, read, tokens }: PresetContext) => {
  const members = readJsonObject(payloadOf(tokens.access_token ?? ""))
  const claims = read(Claims, members)
  if (claims === undefined || ![claims.aud].flat().some((one) => one === provider["clientId"]))
    return fail("The access token names no character, or is for another client.")
  const { name, owner, sub } = claims
  return {
    ...members,
    CharacterID: Number(sub.slice(sub.lastIndexOf(":") + 1)),
    CharacterName: name,
    CharacterOwnerHash: owner
  }
}

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
  userinfo: { request: character },
  profile: EveOnlineProfile,
  user: ({ CharacterID, CharacterName }) => ({
    id: idText(CharacterID),
    name: CharacterName ?? null,
    email: null,
    image: `https://images.evetech.net/characters/${encodeURIComponent(CharacterID)}/portrait?size=128`
  }),
  emailVerified: "no-address"
})
