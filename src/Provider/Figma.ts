/**
 * Sign in with Figma.
 *
 * @since 0.1.0
 */
import { Figma as logo } from "./internal/logos/Figma.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.figma.com/docs/rest-api/users-endpoints/
 * @category schemas
 * @since 0.1.0
 */
export const FigmaProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    handle: optionalText(S),
    email: optionalText(S),
    img_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type FigmaProfile = Preset.ProfileOf<typeof FigmaProfile>

/**
 * Figma. Environment: `AUTH_FIGMA_ID`, `AUTH_FIGMA_SECRET`. It asks for the scope `current_user:read`, which the
 * application must be registered with; for another one write `authorization: { params: { scope } }`. Figma does not
 * say whether the email address is verified.
 *
 * @see https://developers.figma.com/docs/rest-api/authentication/
 * @see https://developers.figma.com/docs/rest-api/scopes/
 * @category providers
 * @since 0.1.0
 */
export const Figma: Preset.OAuthFactory<FigmaProfile> = Preset.oauth({
  id: "figma",
  name: "Figma",
  checks: ["state"],
  logo,
  authorization: { url: "https://www.figma.com/oauth", params: { scope: "current_user:read" } },
  token: { url: "https://api.figma.com/v1/oauth/token", conform: TokenAnswer.bearer },
  userinfo: "https://api.figma.com/v1/me",
  profile: FigmaProfile,
  user: ({ email, handle, id, img_url }) => ({
    id: idText(id),
    name: handle ?? null,
    email: email ?? null,
    image: img_url ?? null
  }),
  emailVerified: "unstated",
  style: { text: "#fff", bg: "#ff7237" }
})
