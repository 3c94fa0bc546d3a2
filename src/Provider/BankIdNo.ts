/**
 * Sign in with BankID of Norway.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The claims of the userinfo answer of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://developer.bankid.no/bankid-with-biometrics/apis/oidc/#userinfo-endpoint
 * @category schemas
 * @since 0.1.0
 */
export const BankIdNoProfile = (S: Preset.Shapes) =>
  S.Struct({
    sub: S.NonEmptyString,
    name: optionalText(S),
    email: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type BankIdNoProfile = Preset.ProfileOf<typeof BankIdNoProfile>

/**
 * BankID of Norway. Environment: `AUTH_BANKID_NO_ID`, `AUTH_BANKID_NO_SECRET`. The profile is the signed answer of the
 * userinfo endpoint; it has an email address where the person has registered one.
 *
 * The page of BankID is in Norwegian and begins with biometrics: `authorization: { params: { ui_locales: "en", login_hint:
 * "BID" } }` changes that. The test environment has the issuer `https://auth.current.bankid.no/auth/realms/current`.
 *
 * @see https://developer.bankid.no/bankid-with-biometrics/apis/oidc/
 * @category providers
 * @since 0.1.0
 */
export const BankIdNo: Preset.OidcFactory<BankIdNoProfile> = Preset.oidc({
  id: "bankid-no",
  name: "BankID Norge",
  checks: ["pkce", "state", "nonce"],
  issuer: "https://auth.bankid.no/auth/realms/prod",
  authorization: { params: { ui_locales: "no", login_hint: "BIS" } },
  client: { token_endpoint_auth_method: "client_secret_post", userinfo_signed_response_alg: "RS256" },
  idToken: false,
  profile: BankIdNoProfile,
  user: ({ email, name, sub }) => ({ id: sub, name: name ?? null, email: email ?? null, image: null }),
  emailVerified: "claim",
  style: { text: "#fff", bg: "#39134c" }
})
