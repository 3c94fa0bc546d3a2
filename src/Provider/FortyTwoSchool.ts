/**
 * Sign in with 42 School.
 *
 * @since 0.1.0
 */
import { FortyTwoSchool as logo } from "./internal/logos/FortyTwoSchool.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://api.intra.42.fr/apidoc/2.0/users/me.html
 * @category schemas
 * @since 0.1.0
 */
export const FortyTwoSchoolProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    usual_full_name: optionalText(S),
    email: optionalText(S),
    image: S.optional(S.NullOr(S.Struct({ link: optionalText(S) })))
  })
/** @category models @since 0.1.0 */
export type FortyTwoSchoolProfile = Preset.ProfileOf<typeof FortyTwoSchoolProfile>

/**
 * 42 School. Environment: `AUTH_42_SCHOOL_ID` (the UID of the application), `AUTH_42_SCHOOL_SECRET`.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @category providers
 * @since 0.1.0
 */
export const FortyTwoSchool: Preset.OAuthFactory<FortyTwoSchoolProfile> = Preset.oauth({
  id: "42-school",
  name: "42 School",
  logo,
  authorization: { url: "https://api.intra.42.fr/oauth/authorize", params: { scope: "public" } },
  token: "https://api.intra.42.fr/oauth/token",
  userinfo: "https://api.intra.42.fr/v2/me",
  profile: FortyTwoSchoolProfile,
  user: ({ email, id, image, usual_full_name }) => ({
    id: idText(id),
    name: usual_full_name ?? null,
    email: email ?? null,
    image: image?.link ?? null
  }),
  emailVerified: "unstated"
})
