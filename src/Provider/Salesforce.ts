/**
 * Sign in with Salesforce.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The claims of the userinfo endpoint of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_using_userinfo_endpoint.htm
 * @category schemas
 * @since 0.1.0
 */
export const SalesforceProfile = StandardProfile
/** @category models @since 0.1.0 */
export type SalesforceProfile = Preset.ProfileOf<typeof SalesforceProfile>

/**
 * Salesforce. Environment: `AUTH_SALESFORCE_ID`, `AUTH_SALESFORCE_SECRET`. The issuer is `https://login.salesforce.com` unless the
 * option `issuer` or `AUTH_SALESFORCE_ISSUER` names another one: that of an organisation, `https://example.my.salesforce.com`, of
 * a sandbox, `https://example--test.sandbox.my.salesforce.com`, or of an Experience Cloud site.
 *
 * With `https://login.salesforce.com`, and `https://test.salesforce.com` for sandboxes, people of every organisation sign in; check
 * the member `organization_id` of the profile in the `signIn` callback where not every one is welcome. Their ID tokens may name
 * the My Domain address of the organisation as issuer. The id of a person is an address that ends with the ids of their
 * organisation and of themselves.
 *
 * @see https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_web_server_flow.htm
 * @category providers
 * @since 0.1.0
 */
export const Salesforce: Preset.OidcFactory<SalesforceProfile> = Preset.standard({
  id: "salesforce",
  name: "Salesforce",
  checks: ["pkce", "state", "nonce"],
  issuer: "https://login.salesforce.com",
  idToken: false,
  // Salesforce documents that a token ends with the session timeout of the organisation, which no answer says. 15 minutes is reported
  // as the shortest one that an organisation can set.
  token: { conform: TokenAnswer.changeBody(TokenAnswer.addShortestLifetime(15 * 60)) },
  conform: "salesforce",
  style: { bg: "#00a1e0" }
})
