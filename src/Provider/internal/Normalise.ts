/**
 * Reads what a provider was given into what actions see: the one place where options get their meaning.
 *
 * It is pure and done once for each provider, when that provider is first used. Nothing given is changed.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidConfiguration } from "../../Errors.ts"
import { unseen } from "../../internal/RedactedView.ts"
import { withClientKey } from "./ClientKey.ts"
import { fieldsOf, redactedFields, takesRequest } from "./CredentialForm.ts"
import { isCryptoKey } from "./CryptoKeys.ts"
import { nameProvider, define, type Definition } from "./Definition.ts"
import { emailProvider } from "./EmailMembers.ts"
import { isPlainObject, type Members } from "../../internal/Merge.ts"
import {
  addressOf,
  clientAuthentications,
  membersOf,
  problemsOf,
  type ProviderProblem,
  type Surroundings
} from "./Problems.ts"
import { defaultAccount, defaultProfile, descriptionOf } from "./ProfileMapping.ts"
import type {
  ClientAuthentication,
  ClientPrivateKey,
  CredentialsProvider,
  Provider,
  RedirectProvider
} from "./Provider.ts"
import { webAddress } from "./WebAddress.ts"
import { webAuthnProvider } from "./WebAuthnMembers.ts"

/**
 * What the configuration says beside the provider itself.
 *
 * @category models
 * @since 0.1.0
 */
export interface NormaliseContext {
  /** The redirect proxy of providers that name none of their own. */
  readonly redirectProxyUrl?: string | undefined
  /** What there is for providers that need more than themselves. */
  readonly surroundings?: Surroundings | undefined
  /** Why another part of the configuration disables a provider. */
  readonly rejections?: ((definition: Definition) => ReadonlyArray<ProviderProblem>) | undefined
}

type NonEmpty<A> = readonly [A, ...ReadonlyArray<A>]

// What a function of the application takes and answers cannot be seen from outside; its declared type is believed.
const functionOf = <F>() =>
  Schema.optional(
    Schema.NullOr(Schema.declare((value): value is F => typeof value === "function", { expected: "a function" }))
  )

const record = Schema.Record(Schema.String, Schema.Unknown)
const text = Schema.optional(Schema.NullOr(Schema.String))
const flag = Schema.optional(Schema.NullOr(Schema.Boolean))

const cryptoKey = Schema.declare(isCryptoKey, { expected: "a CryptoKey" })

const Params = Schema.optional(Schema.NullOr(record))
const Authorization = Schema.Struct({
  params: Params,
  conform: functionOf<NonNullable<RedirectProvider["authorization"]["conform"]>>()
})
const Token = Schema.Struct({
  params: Params,
  conform: functionOf<NonNullable<RedirectProvider["token"]["conform"]>>(),
  request: functionOf<NonNullable<RedirectProvider["token"]["request"]>>(),
  clientPrivateKey: Schema.optional(
    Schema.NullOr(Schema.Union([cryptoKey, Schema.Struct({ key: cryptoKey, kid: Schema.optional(Schema.String) })]))
  )
})
const Userinfo = Schema.Struct({
  params: Params,
  request: functionOf<NonNullable<RedirectProvider["userinfo"]["request"]>>()
})
const Client = Schema.StructWithRest(
  Schema.Struct({
    token_endpoint_auth_method: Schema.optional(Schema.NullOr(Schema.Literals(clientAuthentications)))
  }),
  [record]
)

