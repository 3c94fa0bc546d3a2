/**
 * Sign in with Azure DevOps.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import type { PresetTools } from "./internal/ProfileRequest.ts"
import type { TokenRequestContext } from "./internal/Provider.ts"

const Attribute = (S: Preset.Shapes) =>
  S.Struct({
    value: S.optional(S.NullOr(S.Struct({ value: optionalText(S) })))
  })

/**
 * The profile with its avatar, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://learn.microsoft.com/rest/api/azure/devops/profile/profiles/get
 * @category schemas
 * @since 0.1.0
 */
export const AzureDevOpsProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    displayName: optionalText(S),
    emailAddress: optionalText(S),
    /** The avatar is a picture in Base64. */
    coreAttributes: S.optional(S.NullOr(S.Struct({ Avatar: S.optional(S.NullOr(Attribute(S))) })))
  })
/** @category models @since 0.1.0 */
export type AzureDevOpsProfile = Preset.ProfileOf<typeof AzureDevOpsProfile>

/**
 * Options of {@link AzureDevOps} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface AzureDevOpsOptions {
  /** The scopes that the application is registered with. Default: `vso.profile`. */
  readonly scope?: string | undefined
}

const Tokens = (S: Preset.Shapes) =>
  S.Struct({
    access_token: S.NonEmptyString,
    refresh_token: optionalText(S),
    scope: optionalText(S),
    /** Seconds, written as text. */
    expires_in: S.optional(S.NullOr(S.Union([S.Number, S.String])))
  })

const tokenEndpoint = "https://app.vssps.visualstudio.com/oauth2/token"

/** The code is exchanged as an assertion, and the secret of the application is the assertion of the client. */
const exchange = ({ askThen, fail, params, provider, read, redirectUri }: TokenRequestContext & PresetTools) => {
  const secret = provider["clientSecret"]
  const body = new URLSearchParams({
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: typeof secret === "string" ? secret : "",
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: params["code"] ?? "",
    redirect_uri: redirectUri
  })
  const request = {
    url: tokenEndpoint,
    method: "POST",
    headers: { authorization: undefined, "content-type": "application/x-www-form-urlencoded" },
    body: body.toString()
  } as const
  return askThen(request, (answer) => {
    const tokens = read(Tokens, answer)
    if (tokens === undefined) return fail("The token response does not have the documented form.")
    const { access_token, expires_in, refresh_token, scope } = tokens
    return {
      tokens: {
        access_token,
        refresh_token: refresh_token ?? undefined,
        scope: scope ?? undefined,
        expires_in: (expires_in ?? undefined) === undefined ? undefined : Number(expires_in)
      }
    }
  })
}

/** A picture travels inside the session: larger ones are left out. In characters of Base64. */
const largestAvatar = 87_384

/** The first characters, in Base64, of pictures in the formats that a page may show. */
const formats: ReadonlyArray<readonly [beginning: string, type: string]> = [
  ["/9j/", "image/jpeg"],
  ["iVBORw0KGgo", "image/png"],
  ["R0lGOD", "image/gif"]
]

const pictureOf = (base64: string): string | null => {
  const format = formats.find(([beginning]) => base64.startsWith(beginning))
  return format === undefined || base64.length > largestAvatar ? null : `data:${format[1]};base64,${base64}`
}

/**
 * Azure DevOps. Environment: `AUTH_AZURE_DEVOPS_ID` (the App ID), `AUTH_AZURE_DEVOPS_SECRET` (the client secret, not the app
 * secret).
 *
 * Microsoft registers no new applications since April 2025 and ends Azure DevOps OAuth in 2026; `MicrosoftEntraId` takes its
 * place.
 *
 * @see https://learn.microsoft.com/azure/devops/integrate/get-started/authentication/azure-devops-oauth
 * @category providers
 * @since 0.1.0
 */
export const AzureDevOps: Preset.OAuthFactory<AzureDevOpsProfile, AzureDevOpsOptions> = Preset.oauth(
  ({ scope = "vso.profile" }: Preset.Filled & AzureDevOpsOptions) => ({
    id: "azure-devops",
    name: "Azure DevOps",
    authorization: {
      url: "https://app.vssps.visualstudio.com/oauth2/authorize",
      params: { response_type: "Assertion", scope }
    },
    token: { url: tokenEndpoint, request: exchange },
    userinfo:
      "https://app.vssps.visualstudio.com/_apis/profile/profiles/me?details=true&coreAttributes=Avatar&api-version=6.0",
    profile: AzureDevOpsProfile,
    user: ({ coreAttributes, displayName, emailAddress, id }) => ({
      id,
      name: displayName ?? null,
      email: emailAddress ?? null,
      image: pictureOf(coreAttributes?.Avatar?.value?.value ?? "")
    }),
    emailVerified: "unstated"
  })
)
