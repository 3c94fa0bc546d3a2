/**
 * The metadata of an issuer: OpenID Connect Discovery 1.0 and, for plain OAuth, RFC 8414.
 *
 * `oauth4webapi` processes the document, with stricter rules after it. The issuer in the document must be the configured one,
 * byte for byte; the one freedom is the slash that ends an otherwise empty path. Documents are kept for an hour, and for a day
 * when the issuer is down. The endpoints of a public issuer must be public too.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { configuredFault, discoveredFault } from "../http/NetworkAddress.ts"
import { invalidResponse, type OAuthFault, providerError, statusFault } from "./Fault.ts"
import { answerOf, library, libraryFault, otherIssuer, sendBy } from "./Library.ts"
import { isAnnouncedIssuer, tenantIssuer } from "./Platform.ts"
import * as ProviderCache from "./ProviderCache.ts"
import { readJson, type Transport } from "./Transport.ts"

/** A member that is used. */
const text = Schema.optionalKey(Schema.String)

/** A member that few clients use: a malformed one counts as absent, and is no reason to refuse the document. */
const rare = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.catchDecoding<S>(() => Effect.succeedNone)(schema))

const texts = Schema.mutable(Schema.Array(Schema.String))

/** What this client uses of an issuer's metadata, by the names of RFC 8414, RFC 9207, RFC 9126, RFC 8705, RFC 7009, JARM and RP-Initiated Logout. */
const Document = Schema.Struct({
  issuer: Schema.NonEmptyString,
  authorization_endpoint: text,
  token_endpoint: text,
  userinfo_endpoint: text,
  jwks_uri: text,
  authorization_response_iss_parameter_supported: Schema.optionalKey(Schema.Boolean),
  id_token_signing_alg_values_supported: Schema.optionalKey(texts),
  authorization_signing_alg_values_supported: rare(texts),
  mtls_endpoint_aliases: rare(Schema.Record(Schema.String, Schema.Unknown)),
  pushed_authorization_request_endpoint: rare(Schema.String),
  require_pushed_authorization_requests: rare(Schema.Boolean),
  revocation_endpoint: rare(Schema.String),
  end_session_endpoint: rare(Schema.String)
})

/** The metadata of an issuer. Its four usual endpoints are checked; those of rare members are where they are used. */
export type Metadata = typeof Document.Type

const decode = Schema.decodeUnknownEffect(Document)

const what = "discovery document"

const usual = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const

/** OIDC Discovery section 4.3, byte for byte, with the slash of an empty path as the only freedom. The URLs are equal. */
const isSameSpelling = (announced: string, configured: string): boolean =>
  announced.replace(/\/$/, "") === configured.replace(/\/$/, "")

const fetchMetadata = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, issuer: string) {
  const protocol = yield* library
  const sender = { transport, protocol, context: yield* Effect.context<never>() }
  const get = (algorithm: "oidc" | "oauth2") =>
    sendBy(sender, what, (options) => protocol.discoveryRequest(new URL(issuer), { ...options, algorithm }))
  const first = yield* get("oidc")
  const response = provider.type === "oauth" && first.status === 404 ? yield* get("oauth2") : first
  if (response.status !== 200) return yield* statusFault(what, response.status)
  const object = yield* readJson(what, response)
  const announced = object["issuer"]
  const tenants = provider.conform === "microsoft-entra-id" ? tenantIssuer(issuer) : undefined
  const isShared = tenants !== undefined && typeof announced === "string" && isAnnouncedIssuer(tenants, announced)
  const expected = isShared ? announced : issuer
  const processed = yield* Effect.tryPromise({
    try: () => protocol.processDiscoveryResponse(new URL(expected), answerOf(object)),
    catch: libraryFault(what)
  })
  const document = yield* Effect.mapError(decode(processed), () => invalidResponse(`the ${what} is malformed`))
  if (!isSameSpelling(document.issuer, expected)) return yield* otherIssuer(what, expected, document.issuer)
  for (const name of usual) {
    const unfit = document[name] === undefined ? undefined : discoveredFault(name, document[name], issuer)
    if (unfit !== undefined) return yield* invalidResponse(unfit)
  }
  return document
})

const cache = ProviderCache.make<Metadata>({ freshFor: 3_600_000, usableFor: 86_400_000 })

/** The metadata of a provider's issuer. */
export const discover = (transport: Transport, provider: RedirectProvider): Effect.Effect<Metadata, OAuthFault> => {
  const { issuer } = provider
  if (issuer === undefined) {
    return Effect.fail(providerError("the provider has neither an issuer nor all endpoints it needs"))
  }
  const refused =
    configuredFault("issuer", issuer) ?? (issuer.includes("?") ? "the issuer must not have a query" : undefined)
  if (refused !== undefined) return Effect.fail(providerError(refused))
  const key = `${provider.type} ${provider.conform ?? ""} ${issuer}`
  return cache(transport.owner, key, fetchMetadata(transport, provider, issuer)).get
}
