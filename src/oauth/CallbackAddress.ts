/**
 * Where a provider sends the browser back to.
 *
 * @since 0.1.0
 */
import type { Settings } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"

/** The redirect URI among the parameters of the authorization request that the configuration asks for. */
const configuredAddress = ({ authorization, authorizationParameters }: RedirectProvider): string | undefined => {
  const value =
    authorizationParameters.findLast(([name]) => name === "redirect_uri")?.[1] ??
    (authorization.url?.includes("redirect_uri=") === true
      ? new URL(authorization.url).searchParams.get("redirect_uri")
      : undefined)
  return value !== undefined && value !== null && /^https?:/.test(value) && URL.canParse(value) ? value : undefined
}

/**
 * Where a provider sends the browser back to, and whether that is a proxy that must forward to this deployment.
 *
 * A redirect URI that the configuration names takes precedence: applications behind a reverse proxy name the address that
 * the provider knows. The token request repeats it (RFC 6749 section 4.1.3).
 *
 * @category combinators
 * @since 0.1.0
 */
export const callbackAddress = (
  { basePath }: Settings["Service"],
  request: AuthRequest["Service"],
  redirectProvider: RedirectProvider
): { readonly own: string; readonly redirectUri: string; readonly proxied: string | undefined } => {
  const own = `${request.origin}${basePath}/callback/${redirectProvider.id}`
  const configured = configuredAddress(redirectProvider)
  const proxy = redirectProvider.redirectProxyUrl
  if (proxy === undefined || new URL(proxy).origin === request.origin)
    return { own, redirectUri: configured ?? own, proxied: undefined }
  return {
    own,
    redirectUri: configured ?? `${proxy.replace(/\/$/, "")}/callback/${redirectProvider.id}`,
    proxied: own
  }
}
