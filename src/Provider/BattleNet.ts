/**
 * Sign in with Battle.net.
 *
 * @since 0.1.0
 */
import { BattleNet as logo } from "./internal/logos/BattleNet.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://community.developer.battle.net/documentation/guides/using-oauth
 * @category schemas
 * @since 0.1.0
 */
export const BattleNetProfile = (S: Preset.Shapes) =>
  S.Struct({
    sub: S.NonEmptyString,
    /** Name and number, `Ada#1815`. */
    battle_tag: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type BattleNetProfile = Preset.ProfileOf<typeof BattleNetProfile>

/**
 * Battle.net. Environment: `AUTH_BATTLENET_ID`, `AUTH_BATTLENET_SECRET`, `AUTH_BATTLENET_ISSUER`. The issuer is required:
 * `https://oauth.battle.net`, or `https://oauth.battlenet.com.cn` in China. It gives no email address. The profiles of games
 * need their own scopes: `authorization: { params: { scope: "openid wow.profile" } }`.
 *
 * @see https://community.developer.battle.net/documentation/guides/using-oauth
 * @category providers
 * @since 0.1.0
 */
export const BattleNet: Preset.OidcFactory<BattleNetProfile> = Preset.oidc({
  id: "battlenet",
  name: "Battle.net",
  logo,
  profile: BattleNetProfile,
  user: ({ battle_tag, sub }) => ({ id: sub, name: battle_tag ?? null, email: null, image: null }),
  emailVerified: "no-address",
  style: { bg: "#148eff", text: "#fff" }
})
