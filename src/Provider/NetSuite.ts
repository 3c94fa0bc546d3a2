/**
 * Sign in with Oracle NetSuite.
 *
 * @since 0.1.0
 */
import type { AnswerKind } from "../internal/Answer.ts"
import * as Preset from "./Preset.ts"
import { isPlainObject } from "../internal/Merge.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"
import type { UserinfoEndpointHandler } from "./internal/ProviderOptions.ts"

/**
 * The user as the script describes them, as far as a user of the application is made of it; further members are kept in the
 * profile.
 *
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_4296359529.html
 * @category schemas
 * @since 0.1.0
 */
export const NetSuiteProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Internal id of the person in this account. */
    id: PersonId(S),
    name: optionalText(S),
    email: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type NetSuiteProfile = Preset.ProfileOf<typeof NetSuiteProfile>

/**
 * Options of {@link NetSuite} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface NetSuiteOptions {
  /** Id of the account, such as `1234567`, or `1234567_SB1` for a sandbox. Required. */
  readonly accountID?: string | undefined
  /** Default: `restlets rest_webservices`. */
  readonly scope?: string | undefined
  /** Whether NetSuite asks people to sign in or to consent again: `none`, `login`, `consent` or `login consent`. */
  readonly prompt?: string | undefined
}

type Address = string | URL | UserinfoEndpointHandler<AnswerKind> | undefined

const addressOf = (userinfo: Address): string | URL | undefined =>
  typeof userinfo === "string" || userinfo instanceof URL ? userinfo : userinfo?.url

/** Names of accounts in addresses have small letters, and a hyphen where the id has an underscore. */
const hostOf = (accountID: string | undefined): string | undefined =>
  accountID !== undefined && /^[A-Za-z0-9_-]+$/.test(accountID)
    ? accountID.toLowerCase().replaceAll("_", "-")
    : undefined

const at = (host: string | undefined, path: string) => (host === undefined ? undefined : `https://${host}${path}`)

const preset: Preset.OAuthFactory<NetSuiteProfile, NetSuiteOptions> = Preset.oauth(
  ({ accountID, prompt, scope, userinfo }: Preset.Filled & NetSuiteOptions & { readonly userinfo?: Address }) => {
    const host = hostOf(accountID)
    const script = addressOf(userinfo)
    return {
      id: "netsuite",
      name: "NetSuite",
      checks: ["state"],
      authorization: {
        url: at(host, ".app.netsuite.com/app/login/oauth2/authorize.nl"),
        params: { scope: scope ?? "restlets rest_webservices", prompt }
      },
      token: at(host, ".suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token"),
      userinfo:
        script === undefined
          ? undefined
          : {
              url: script,
              // A script that is asked for no type of content answers with plain text.
              request: ({ ask }: PresetContext) =>
                ask({ url: String(script), headers: { "content-type": "application/json" } })
            },
      profile: NetSuiteProfile,
      user: ({ email, id, name }) => ({ id: idText(id), name: name ?? null, email: email ?? null, image: null }),
      emailVerified: "unstated",
      style: { bg: "#181a1b", text: "#fbfbfb" }
    }
  }
)

/**
 * NetSuite. Environment: `AUTH_NETSUITE_ID`, `AUTH_NETSUITE_SECRET`. NetSuite has no address that says who the person is: the
 * options are `accountID`, and as `userinfo` the external URL of a RESTlet that answers GET requests with what
 * `getCurrentUser()` of `N/runtime` gives. Deploy it for all roles that are to sign in.
 *
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_158081944642.html
 * @category providers
 * @since 0.1.0
 */
export const NetSuite: Preset.OAuthFactory<NetSuiteProfile, NetSuiteOptions> = (options) => {
  const provider = preset(options)
  const url: unknown = options?.userinfo
  // An address alone would replace the request that the preset makes.
  return url === undefined || isPlainObject(url)
    ? provider
    : { ...provider, options: { ...provider.options, userinfo: { url } } }
}
