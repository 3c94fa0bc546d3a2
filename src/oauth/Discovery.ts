/**
 * The metadata of an issuer: OpenID Connect Discovery 1.0 and, for plain OAuth, RFC 8414.
 *
 * `oauth4webapi` processes the document, with stricter rules after it. The issuer in the document must be the configured one, byte for byte; the one freedom is the slash that ends an otherwise
 * empty path. Documents are kept for an hour, and for a day when the issuer is down. The endpoints of a public issuer must
 * be public too.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { RedirectProvider } from "../preset/Provider.ts"
import { configuredFault, discoveredFault } from "../internal/NetworkAddress.ts"
import { invalidResponse, type OAuthFault, providerError } from "./Fault.ts"
import { call, otherIssuer, ParsedResponse, processFault } from "./Library.ts"
import { aliased } from "./MutualTls.ts"
import { isAnnouncedIssuer, type TenantIssuer, tenantIssuer } from "./Platform.ts"
import * as ProviderCache from "./ProviderCache.ts"
import { type Incoming, readJson, statusFault, type Transport } from "./Transport.ts"

/** What this client uses of an issuer's metadata. */
export interface Metadata {
  /** As the document spells it: what `iss` must be. */
  readonly issuer: string
  readonly authorizationEndpoint: string | undefined
  readonly tokenEndpoint: string | undefined
  readonly userinfoEndpoint: string | undefined
  readonly jwksUri: string | undefined
  /** The authorization response carries `iss` (RFC 9207). */
  readonly issParameter: boolean
  readonly idTokenAlgorithms: ReadonlyArray<string> | undefined
  /** Algorithms of signed authorization responses (JARM). */
  readonly responseAlgorithms: ReadonlyArray<string> | undefined
  /** Where authorization requests are pushed, not checked yet, and whether they must be (RFC 9126 section 5). */
  readonly pushedRequestEndpoint: string | undefined
  readonly requiresPushedRequests: boolean
  /** Endpoints for clients that show a certificate, not checked yet (RFC 8705 section 5). */
  readonly mtlsAliases: unknown
  /** Set when the issuer stands for many tenants. */
  readonly tenants: TenantIssuer | undefined
}

const text = Schema.optionalKey(Schema.String)
/** A member that few clients use: a malformed one is no reason to refuse the document. */
const rare = Schema.optionalKey(Schema.Unknown)

const Document = Schema.Struct({
  issuer: Schema.NonEmptyString,
  authorization_endpoint: text,
  token_endpoint: text,
  userinfo_endpoint: text,
  jwks_uri: text,
  authorization_response_iss_parameter_supported: Schema.optionalKey(Schema.Boolean),
  id_token_signing_alg_values_supported: Schema.optionalKey(Schema.Array(Schema.String)),
  authorization_signing_alg_values_supported: rare,
  mtls_endpoint_aliases: rare,
  pushed_authorization_request_endpoint: rare,
  require_pushed_authorization_requests: rare
})

const decode = Schema.decodeUnknownResult(Document)

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const textsOf = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined

const what = "discovery document"

const endpointNames = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const

/** OIDC Discovery section 4.3, byte for byte, with the slash of an empty path as the only freedom. The URLs are equal. */
const isSameSpelling = (announced: string, configured: string): boolean =>
  announced.replace(/\/$/, "") === configured.replace(/\/$/, "")

const read = Effect.fnUntraced(function* (issuer: string, tenants: TenantIssuer | undefined, incoming: Incoming) {
  if (incoming.status !== 200) return yield* statusFault(what, incoming.status)
  const object = yield* readJson(what, incoming)
  const announced = object["issuer"]
  const isShared = tenants !== undefined && typeof announced === "string" && isAnnouncedIssuer(tenants, announced)
  const expected = isShared ? announced : issuer
  const members = Object.fromEntries(Object.keys(Document.fields).map((name) => [name, object[name]]))
  const processed = yield* call(
    ({ processDiscoveryResponse }) => processDiscoveryResponse(new URL(expected), new ParsedResponse(members)),
    processFault(what)
  )
  const decoded = decode(processed)
  if (Result.isFailure(decoded)) return yield* invalidResponse(`the ${what} is malformed`)
  const document = decoded.success
  if (!isSameSpelling(document.issuer, expected)) return yield* otherIssuer(what, expected, document.issuer)
  for (const name of endpointNames) {
    const refused = document[name] === undefined ? undefined : discoveredFault(name, document[name], issuer)
    if (refused !== undefined) return yield* invalidResponse(refused)
  }
  const metadata: Metadata = {
    issuer: document.issuer,
    authorizationEndpoint: document.authorization_endpoint,
    tokenEndpoint: document.token_endpoint,
    userinfoEndpoint: document.userinfo_endpoint,
    jwksUri: document.jwks_uri,
    issParameter: document.authorization_response_iss_parameter_supported === true,
    idTokenAlgorithms: document.id_token_signing_alg_values_supported,
    responseAlgorithms: textsOf(document.authorization_signing_alg_values_supported),
    mtlsAliases: document.mtls_endpoint_aliases,
    pushedRequestEndpoint: textOf(document.pushed_authorization_request_endpoint),
    requiresPushedRequests: document.require_pushed_authorization_requests === true,
    tenants
  }
  return metadata
})

const accept = { accept: "application/json", "user-agent": "effect-doorman" }

const get = (transport: Transport, url: string): Effect.Effect<Incoming, OAuthFault> =>
  transport.send(what, { method: "GET", url, headers: accept, body: undefined })

/** OIDC Discovery section 4: the issuer's own path comes first. */
const openidAddress = (issuer: string): string => {
  const url = new URL(issuer)
  url.pathname = `${url.pathname.replace(/\/$/, "")}/.well-known/openid-configuration`
  return url.href
}

/** RFC 8414 section 3: the issuer's own path comes last. */
const oauthAddress = (issuer: string): string => {
  const url = new URL(issuer)
  url.pathname = `/.well-known/oauth-authorization-server${url.pathname.replace(/\/$/, "")}`
  return url.href
}

const fetchMetadata = (
  transport: Transport,
  provider: RedirectProvider,
  issuer: string
): Effect.Effect<Metadata, OAuthFault> => {
  const tenants = provider.conform === "microsoft-entra-id" ? tenantIssuer(issuer) : undefined
  const first = get(transport, openidAddress(issuer))
  const found =
    provider.type === "oauth"
      ? Effect.flatMap(first, (incoming) =>
          incoming.status === 404 ? get(transport, oauthAddress(issuer)) : Effect.succeed(incoming)
        )
      : first
  return Effect.flatMap(found, (incoming) => read(issuer, tenants, incoming))
}

const cache = ProviderCache.make<Metadata>({ freshFor: 3_600_000, usableFor: 86_400_000 })

/** The metadata of a provider's issuer. */
export const discover = (transport: Transport, provider: RedirectProvider): Effect.Effect<Metadata, OAuthFault> => {
  const { issuer } = provider
  if (issuer === undefined) {
    return Effect.fail(providerError("the provider has neither an issuer nor all endpoints it needs"))
  }
  const key = `${provider.type} ${provider.conform ?? ""} ${issuer}`
  return Effect.flatMap(
    cache(
      transport.owner,
      key,
      Effect.suspend(() => {
        const refused =
          configuredFault("issuer", issuer) ?? (issuer.includes("?") ? "the issuer must not have a query" : undefined)
        return refused === undefined ? fetchMetadata(transport, provider, issuer) : Effect.fail(providerError(refused))
      })
    ),
    (entry) => Effect.flatMap(entry.get, (metadata) => aliased(provider, metadata))
  )
}
