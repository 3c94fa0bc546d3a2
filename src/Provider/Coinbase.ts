/**
 * Sign in with Coinbase.
 *
 * @since 0.1.0
 */
import { Coinbase as logo } from "./internal/logos/Coinbase.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/scopes
 * @category schemas
 * @since 0.1.0
 */
export const CoinbaseProfile = (S: Preset.Shapes) =>
  S.Struct({
    data: S.Struct({
      id: PersonId(S),
      name: optionalText(S),
      email: optionalText(S),
      avatar_url: optionalText(S)
    })
  })
/** @category models @since 0.1.0 */
export type CoinbaseProfile = Preset.ProfileOf<typeof CoinbaseProfile>

/**
 * Coinbase. Environment: `AUTH_COINBASE_ID`, `AUTH_COINBASE_SECRET`. Coinbase gives OAuth clients to approved partners only;
 * those that exist work on. Scopes must be among those of the registration; `offline_access` brings a refresh token.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/reference
 * @category providers
 * @since 0.1.0
 */
export const Coinbase: Preset.OAuthFactory<CoinbaseProfile> = Preset.oauth({
  id: "coinbase",
  name: "Coinbase",
  logo,
  authorization: {
    url: "https://login.coinbase.com/oauth2/auth",
    params: { scope: "wallet:user:email wallet:user:read" }
  },
  token: "https://login.coinbase.com/oauth2/token",
  userinfo: "https://api.coinbase.com/v2/user",
  profile: CoinbaseProfile,
  user: ({ data: { avatar_url, email, id, name } }) => ({
    id: idText(id),
    name: name ?? null,
    email: email ?? null,
    image: avatar_url ?? null
  }),
  emailVerified: "unstated",
  style: { brandColor: "#0052ff" }
})
