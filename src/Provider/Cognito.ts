/**
 * Sign in with a user pool of Amazon Cognito.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
 * @category schemas
 * @since 0.1.0
 */
export const CognitoProfile = StandardProfile
/** @category models @since 0.1.0 */
export type CognitoProfile = Preset.ProfileOf<typeof CognitoProfile>

/**
 * Amazon Cognito. Environment: `AUTH_COGNITO_ID`, `AUTH_COGNITO_SECRET`, `AUTH_COGNITO_ISSUER`. The issuer is required:
 * `https://cognito-idp.<region>.amazonaws.com/<pool id>`. The user pool needs a domain; the app client needs a secret, the
 * authorization code grant, and the scopes `openid`, `profile` and `email`.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
 * @category providers
 * @since 0.1.0
 */
export const Cognito: Preset.OidcFactory<CognitoProfile> = Preset.standard({
  id: "cognito",
  name: "Cognito",
  style: { brandColor: "#C17B9E" }
})