const RedirectMembers = Schema.Struct({
  issuer: Schema.optional(Schema.NullOr(Schema.Union([Schema.String, Schema.instanceOf(URL)]))),
  clientId: Schema.NonEmptyString,
  clientSecret: text,
  client: Schema.optional(Schema.NullOr(Client)),
  idToken: flag,
  allowDangerousEmailAccountLinking: flag,
  allowScopeFromBrowser: flag,
  pushedAuthorizationRequests: flag,
  dpop: Schema.optional(Schema.NullOr(Schema.Struct({ privateKey: cryptoKey, publicKey: cryptoKey }))),
  idTokenDecryption: Schema.optional(Schema.NullOr(Schema.Union([cryptoKey, Schema.Array(cryptoKey)]))),
  logout: Schema.optional(Schema.NullOr(Schema.Literals(["provider", "local"]))),
  backchannelLogout: Schema.optional(Schema.NullOr(Schema.Union([Schema.Boolean, Schema.Literal("strict")]))),
  redirectProxyUrl: text,
  refuses: Schema.optional(Schema.NullOr(Schema.Array(Schema.Literals(["pkce", "nonce"])))),
  profile: functionOf<RedirectProvider["profile"]>(),
  account: functionOf<RedirectProvider["account"]>()
})

const CredentialsMembers = Schema.Struct({
  credentials: Schema.optional(Schema.NullOr(record)),
  authorize: Schema.declare((value): value is CredentialsProvider["authorize"] => typeof value === "function", {
    expected: "a function"
  })
})

const decodeRedirectMembers = Schema.decodeUnknownResult(RedirectMembers)
const decodeCredentialsMembers = Schema.decodeUnknownResult(CredentialsMembers)
const decodeAuthorization = Schema.decodeUnknownResult(Authorization)
const decodeToken = Schema.decodeUnknownResult(Token)
const decodeUserinfo = Schema.decodeUnknownResult(Userinfo)

const toInvalid = (definition: Definition, where: string) => (error: Schema.SchemaError) =>
  new InvalidConfiguration({
    provider: definition.id,
    field: `providers.${definition.id}`,
    detail: `${nameProvider(definition.position, definition.id)}${where}: ${error.message.replaceAll(/\s+/g, " ")}`
  })

const isParameter = ([, value]: readonly [string, unknown]): boolean => value !== undefined && value !== null

/** Objects among parameters (the `claims` of OIDC Core section 5.5) travel as JSON. */
const toText = (value: unknown): string => (isPlainObject(value) ? JSON.stringify(value) : String(value))

const parametersOf = (params: Members | null | undefined): ReadonlyArray<readonly [string, string]> =>
  Object.entries(params ?? {})
    .filter(isParameter)
    .map(([name, value]) => [name, toText(value)] as const)

/** An endpoint given as an address is an endpoint with nothing else. */
const handlerOf = (endpoint: unknown): unknown => (isPlainObject(endpoint) ? endpoint : {})

const urlOf = (endpoint: unknown, parameters: ReadonlyArray<readonly [string, string]>): URL | undefined => {
  const url = webAddress(addressOf(endpoint))
  for (const [name, value] of url === undefined ? [] : parameters) url?.searchParams.set(name, value)
  return url
}

const defaultScope = "openid profile email"

/**
 * The parameters of the authorization request: those in the URL, then those beside it, then the default scope. A `scope` of
 * `null` is none, for platforms of OAuth 2.0 where the registration of the application says what it may do.
 */
const authorizationOf = (
  definition: Definition,
  clientId: string,
  endpoint: unknown,
  params: Members | null | undefined
) => {
  const platform = definition.platform === "client-key" ? ([["client_key", clientId]] as const) : []
  const beside = [...platform, ...parametersOf(params)]
  const url = urlOf(endpoint, beside)
  const parameters = new Map(url?.searchParams ?? beside)
  const hasDefaultScope =
    definition.type === "oidc" || (endpoint !== undefined && endpoint !== null && params?.["scope"] !== null)
  if (hasDefaultScope && !parameters.has("scope")) {
    parameters.set("scope", defaultScope)
    url?.searchParams.set("scope", defaultScope)
  }
  return { url, parameters: [...parameters] }
}

const privateKeyOf = (key: (typeof Token)["Type"]["clientPrivateKey"]): ClientPrivateKey | undefined =>
  key === undefined || key === null ? undefined : "kid" in key || "key" in key ? key : { key }

const secretOf = (secret: string | null | undefined): Redacted.Redacted | undefined =>
  secret ? Redacted.make(secret, { label: "clientSecret" }) : undefined

type Read<A> = Result.Result<A, ProviderProblem>

