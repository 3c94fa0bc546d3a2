/**
 * Clients that show a certificate (RFC 8705): the connection is made by the application's `HttpClient`, or by the `fetch` of the
 * provider, which hold the certificate. Here is where they connect to.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isJsonObject } from "../internal/JsonText.ts"
import { discoveredFault } from "../internal/NetworkAddress.ts"
import type { RedirectProvider } from "../preset/Provider.ts"
import { invalidResponse, type OAuthFault } from "./Fault.ts"

/** What of the metadata of an issuer has another address for clients that show a certificate. */
interface Endpoints {
  readonly issuer: string
  readonly tokenEndpoint: string | undefined
  readonly userinfoEndpoint: string | undefined
  readonly pushedRequestEndpoint: string | undefined
  /** The member of the document, not checked yet. */
  readonly mtlsAliases: unknown
}

/** The names of RFC 8705 sections 2 and 3.4, and the one of FAPI for a server whose other endpoints know no certificates. */
const showsCertificate = ({ clientAuthentication: method, clientMetadata: client }: RedirectProvider): boolean =>
  method === "tls_client_auth" ||
  method === "self_signed_tls_client_auth" ||
  client["tls_client_certificate_bound_access_tokens"] === true ||
  client["use_mtls_endpoint_aliases"] === true

const members = {
  token_endpoint: "tokenEndpoint",
  userinfo_endpoint: "userinfoEndpoint",
  pushed_authorization_request_endpoint: "pushedRequestEndpoint"
} as const

/** The metadata with the endpoints for clients that show a certificate, where the issuer has some (RFC 8705 section 5). */
export const aliased = <Metadata extends Endpoints>(
  provider: RedirectProvider,
  metadata: Metadata
): Effect.Effect<Metadata, OAuthFault> => {
  const { issuer, mtlsAliases } = metadata
  if (!isJsonObject(mtlsAliases) || !showsCertificate(provider)) return Effect.succeed(metadata)
  const aliases: { [member in (typeof members)[keyof typeof members]]?: string } = {}
  for (const [name, member] of Object.entries(members)) {
    const url = mtlsAliases[name]
    if (typeof url !== "string") continue
    const unfit = discoveredFault(`${name} of mtls_endpoint_aliases`, url, issuer)
    if (unfit !== undefined) return Effect.fail(invalidResponse(unfit))
    aliases[member] = url
  }
  return Effect.succeed({ ...metadata, ...aliases })
}
