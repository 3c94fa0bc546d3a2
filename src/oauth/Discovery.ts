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
import type { HttpRequestOptions } from "oauth4webapi"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { configuredFault, discoveredFault } from "../http/NetworkAddress.ts"
import { invalidResponse, type OAuthFault, providerError } from "./Fault.ts"
import { call, library, otherIssuer, ParsedResponse, processFault } from "./Library.ts"
import { aliased } from "./MutualTls.ts"
import { isAnnouncedIssuer, type TenantIssuer, tenantIssuer } from "./Platform.ts"
import { captureRequest } from "./PreparedRequest.ts"
import * as ProviderCache from "./ProviderCache.ts"
import { type Incoming, readJson, statusFault, type Transport } from "./Transport.ts"

/** A member that is used. */
const text = Schema.optionalKey(Schema.String)

/** A member that few clients use: a malformed one counts as absent, and is no reason to refuse the document. */
const rare = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.catchDecoding<S>(() => Effect.succeedNone)(schema))

/** What this client uses of an issuer's metadata, by the names of RFC 8414, RFC 9207, RFC 9126, RFC 8705, JARM and RP-Initiated Logout. */
const Document = Schema.Struct({
  issuer: Schema.NonEmptyString,
  authorization_endpoint: text,
  token_endpoint: text,
  userinfo_endpoint: text,
  jwks_uri: text,
  authorization_response_iss_parameter_supported: Schema.optionalKey(Schema.Boolean),
  id_token_signing_alg_values_supported: Schema.optionalKey(Schema.Array(Schema.String)),
  authorization_signing_alg_values_supported: rare(Schema.Array(Schema.String)),
  mtls_endpoint_aliases: rare(Schema.Record(Schema.String, Schema.Unknown)),
  pushed_authorization_request_endpoint: rare(Schema.String),
  require_pushed_authorization_requests: rare(Schema.Boolean),
  end_session_endpoint: rare(Schema.String)
})

/** The metadata of an issuer. Its four usual endpoints are checked; those of rare members are where they are used. */
export type Metadata = typeof Document.Type & {
  /** Set when the issuer stands for many tenants. */
  readonly tenants: TenantIssuer | undefined
}

const decode = Schema.decodeUnknownResult(Document)

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
  const processed = yield* call(
    ({ processDiscoveryResponse }) => processDiscoveryResponse(new URL(expected), new ParsedResponse(object)),
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
  const metadata: Metadata = { ...document, tenants }
  return metadata
})

const get = Effect.fnUntraced(function* (transport: Transport, issuer: string, algorithm: "oidc" | "oauth2") {
  const protocol = yield* library
  const request = yield* captureRequest(what, protocol, (options: HttpRequestOptions<"GET">) =>
    protocol.discoveryRequest(new URL(issuer), { ...options, algorithm })
  )
  return yield* transport.send(what, request)
})

const fetchMetadata = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, issuer: string) {
  const tenants = provider.conform === "microsoft-entra-id" ? tenantIssuer(issuer) : undefined
  const first = yield* get(transport, issuer, "oidc")
  const isOAuthAlone = provider.type === "oauth" && first.status === 404
  return yield* read(issuer, tenants, isOAuthAlone ? yield* get(transport, issuer, "oauth2") : first)
})

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
