/**
 * Clients that show a certificate (RFC 8705): the connection is made by the application's `HttpClient`, or by the `fetch` of the
 * provider, which hold the certificate. Here is where they connect to.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { discoveredFault } from "../http/NetworkAddress.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { invalidResponse, type OAuthFault } from "./Fault.ts"

/** The names of RFC 8705 sections 2 and 3.4, and the one of FAPI for a server whose other endpoints know no certificates. */
const showsCertificate = ({ clientAuthentication: method, clientMetadata: client }: RedirectProvider): boolean =>
  method === "tls_client_auth" ||
  method === "self_signed_tls_client_auth" ||
  client["tls_client_certificate_bound_access_tokens"] === true ||
  client["use_mtls_endpoint_aliases"] === true

/** What of the metadata says where such clients connect to. */
interface Aliases {
  readonly issuer: string
  readonly mtls_endpoint_aliases?: Readonly<Record<string, unknown>>
}

const members = ["token_endpoint", "userinfo_endpoint", "pushed_authorization_request_endpoint"] as const

/** The metadata with the endpoints for clients that show a certificate, where the issuer has some (RFC 8705 section 5). */
export const aliased = <Metadata extends Aliases>(
  provider: RedirectProvider,
  metadata: Metadata
): Effect.Effect<Metadata, OAuthFault> => {
  const { issuer, mtls_endpoint_aliases: aliases = {} } = metadata
  if (!showsCertificate(provider)) return Effect.succeed(metadata)
  const urls = members.flatMap((name) => {
    const url = aliases[name]
    return typeof url === "string" ? [{ name, url }] : []
  })
  const unfit = urls
    .map(({ name, url }) => discoveredFault(`${name} of mtls_endpoint_aliases`, url, issuer))
    .find((fault) => fault !== undefined)
  return unfit === undefined
    ? Effect.succeed({ ...metadata, ...Object.fromEntries(urls.map(({ name, url }) => [name, url])) })
    : Effect.fail(invalidResponse(unfit))
}
