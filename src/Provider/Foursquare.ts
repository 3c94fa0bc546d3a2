/**
 * Sign in with Foursquare.
 *
 * @since 0.1.0
 */
import { Foursquare as logo } from "./internal/logos/Foursquare.ts"
import * as Preset from "./Preset.ts"
import { fullName, idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The answer about the person, as far as a user of the application is made of it; further members are kept in the
 * profile.
 *
 * @see https://docs.foursquare.com/developer/reference/v2-users-user-details
 * @category schemas
 * @since 0.1.0
 */
export const FoursquareProfile = (S: Preset.Shapes) =>
  S.Struct({
    response: S.Struct({
      user: S.Struct({
        id: PersonId(S),
        firstName: optionalText(S),
        lastName: optionalText(S),
        contact: S.optional(S.NullOr(S.Struct({ email: optionalText(S) }))),
        photo: S.optional(S.NullOr(S.Struct({ prefix: optionalText(S), suffix: optionalText(S) })))
      })
    })
  })
/** @category models @since 0.1.0 */
export type FoursquareProfile = Preset.ProfileOf<typeof FoursquareProfile>

/**
 * Options of {@link Foursquare} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoursquareOptions {
  /** The day of whose API the answers are, as year, month and day. Default: `20230131`. */
  readonly apiVersion?: string | undefined
}

const pictureOf = (photo: { readonly [part in "prefix" | "suffix"]?: string | null | undefined } | null | undefined) =>
  typeof photo?.prefix === "string" && typeof photo.suffix === "string"
    ? `${photo.prefix}original${photo.suffix}`
    : null

/** The address of the profile with the token in it. */
const withToken = (address: string, token: string): string => {
  const url = new URL(address)
  url.searchParams.set("oauth_token", token)
  return url.href
}

/**
 * Foursquare. Environment: `AUTH_FOURSQUARE_ID`, `AUTH_FOURSQUARE_SECRET`. Foursquare knows no scopes. It does not
 * say whether an email address is verified.
 *
 * @see https://docs.foursquare.com/developer/reference/authentication
 * @category providers
 * @since 0.1.0
 */
export const Foursquare: Preset.OAuthFactory<FoursquareProfile, FoursquareOptions> = Preset.oauth(
  ({ apiVersion = "20230131" }: Preset.Filled & FoursquareOptions) => {
    const self = `https://api.foursquare.com/v2/users/self?v=${encodeURIComponent(apiVersion)}`
    return {
      id: "foursquare",
      name: "Foursquare",
      logo,
      authorization: { url: "https://foursquare.com/oauth2/authenticate", params: { scope: null } },
      token: { url: "https://foursquare.com/oauth2/access_token", conform: TokenAnswer.bearer },
      userinfo: {
        url: self,
        // The API of this version takes the token as a parameter.
        request: ({ ask, tokens }: PresetContext) =>
          ask({ url: withToken(self, tokens.access_token ?? ""), headers: { authorization: undefined } })
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: FoursquareProfile,
      user: ({ response: { user } }) => ({
        id: idText(user.id),
        name: fullName(user.firstName, user.lastName),
        email: user.contact?.email ?? null,
        image: pictureOf(user.photo)
      }),
      emailVerified: "unstated",
      style: { bg: "#000", text: "#fff" }
    }
  }
)
