/**
 * Sign in with Apple.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { conformInternal } from "../internal/Markers.ts"
import { mapProfile, optionalText } from "./ProfileMapping.ts"
import type { OIDCConfig, OIDCUserConfig } from "./ProviderOptions.ts"

/**
 * The claims of the ID token, and `user`: the name, which Apple sends beside it only when a person consents for the first
 * time.
 *
 * @see https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
 * @category schemas
 * @since 0.1.0
 */
export const AppleProfile = Schema.Struct({
  sub: Schema.NonEmptyString,
  email: optionalText,
  user: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        name: Schema.optional(Schema.NullOr(Schema.Struct({ firstName: optionalText, lastName: optionalText })))
      })
    )
  )
})
/** @category models @since 0.1.0 */
export type AppleProfile = typeof AppleProfile.Type & { readonly [claim: string]: unknown }

const profile = mapProfile("apple", AppleProfile, (profile) => {
  const { firstName, lastName } = profile.user?.name ?? {}
  const name = [firstName, lastName].filter((part) => typeof part === "string" && part !== "").join(" ")
  return {
    id: profile.sub,
    name: name === "" ? (profile.email ?? null) : name,
    email: profile.email ?? undefined,
    image: null
  }
})

/**
 * Apple. Environment: `AUTH_APPLE_ID` (the Services ID), `AUTH_APPLE_SECRET` (a signed JWT, valid for at most six months);
 * callback URL `https://example.com/auth/callback/apple`. Apple accepts `https` addresses only, and answers as a form post.
 *
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 * @category providers
 * @since 0.1.0
 */
export const Apple = (options: OIDCUserConfig<AppleProfile> = {}): OIDCConfig<AppleProfile> => ({
  id: "apple",
  name: "Apple",
  type: "oidc",
  issuer: "https://appleid.apple.com",
  authorization: { params: { scope: "name email", response_mode: "form_post" } },
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile,
  style: { text: "#fff", bg: "#000" },
  [conformInternal]: "apple",
  options
})