/** The proxy of a provider: its own, else that of the configuration. Only a flow that uses it needs a valid one. */
const proxyOf = (
  definition: Definition,
  own: string | null | undefined,
  shared: string | undefined
): Read<string | undefined> => {
  const url = own ?? shared
  if (url === undefined || url === "") return Result.succeed(undefined)
  if (webAddress(url) !== undefined) return Result.succeed(url.replace(/\/+$/, ""))
  const isOwn = typeof own === "string"
  return Result.fail(
    new InvalidConfiguration({
      detail: `${nameProvider(definition.position, definition.id)} uses a redirectProxyUrl that is no absolute http(s) URL.`,
      provider: definition.id,
      field: isOwn ? `providers.${definition.id}.redirectProxyUrl` : "redirectProxyUrl",
      fix: "Write the whole address up to the base path, such as https://site.example/auth.",
      ...(isOwn ? {} : { variable: "AUTH_REDIRECT_PROXY_URL" })
    })
  )
}

/** Signed answers name their issuer, and its metadata leads to the keys. */
const unsignedIssuer = ({ id, position }: Definition): InvalidConfiguration =>
  new InvalidConfiguration({
    detail: `${nameProvider(position, id)} asks for signed responses and has no issuer, which they must name.`,
    provider: id,
    field: `providers.${id}.authorization.params.response_mode`,
    fix: "Set issuer, or leave response_mode out."
  })

/** The members of a provider and of its endpoints, decoded. */
const readMembers = (definition: Definition, members: Members) => {
  const at = (endpoint: string) => toInvalid(definition, `, ${endpoint}`)
  return Result.all({
    own: Result.mapError(decodeRedirectMembers(members), toInvalid(definition, "")),
    authorization: Result.mapError(decodeAuthorization(handlerOf(members["authorization"])), at("authorization")),
    token: Result.mapError(decodeToken(handlerOf(members["token"])), at("token")),
    userinfo: Result.mapError(decodeUserinfo(handlerOf(members["userinfo"])), at("userinfo"))
  })
}

/** How the client proves itself: by option, else by the key where it is all there is, else by the secret. */
const clientOf = (
  { client, clientId, clientSecret }: (typeof RedirectMembers)["Type"],
  key: ClientPrivateKey | undefined
) => {
  const { token_endpoint_auth_method: method, ...clientMetadata } = client ?? {}
  const secret = secretOf(clientSecret)
  const clientAuthentication: ClientAuthentication =
    method ?? (key !== undefined && secret === undefined ? "private_key_jwt" : "client_secret_basic")
  return { clientId, clientSecret: secret, clientAuthentication, clientPrivateKey: key, clientMetadata }
}

/** How the provider answers: by a form post, by a signed response. */
const responseOf = (parameters: ReadonlyArray<readonly [string, string]>) => {
  const mode = new Map(parameters).get("response_mode") ?? ""
  return {
    formPost: mode === "form_post" || mode === "form_post.jwt",
    jwtResponse: mode === "jwt" || mode === "query.jwt" || mode === "form_post.jwt"
  }
}

