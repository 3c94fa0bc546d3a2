/**
 * A provider's requests to its platform, for comparing one provider with another.
 */
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"

const sorted = (parameters: Iterable<readonly [string, string]>) =>
  Object.fromEntries([...parameters].sort(([one], [other]) => (one < other ? -1 : 1)))

const parametersOf = ({ authorization, authorizationParameters }: RedirectProvider) => {
  const inAddress = new URL(authorization.url ?? "https://none").searchParams
  return sorted(inAddress.size > 0 ? inAddress : authorizationParameters)
}

/** How the button looks. The outline of a logo is drawn by this library alone. */
const styleOf = ({ style }: RedirectProvider) => ({
  logo: style?.logo,
  brandColor: style?.brandColor,
  bg: style?.bg,
  text: style?.text
})

/** Everything about a provider that goes over the wire, and the look of its button. */
export const factsOf = (provider: RedirectProvider) => ({
  id: provider.id,
  name: provider.name,
  type: provider.type,
  issuer: provider.issuer,
  authorization: provider.authorization.url?.split("?")[0],
  parameters: parametersOf(provider),
  token: provider.token.url,
  userinfo: provider.userinfo.url,
  client: provider.clientAuthentication,
  metadata: provider.clientMetadata,
  /** Which cookies Auth.js looks for when a sign-in ends there. */
  checks: provider.source["checks"] ?? ["pkce"],
  idToken: provider.type === "oidc" ? provider.idToken : undefined,
  conform: provider.conform,
  formPost: provider.formPost,
  style: styleOf(provider)
})
