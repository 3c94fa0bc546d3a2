/**
 * Sign in with Microsoft Entra ID (formerly Azure Active Directory), for one tenant or for many.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { conformInternal, fromOptions } from "../internal/Markers.ts"
import type { TokenSet } from "../Models.ts"
import { computing, givenOptions, plainOptions } from "./internal/Computed.ts"
import { mapProfile, optionalText, withEmailStatement } from "./internal/ProfileMapping.ts"
import type { Answer, ProfileContext } from "./internal/Provider.ts"
import type { OIDCUserConfig, UserFields } from "./internal/ProviderOptions.ts"
import type { OidcFactory } from "./Preset.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
 * @category schemas
 * @since 0.1.0
 */
export const MicrosoftEntraIdProfile = Schema.Struct({
  sub: Schema.NonEmptyString,
  name: optionalText,
  email: optionalText,
  /** Id of the tenant. */
  tid: optionalText,
  /** Id of the person in the tenant, the same for every application. */
  oid: optionalText,
  /** Whether the owner of the address's domain was verified; an optional claim that the registration asks for. */
  xms_edov: Schema.optional(Schema.Unknown)
})
/** @category models @since 0.1.0 */
export type MicrosoftEntraIdProfile = typeof MicrosoftEntraIdProfile.Type & { readonly [claim: string]: unknown }

/**
 * What {@link MicrosoftEntraId} takes beside the usual options.
 *
 * @category models
 * @since 0.1.0
 */
export interface MicrosoftEntraIdOptions extends OIDCUserConfig<MicrosoftEntraIdProfile> {
  /** Width in pixels of the picture that Microsoft Graph is asked for; `false` asks for none. Default 48. */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648 | false | undefined
}

/** A picture travels inside the session: larger ones are left out. In bytes. */
const largestPhoto = 65_536

const isImage = /^image\/[a-z0-9.+-]+$/i

/** The picture as a data URL, or `null` when there is none; a picture never fails a sign-in. */
const photo = (size: number, tokens: TokenSet, context: ProfileContext): Effect.Effect<string | null> =>
  Effect.tryPromise((signal) =>
    context.fetch(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, {
      headers: { authorization: `Bearer ${tokens.access_token ?? ""}` },
      redirect: "manual",
      signal
    })
  ).pipe(
    Effect.flatMap((response) => {
      const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "image/jpeg"
      const type = isImage.test(mediaType) ? mediaType : "image/jpeg"
      return response.ok
        ? Effect.map(
            Effect.tryPromise(() => response.arrayBuffer()),
            (bytes) =>
              bytes.byteLength === 0 || bytes.byteLength > largestPhoto
                ? null
                : `data:${type};base64,${Base64.encode(new Uint8Array(bytes))}`
          )
        : Effect.succeed(null)
    }),
    Effect.timeoutOrElse({ duration: "3 seconds", orElse: () => Effect.succeed(null) }),
    Effect.orElseSucceed(() => null)
  )

const person = (id: string) =>
  mapProfile(id, MicrosoftEntraIdProfile, (profile) => ({
    id: profile.sub,
    name: profile.name ?? undefined,
    email: profile.email ?? undefined,
    image: null
  }))

const decode = Schema.decodeUnknownOption(MicrosoftEntraIdProfile)

const profile = (id: string, size: number | false) => {
  const map = person(id)
  const read = (claims: MicrosoftEntraIdProfile, tokens: TokenSet, context?: ProfileContext): Answer<UserFields> => {
    const user = map(claims, tokens)
    if (size === false || context === undefined || tokens.access_token === undefined || Effect.isEffect(user))
      return user
    return Effect.map(photo(size, tokens, context), (image) => ({ ...user, image }))
  }
  // Any administrator can write any address into an account; Microsoft vouches for it with this claim alone.
  const isVerified = ({ xms_edov }: MicrosoftEntraIdProfile) => (typeof xms_edov === "boolean" ? xms_edov : undefined)
  return withEmailStatement(read, isVerified, (claims) => Option.getOrUndefined(decode(claims)))
}

const anyTenant = "https://login.microsoftonline.com/common/v2.0"

/** The preset under an id of its own. @internal */
export const entra =
  (id: string, name: string): OidcFactory<MicrosoftEntraIdProfile, Pick<MicrosoftEntraIdOptions, "profilePhotoSize">> =>
  (options) => {
    const members = (given: MicrosoftEntraIdOptions) => ({ profile: profile(id, given.profilePhotoSize ?? 48) })
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
