/**
 * A provider, the way to it, and what its server is: the endpoints of the configuration, else those of the issuer's metadata.
 *
 * A client that shows a certificate (RFC 8705) is led to the endpoints for it. The connection itself is made by the application's
 * `HttpClient`, or by the `fetch` of the provider, which hold the certificate.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { AuthorizationServer } from "oauth4webapi"
import { configuredFault, discoveredFault } from "../http/NetworkAddress.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { discover, type Metadata } from "./Discovery.ts"
import { invalidResponse, type OAuthFault, providerError } from "./Fault.ts"
import { type TenantIssuer, tenantIssuer } from "./Platform.ts"
import type { Transport } from "./Transport.ts"

/** What every request and every answer is judged by. */
export interface Connection {
  readonly provider: RedirectProvider
  readonly transport: Transport
  /** Its `issuer` names the provider where there is none. */
  readonly server: AuthorizationServer
  /** Set when the issuer is multi-tenant. */
  readonly tenants: TenantIssuer | undefined
}

/** An endpoint that a request needs, by its name in the metadata. */
export type Endpoint =
  | "authorization_endpoint"
  | "jwks_uri"
  | "pushed_authorization_request_endpoint"
  | "revocation_endpoint"
  | "token_endpoint"
  | "userinfo_endpoint"

/** The names of RFC 8705 sections 2 and 3.4, and the one of FAPI for a server whose other endpoints know no certificates. */
const showsCertificate = ({ clientAuthentication: method, clientMetadata: client }: RedirectProvider): boolean =>
  method === "tls_client_auth" ||
  method === "self_signed_tls_client_auth" ||
  client["tls_client_certificate_bound_access_tokens"] === true ||
  client["use_mtls_endpoint_aliases"] === true

/** The aliases of RFC 8705 section 5, and nothing else that an issuer may write beside them. */
const aliasesIn = (aliases: Metadata["mtls_endpoint_aliases"] = {}) =>
  Object.fromEntries(
    (["token_endpoint", "userinfo_endpoint", "pushed_authorization_request_endpoint", "revocation_endpoint"] as const)
      .filter((name) => typeof aliases[name] === "string")
      .map((name) => [name, aliases[name]])
  )

const configuredIn = ({ authorization, token, userinfo }: RedirectProvider): Partial<Record<Endpoint, string>> => ({
  ...(authorization.url === undefined ? {} : { authorization_endpoint: authorization.url }),
  ...(token.url === undefined ? {} : { token_endpoint: token.url }),
  ...(userinfo.url === undefined ? {} : { userinfo_endpoint: userinfo.url })
})

/** The connection over metadata whose addresses are not judged yet, or over the configuration alone. */
export const connectionOf = (transport: Transport, provider: RedirectProvider, metadata?: Metadata): Connection => {
  const { mtls_endpoint_aliases: aliases, ...announced } = metadata ?? {}
  const endpoints = {
    ...announced,
    ...(showsCertificate(provider) ? aliasesIn(aliases) : {}),
    ...configuredIn(provider)
  }
  const { conform, id, issuer = endpoints.token_endpoint ?? id } = provider
  return {
    provider,
    transport,
    server: { issuer, ...endpoints },
    tenants: conform === "microsoft-entra-id" ? tenantIssuer(issuer) : undefined
  }
}

/** What is wrong with the endpoints that the metadata of the issuer has to name. */
const endpointFault = (
  { issuer, ...endpoints }: AuthorizationServer,
  lacking: ReadonlyArray<Endpoint>
): OAuthFault | undefined => {
  for (const name of lacking) {
    const url = endpoints[name]
    if (url === undefined) {
      return providerError(`the provider's configuration and the metadata of its issuer both lack ${name}`)
    }
    const unfit = discoveredFault(name, url, issuer)
    if (unfit !== undefined) return invalidResponse(unfit)
  }
  return undefined
}

/** Finds the endpoints that are needed. The metadata is fetched where the configuration lacks one of them. */
export const connect = (
  transport: Transport,
  provider: RedirectProvider,
  needed: ReadonlyArray<Endpoint>
): Effect.Effect<Connection, OAuthFault> => {
  const configured = configuredIn(provider)
  for (const name of needed) {
    const unfit = configured[name] === undefined ? undefined : configuredFault(name.replace("_", " "), configured[name])
    if (unfit !== undefined) return Effect.fail(providerError(unfit))
  }
  const lacking = needed.filter((name) => configured[name] === undefined)
  if (lacking.length === 0) return Effect.succeed(connectionOf(transport, provider))
  return Effect.flatMap(discover(transport, provider), (metadata) => {
    const connection = connectionOf(transport, provider, metadata)
    const fault = endpointFault(connection.server, lacking)
    return fault === undefined ? Effect.succeed(connection) : Effect.fail(fault)
  })
}
