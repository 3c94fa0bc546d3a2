/**
 * Sign in with Microsoft Entra ID (formerly Azure Active Directory), for one tenant or for many.
 *
 * @since 0.1.0
 */
import type { Awaitable } from "../internal/Untyped.ts"
import { conformInternal, fromOptions } from "../internal/Markers.ts"
import type { TokenSet } from "../Models.ts"
import { computing, givenOptions, plainOptions } from "./internal/Computed.ts"
import { describeProfile, optionalText, type Shapes } from "./internal/ProfileMapping.ts"
import type { PresetTools } from "./internal/ProfileRequest.ts"
import type { ProfileContext } from "./internal/Provider.ts"
import type { OIDCUserConfig, UserFields } from "./internal/ProviderOptions.ts"
import type { OidcFactory, ProfileOf } from "./Preset.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
 * @category schemas
 * @since 0.1.0
 */
export const MicrosoftEntraIdProfile = (S: Shapes) =>
  S.Struct({
    sub: S.NonEmptyString,
    name: optionalText(S),
    email: optionalText(S),
    /** Id of the tenant. */
    tid: optionalText(S),
    /** Id of the person in the tenant, the same for every application. */
    oid: optionalText(S),
    /** Whether the owner of the address's domain was verified; an optional claim that the registration asks for. */
    xms_edov: S.optional(S.Unknown)
  })
/** @category models @since 0.1.0 */
export type MicrosoftEntraIdProfile = ProfileOf<typeof MicrosoftEntraIdProfile>

/**
 * Options of {@link MicrosoftEntraId} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface MicrosoftEntraIdOptions extends OIDCUserConfig<MicrosoftEntraIdProfile> {
  /** Width in pixels of the picture that Microsoft Graph is asked for; `false` asks for none. Default 48. */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648 | false | undefined
}

const profile = (size: number | false) => {
  const read = (
    claims: MicrosoftEntraIdProfile,
    tokens: TokenSet,
    context?: ProfileContext & Partial<PresetTools>
  ): Awaitable<UserFields> => {
    const user = { id: claims.sub, name: claims.name ?? undefined, email: claims.email ?? undefined, image: null }
    return size === false || context?.askForPicture === undefined || tokens.access_token === undefined
      ? user
      : context.askForPicture(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, (image) => ({
          ...user,
          image
        }))
  }
  return describeProfile(read, {
    shape: MicrosoftEntraIdProfile,
    // Any administrator can write any address into an account; Microsoft vouches for it with this claim alone.
    emailVerified: ({ xms_edov }) => (typeof xms_edov === "boolean" ? xms_edov : undefined)
  })
}

const anyTenant = "https://login.microsoftonline.com/common/v2.0"

/** The preset under an id of its own. @internal */
export const entra =
  (id: string, name: string): OidcFactory<MicrosoftEntraIdProfile, Pick<MicrosoftEntraIdOptions, "profilePhotoSize">> =>
  (options) => {
    const members = (given: MicrosoftEntraIdOptions) => ({ profile: profile(given.profilePhotoSize ?? 48) })
    const endpointMembers = members(plainOptions(options ?? {}))
    return {
      id,
      name,
      type: "oidc",
      issuer: anyTenant,
      authorization: { params: { scope: "openid profile email User.Read" } },
      ...endpointMembers,
      style: { text: "#fff", bg: "#0072c6" },
      [conformInternal]: "microsoft-entra-id",
      [fromOptions]: computing(endpointMembers, members),
      options: givenOptions(options)
    }
  }

/**
 * Microsoft Entra ID. Environment: `AUTH_MICROSOFT_ENTRA_ID_ID`, `AUTH_MICROSOFT_ENTRA_ID_SECRET`,
 * `AUTH_MICROSOFT_ENTRA_ID_ISSUER`; callback URL `https://example.com/auth/callback/microsoft-entra-id`.
 *
 * The issuer names who may sign in: `https://login.microsoftonline.com/<tenant id>/v2.0/` one tenant, `…/organizations/v2.0`
 * every tenant, `…/consumers/v2.0` personal accounts, and the default `…/common/v2.0` all of them. With the last three, check
 * the claim `tid` in the `signIn` callback where not every tenant is welcome.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc
 * @category providers
 * @since 0.1.0
 */
export const MicrosoftEntraId: OidcFactory<
  MicrosoftEntraIdProfile,
  Pick<MicrosoftEntraIdOptions, "profilePhotoSize">
> = entra("microsoft-entra-id", "Microsoft Entra ID")