const redirectProvider = (
  definition: Definition,
  members: Members,
  context: NormaliseContext
): Read<RedirectProvider> =>
  Result.gen(function* () {
    const { id, name, style } = definition
    const { own, ...given } = yield* readMembers(definition, members)
    const authorization = authorizationOf(
      definition,
      own.clientId,
      members["authorization"],
      given.authorization.params
    )
    const token = urlOf(members["token"], parametersOf(given.token.params))
    const userinfo = urlOf(members["userinfo"], parametersOf(given.userinfo.params))
    const client = clientOf(own, privateKeyOf(given.token.clientPrivateKey))
    const issuer = own.issuer === null || own.issuer === "" ? undefined : own.issuer?.toString()
    const response = responseOf(authorization.parameters)
    if (response.jwtResponse && issuer === undefined) yield* Result.fail(unsignedIssuer(definition))
    const redirectProxyUrl = response.formPost
      ? undefined
      : yield* proxyOf(definition, own.redirectProxyUrl, context.redirectProxyUrl)
    const source: Members = {
      ...members,
      id,
      name,
      issuer,
      clientSecret: client.clientSecret === undefined ? undefined : Redacted.value(client.clientSecret),
      authorization: { ...given.authorization, url: authorization.url },
      token: { ...given.token, url: token },
      userinfo: { ...given.userinfo, url: userinfo },
      redirectProxyUrl
    }
    const base = {
      id,
      name,
      style,
      issuer,
      ...client,
      ...response,
      authorizationParameters: authorization.parameters,
      authorization: { url: authorization.url?.href, conform: given.authorization.conform ?? undefined },
      token: { url: token?.href, conform: given.token.conform ?? undefined, request: given.token.request ?? undefined },
      userinfo: { url: userinfo?.href, request: given.userinfo.request ?? undefined },
      dpop: own.dpop ?? undefined,
      idTokenDecryption: [own.idTokenDecryption ?? []].flat(),
      pushedAuthorizationRequests: own.pushedAuthorizationRequests ?? undefined,
      refuses: own.refuses ?? [],
      redirectProxyUrl,
      allowDangerousEmailAccountLinking: own.allowDangerousEmailAccountLinking === true,
      allowScopeFromBrowser: own.allowScopeFromBrowser === true,
      fetch: definition.fetch,
      adaptFetch: definition.platform === "client-key" ? withClientKey(own.clientId) : undefined,
      profile: own.profile ?? defaultProfile(),
      hasOwnProfile: typeof own.profile === "function" && descriptionOf(own.profile) === undefined,
      account: own.account ?? defaultAccount,
      conform: definition.platform === "client-key" ? undefined : definition.platform,
      source: unseen(source)
    }
    return definition.type === "oidc"
      ? {
          ...base,
          _tag: "Oidc",
          type: "oidc",
          idToken: own.idToken ?? undefined,
          logout: own.logout ?? undefined,
          backchannelLogout: own.backchannelLogout ?? false
        }
      : { ...base, _tag: "OAuth", type: "oauth" }
  })

const credentialsProvider = (definition: Definition, members: Members): Read<CredentialsProvider> =>
  Result.map(
    Result.mapError(decodeCredentialsMembers(members), toInvalid(definition, "")),
    (read): CredentialsProvider => ({
      _tag: "Credentials",
      type: "credentials",
      id: definition.id,
      name: definition.name,
      style: definition.style,
      fields: fieldsOf(read.credentials),
      redacted: redactedFields(definition.options["credentials"]),
      authorize: read.authorize,
      takesRequest: takesRequest(read.authorize)
    })
  )

/**
 * Reads a provider, and finds all problems of its configuration.
 *
 * @category constructors
 * @since 0.1.0
 */
export const examine = (
  definition: Definition,
  context: NormaliseContext
): Result.Result<Provider, NonEmpty<ProviderProblem>> => {
  const members = membersOf(definition)
  const [first, ...more] = [
    ...(context.rejections?.(definition) ?? []),
    ...problemsOf(definition, members, context.surroundings)
  ]
  return first === undefined
    ? Result.mapError(read(definition, members, context), (problem): NonEmpty<ProviderProblem> => [problem])
    : Result.fail([first, ...more])
}

const read = (definition: Definition, members: Members, context: NormaliseContext): Read<Provider> => {
  switch (definition.type) {
    case "credentials":
      return credentialsProvider(definition, members)
    case "email":
      return emailProvider(definition, members)
    case "webauthn":
      return webAuthnProvider(definition, members)
    case "oauth":
    case "oidc":
      return redirectProvider(definition, members, context)
  }
}

/**
 * Reads a provider: an object, a factory, or what `define` made of one. Fails with the first problem of its configuration.
 *
 * @category constructors
 * @since 0.1.0
 */
export const normalise = (input: unknown, context: NormaliseContext = {}): Result.Result<Provider, ProviderProblem> =>
  Result.flatMap(define(input), (definition) =>
    Result.mapError(examine(definition, context), ([problem]): ProviderProblem => problem)
  )
