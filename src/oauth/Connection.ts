/**
 * A provider, the way to it, and what its server is: the endpoints of the configuration, else those of the issuer's metadata
 * (OpenID Connect Discovery 1.0 and, for plain OAuth, RFC 8414).
 *
 * `oauth4webapi` processes the document, with stricter rules after it. The issuer in the document must be the configured one,
 * byte for byte; the one freedom is the slash that ends an otherwise empty path. Documents are kept for an hour, and for a day
 * when the issuer is down. The endpoints of a public issuer must be public too.
 *
 * A client that shows a certificate (RFC 8705) is led to the endpoints for it. The application's `HttpClient`, or the `fetch` of
 * the provider, makes the connection and holds the certificate.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { configuredFault, discoveredFault } from "../http/NetworkAddress.ts"
import type { JsonObject } from "../internal/JsonText.ts"
import { addresses, kinds } from "../internal/Mismatch.ts"
import { isFirstTime } from "../internal/OncePerProcess.ts"
import { sharedIssuer } from "../Provider/internal/PlatformRules.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { invalidResponse, libraryFault, type OAuthFault, providerError, statusFault } from "./Fault.ts"
import * as ProviderCache from "./ProviderCache.ts"
import { answerOf, type Connection, library, sendBy } from "./Request.ts"
import { readJson, type Transport } from "./Transport.ts"

export type { Connection } from "./Request.ts"

/** A member that is used. */
const text = Schema.optionalKey(Schema.String)

/** A member that few clients use: a malformed one counts as absent, and is no reason to refuse the document. */
const rare = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.catchDecoding<S>(() => Effect.succeedNone)(schema))

const texts = Schema.mutable(Schema.Array(Schema.String))

/** The members of an issuer's metadata that this client uses, by the names of RFC 8414, RFC 9207, RFC 9126, RFC 8705, RFC 7009, JARM and RP-Initiated Logout. */
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

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The fault of a document of which a member has another form. */
const malformed = (document: JsonObject, issue: SchemaIssue.Issue): OAuthFault => {
  const [segment] = format(issue).issues[0]?.path ?? []
  const name = typeof segment === "string" ? segment : "member"
  return invalidResponse(
    `the ${what} has a malformed ${name}${kinds("the form of OpenID Connect Discovery", document[name])}`
  )
}

const fetchMetadata = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, issuer: string) {
  const protocol = yield* library
  const get = (algorithm: "oidc" | "oauth2") =>
    sendBy(transport, protocol, what, (options) =>
      protocol.discoveryRequest(new URL(issuer), { ...options, algorithm })
    )
  const first = yield* get("oidc")
  const response = provider.type === "oauth" && first.status === 404 ? yield* get("oauth2") : first
  if (response.status !== 200) return yield* statusFault(what, response.status)
  const object = yield* readJson(what, response)
  const announced = object["issuer"]
  const isShared = typeof announced === "string" && sharedIssuer(provider.conform, issuer)?.isAnnounced(announced)
  const expected = isShared === true ? announced : issuer
  if (typeof announced === "string" && !isSameSpelling(announced, expected)) {
    return yield* invalidResponse(
      `the issuer in the ${what} is not the configured one${addresses(expected, announced)}`,
      { fix: "Write the issuer as the document names it, slash included, or the issuer whose document this is." }
    )
  }
  const processed = yield* Effect.tryPromise({
    try: () => protocol.processDiscoveryResponse(new URL(expected), answerOf({ body: object, status: 200 })),
    catch: libraryFault(what)
  })
  const document = yield* Effect.mapError(decode(processed), ({ issue }) => malformed(object, issue))
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
    return Effect.fail(
      providerError("the provider has neither an issuer nor all endpoints it needs", {
        fix: "Set issuer, or authorization, token and userinfo."
      })
    )
  }
  const refused =
    configuredFault("issuer", issuer) ?? (issuer.includes("?") ? "the issuer must not have a query" : undefined)
  if (refused !== undefined)
    return Effect.fail(providerError(refused, { fix: "Correct issuer of the provider object." }))
  const key = `${transport.scope} ${provider.type} ${provider.conform ?? ""} ${issuer}`
  const { get } = cache(transport.owner, key, fetchMetadata(transport, provider, issuer))
  return transport.isMadeAnew && isFirstTime(`customFetch ${provider.id}`)
    ? Effect.andThen(Effect.logWarning(madeAnew(provider)), get)
    : get
}

const madeAnew = ({ id }: RedirectProvider): string =>
  `The customFetch of ${id} is another function in each configuration: metadata and keys that one fetched are not kept for the next. Make the function once, outside of what makes the configuration.`

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

/** The endpoints of the configuration. */
const configuredEndpoints = ({
  authorization,
  token,
  userinfo
}: RedirectProvider): Partial<Record<Endpoint, string>> => ({
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
    ...configuredEndpoints(provider)
  }
  const { conform, id, issuer = endpoints.token_endpoint ?? id } = provider
  return {
    provider,
    transport,
    server: { issuer, ...endpoints },
    shared: sharedIssuer(conform, issuer)
  }
}

const optionOf = (name: Endpoint): string => name.replace("_endpoint", "")

/** Finds the endpoints that are needed. The metadata is fetched where the configuration lacks one of them. */
export const connect = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  needed: ReadonlyArray<Endpoint>
): Effect.fn.Return<Connection, OAuthFault> {
  const endpoints = configuredEndpoints(provider)
  for (const name of needed) {
    const refused = endpoints[name] && configuredFault(name.replace("_", " "), endpoints[name])
    if (refused !== undefined)
      return yield* providerError(refused, { fix: `Correct ${optionOf(name)} of the provider object.` })
  }
  const lacking = needed.filter((name) => endpoints[name] === undefined)
  if (lacking.length === 0) return connectionOf(transport, provider)
  const connection = connectionOf(transport, provider, yield* discover(transport, provider))
  const { server } = connection
  for (const name of lacking) {
    const url = server[name]
    if (url === undefined) {
      return yield* providerError(`the provider's configuration and the metadata of its issuer both lack ${name}`, {
        fix: `Set ${optionOf(name)} of the provider object, or write an issuer whose metadata names ${name}.`
      })
    }
    const refused = discoveredFault(name, url, server.issuer)
    if (refused !== undefined) return yield* invalidResponse(refused)
  }
  return connection
})
