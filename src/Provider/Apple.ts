/**
 * Sign in with Apple.
 *
 * @since 0.1.0
 */
import { Apple as logo } from "./internal/logos/Apple.ts"
import * as Preset from "./Preset.ts"
import { fullName, optionalText } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token, and `user`: the name, which Apple sends beside it only when a person consents for the first
 * time.
 *
 * @see https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
 * @category schemas
 * @since 0.1.0
 */
export const AppleProfile = (S: Preset.Shapes) =>
  S.Struct({
    sub: S.NonEmptyString,
    email: optionalText(S),
    user: S.optional(
      S.NullOr(
        S.Struct({
          name: S.optional(S.NullOr(S.Struct({ firstName: optionalText(S), lastName: optionalText(S) })))
        })
      )
    )
  })
/** @category models @since 0.1.0 */
export type AppleProfile = Preset.ProfileOf<typeof AppleProfile>

/**
 * Apple. Environment: `AUTH_APPLE_ID` (the Services ID), `AUTH_APPLE_SECRET` (a signed JWT, valid for at most six months);
 * callback URL `https://example.com/auth/callback/apple`. Apple accepts `https` addresses only, and answers as a form post.
 *
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 * @category providers
 * @since 0.1.0
 */
export const Apple: Preset.OidcFactory<AppleProfile> = Preset.oidc({
  id: "apple",
  name: "Apple",
  checks: ["nonce", "state"],
  logo,
  issuer: "https://appleid.apple.com",
  authorization: { params: { scope: "name email", response_mode: "form_post" } },
  client: { token_endpoint_auth_method: "client_secret_post" },
  conform: "apple",
  profile: AppleProfile,
  user: ({ email, sub, user }) => ({
    id: sub,
    name: fullName(user?.name?.firstName, user?.name?.lastName) ?? email ?? null,
    email: email ?? undefined,
    image: null
  }),
  emailVerified: "claim",
  vouchesForEmail: true,
  style: { text: "#fff", bg: "#000" }
})
