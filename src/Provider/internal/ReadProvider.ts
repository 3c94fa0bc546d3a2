/**
 * Reads providers: what their options mean, and everything that is wrong with them. It needs no network.
 *
 * A registry belongs to one configuration. Building it calls each factory once; each provider is read once, when it is first used.
 * A provider with a problem is disabled: it keeps its id and its name, and every use of it returns the problem. The others work.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  DuplicateConditionalUi,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  InvalidProvider,
  MissingAdapter,
  type MissingAdapterMethods,
  MissingAuthorize,
  type MissingWebAuthnAutocomplete,
  type UntrustedHost
} from "../../Errors.ts"
import { isLoopback } from "../../http/NetworkAddress.ts"
import { isMembers, isPlainObject, type Members, merge } from "../../internal/Merge.ts"
import { variablePrefix } from "../../internal/ProviderVariables.ts"
import { quotedValue } from "../../internal/QuotedValue.ts"
import { unseen } from "../../internal/RedactedView.ts"
import { withClientKey } from "./ClientKey.ts"
import { fieldsOf, redactedFields } from "./CredentialForm.ts"
import { areDecryptionKeys, isCryptoKey, isSigningPair } from "./CryptoKeys.ts"
import { define, type Definition, type Identity, nameProvider } from "./Definition.ts"
import { emailProblems, emailProvider } from "./EmailMembers.ts"
import { functionOf, maybe } from "./MemberSchemas.ts"
import { plainMembers } from "./PlainMembers.ts"
import { defaultAccount, defaultProfile, descriptionOf } from "./ProfileMapping.ts"
import type {
  ClientAuthentication,
  ClientPrivateKey,
  CredentialsProvider,
  Provider,
  RedirectProvider
} from "./Provider.ts"
import { isPlainAddress, webAddress } from "./WebAddress.ts"
import { hasConditionalUi, webAuthnProblems, webAuthnProvider } from "./WebAuthnMembers.ts"

/**
 * The failures that a provider's configuration can have.
 *
 * @category errors
 * @since 0.1.0
 */
export type ProviderProblem =
  | DuplicateConditionalUi
  | ExperimentalFeatureNotEnabled
  | InvalidConfiguration
  | InvalidEndpoints
  | MissingAdapter
  | MissingAdapterMethods
  | MissingAuthorize
  | MissingWebAuthnAutocomplete
  | UntrustedHost

/**
 * What the rest of the configuration offers to providers.
 *
 * @category models
 * @since 0.1.0
 */
export interface Surroundings {
  /** An adapter is configured. */
  readonly hasAdapter: boolean
  /** `experimental.enableWebAuthn` is set. */
  readonly enableWebAuthn: boolean
  /** A mailer is configured, for providers that have no way to send of their own. */
  readonly hasMailer?: boolean | undefined
}

/**
 * What the configuration says beside the provider itself.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderContext {
  /** The redirect proxy of providers that name none of their own. */
  readonly redirectProxyUrl?: string | undefined
  /** What there is for providers that need more than themselves. */
  readonly surroundings?: Surroundings | undefined
  /** Why another part of the configuration disables a provider. */
  readonly rejections?: ((definition: Definition) => ReadonlyArray<ProviderProblem>) | undefined
}

/** How a client can prove itself at the token endpoint. */
const clientAuthentications = [
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
  "tls_client_auth",
  "self_signed_tls_client_auth",
  "none"
] as const satisfies ReadonlyArray<ClientAuthentication>

const methods: ReadonlySet<unknown> = new Set(clientAuthentications)

const withoutSecret: ReadonlySet<unknown> = new Set(["tls_client_auth", "self_signed_tls_client_auth", "none"])

const record = Schema.Record(Schema.String, Schema.Unknown)
const text = maybe(Schema.String)
const flag = maybe(Schema.Boolean)
const cryptoKey = Schema.declare(isCryptoKey, { expected: "a CryptoKey" })
const params = maybe(record)

const RedirectMembers = Schema.Struct({
  authorization: Schema.Struct({
    params,
    conform: functionOf<NonNullable<RedirectProvider["authorization"]["conform"]>>()
  }),
  token: Schema.Struct({
    params,
    conform: functionOf<NonNullable<RedirectProvider["token"]["conform"]>>(),
    request: functionOf<NonNullable<RedirectProvider["token"]["request"]>>(),
    clientPrivateKey: maybe(
      Schema.Union([cryptoKey, Schema.Struct({ key: cryptoKey, kid: Schema.optional(Schema.String) })])
    )
  }),
  userinfo: Schema.Struct({ params, request: functionOf<NonNullable<RedirectProvider["userinfo"]["request"]>>() }),
  issuer: maybe(Schema.Union([Schema.String, Schema.instanceOf(URL)])),
  clientId: Schema.NonEmptyString,
  clientSecret: text,
  client: maybe(
    Schema.StructWithRest(
      Schema.Struct({ token_endpoint_auth_method: maybe(Schema.Literals(clientAuthentications)) }),
      [record]
    )
  ),
  idToken: flag,
  allowDangerousEmailAccountLinking: flag,
  allowScopeFromBrowser: flag,
  pushedAuthorizationRequests: flag,
  dpop: maybe(Schema.Struct({ privateKey: cryptoKey, publicKey: cryptoKey })),
  idTokenDecryption: maybe(Schema.Union([cryptoKey, Schema.Array(cryptoKey)])),
  logout: maybe(Schema.Literals(["provider", "local"])),
  backchannelLogout: maybe(Schema.Union([Schema.Boolean, Schema.Literal("strict")])),
  redirectProxyUrl: text,
  refuses: maybe(Schema.Array(Schema.Literals(["pkce", "nonce"]))),
  profile: functionOf<RedirectProvider["profile"]>(),
  account: functionOf<RedirectProvider["account"]>()
})

const CredentialsMembers = Schema.Struct({
  credentials: maybe(record),
  authorize: Schema.declare((value): value is CredentialsProvider["authorize"] => typeof value === "function", {
    expected: "a function"
  })
})

const decodeRedirect = Schema.decodeUnknownResult(RedirectMembers)
const decodeCredentials = Schema.decodeUnknownResult(CredentialsMembers)

const endpoints = ["authorization", "token", "userinfo"] as const

/** The options over the preset, in the values of `Auth`. @internal */
export const membersOf = ({ options, preset, type }: Definition): Members => plainMembers(type, merge(preset, options))

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** The address of an endpoint, as given. */
const addressOf = (endpoint: unknown): unknown =>
  isMembers(endpoint) && !(endpoint instanceof URL) ? endpoint["url"] : endpoint

const performsItself = (endpoint: unknown): boolean => isMembers(endpoint) && typeof endpoint["request"] === "function"

/** What a failure names: the provider, the option, and how to fix it. */
const at = (
  { id, position }: Definition,
  option: string | undefined,
  what: string,
  more: { readonly fix?: string; readonly variable?: string } = {}
) => ({
  provider: id,
  field: `providers.${id}${option === undefined ? "" : `.${option}`}`,
  detail: `${nameProvider(position, id)}${what}`,
  ...more
})

const invalid = (...fault: Parameters<typeof at>): InvalidConfiguration => new InvalidConfiguration(at(...fault))

const variableOf = ({ id }: Definition, suffix: string): string => `${variablePrefix(id)}${suffix}`

/** Does traffic to the address travel in clear text (RFC 9700 section 2.6)? */
const isExposed = (url: URL): boolean => url.protocol === "http:" && !isLoopback(url.hostname)

const writeHttps = { fix: "Write https://. Loopback addresses may use http." }

const endpointProblems = (definition: Definition, members: Members): ReadonlyArray<InvalidEndpoints> =>
  endpoints.flatMap((name) => {
    const fault = (what: string, more?: { readonly fix: string }) => [
      new InvalidEndpoints(at(definition, name, what, more))
    ]
    const endpoint = members[name]
    const address = addressOf(endpoint)
    if (isPlainAddress(address)) return []
    if (!isFilled(address))
      return isFilled(members["issuer"]) || (name !== "authorization" && performsItself(endpoint))
        ? []
        : fault(` has neither an issuer nor a URL of the ${name} endpoint.`)
    const url = webAddress(address)
    if (url === undefined || url.hash !== "")
      return fault(`: the ${name} endpoint is no http(s) URL without fragment and user information.`)
    return isExposed(url)
      ? fault(`: the ${name} endpoint begins with http://, so codes and tokens would travel in clear text.`, writeHttps)
      : []
  })

const issuerProblems = (definition: Definition, issuer: unknown): ReadonlyArray<InvalidConfiguration> => {
  if (!isFilled(issuer) || isPlainAddress(issuer)) return []
  const variable = variableOf(definition, "ISSUER")
  const url = webAddress(issuer)
  if (url === undefined || url.search !== "" || url.hash !== "" || /[?#]/.test(String(issuer))) {
    const what = " needs an issuer that is an http(s) URL without query and fragment (RFC 8414 section 2)."
    const fix = `Write the issuer as the provider announces it, such as https://id.example, or set ${variable}.`
    return [invalid(definition, "issuer", what, { fix, variable })]
  }
  const what = " has an issuer that begins with http://, so an attacker on the network could answer in its place."
  return isExposed(url) ? [invalid(definition, "issuer", what, { ...writeHttps, variable })] : []
}

const authenticationProblems = (definition: Definition, members: Members): ReadonlyArray<InvalidConfiguration> => {
  const client = isMembers(members["client"]) ? members["client"] : {}
  const { clientPrivateKey } = isMembers(members["token"]) ? members["token"] : {}
  const given = client["token_endpoint_auth_method"] ?? undefined
  if (given !== undefined && !methods.has(given)) {
    const what = " has a client.token_endpoint_auth_method that is not supported."
    const fix = `Use one of ${clientAuthentications.join(", ")}.`
    return [invalid(definition, "client.token_endpoint_auth_method", what, { fix })]
  }
  if (given === "private_key_jwt") {
    const what = " authenticates with private_key_jwt and has no token.clientPrivateKey."
    const fix = "Give it the CryptoKey that the provider knows."
    return isFilled(clientPrivateKey) ? [] : [invalid(definition, "token.clientPrivateKey", what, { fix })]
  }
  const authenticatesByKey = given === undefined && isFilled(clientPrivateKey)
  if (withoutSecret.has(given) || isFilled(members["clientSecret"]) || authenticatesByKey) return []
  const variable = variableOf(definition, "SECRET")
  const what = ` has no clientSecret: set it, or ${variable}, or client.token_endpoint_auth_method to "none".`
  const fix = `Set clientSecret, or ${variable}. A public client sets client.token_endpoint_auth_method to "none", and PKCE protects it.`
  return [invalid(definition, "clientSecret", what, { fix, variable })]
}

/** Options that need metadata of an issuer, or keys of their own. */
const keyProblems = (definition: Definition, members: Members): ReadonlyArray<InvalidConfiguration> => {
  const { dpop, idTokenDecryption, issuer, pushedAuthorizationRequests } = members
  const client = isMembers(members["client"]) ? members["client"] : {}
  const decryption =
    "Give it a private CryptoKey for RSA-OAEP with the usage decrypt, or for ECDH with deriveBits, or a list of them."
  const rules: ReadonlyArray<readonly [isBroken: boolean, option: string, what: string, fix: string]> = [
    [
      pushedAuthorizationRequests === true && !isFilled(issuer),
      "pushedAuthorizationRequests",
      " asks for pushed authorization requests and has no issuer, whose metadata names their endpoint.",
      "Set issuer, or leave the option out."
    ],
    [
      isFilled(idTokenDecryption) && !areDecryptionKeys(idTokenDecryption),
      "idTokenDecryption",
      " has an idTokenDecryption that holds something else than private keys for decryption.",
      decryption
    ],
    [
      !isFilled(idTokenDecryption) && isFilled(client["id_token_encrypted_response_alg"]),
      "idTokenDecryption",
      " registers for encrypted ID tokens and has no idTokenDecryption.",
      decryption
    ],
    [
      isFilled(dpop) && !isSigningPair(dpop),
      "dpop",
      " has a dpop that is no key pair for signatures with an extractable public key.",
      "Give it what crypto.subtle.generateKey answers, for example for ECDSA with P-256."
    ]
  ]
  return rules.flatMap(([isBroken, option, what, fix]) =>
    isBroken ? [invalid(definition, option, what, { fix })] : []
  )
}

const redirectProblems = (definition: Definition, members: Members): ReadonlyArray<ProviderProblem> => {
  const variable = variableOf(definition, "ID")
  return [
    ...issuerProblems(definition, members["issuer"]),
    ...endpointProblems(definition, members),
    ...(isFilled(members["clientId"])
      ? []
      : [
          invalid(definition, "clientId", ` has no clientId: set it, or ${variable}.`, {
            fix: `Set clientId, or ${variable}.`,
            variable
          })
        ]),
    ...authenticationProblems(definition, members),
    ...keyProblems(definition, members)
  ]
}

/** What a provider that needs more than itself lacks: the first cause, in the order of Auth.js. */
const surroundingProblems = (
  definition: Definition,
  surroundings: Surroundings | undefined
): ReadonlyArray<ProviderProblem> => {
  if (definition.type === "webauthn" && surroundings?.enableWebAuthn === false) {
    const what = ' is of type "webauthn", but experimental.enableWebAuthn is not set.'
    const fix = "Set experimental.enableWebAuthn to true, or remove the provider."
    return [new ExperimentalFeatureNotEnabled(at(definition, undefined, what, { fix }))]
  }
  if (surroundings?.hasAdapter !== false) return []
  const what = `: providers of type "${definition.type}" need an adapter, and the configuration has none.`
  const fix = "Configure an adapter, or remove the provider."
  return [new MissingAdapter(at(definition, undefined, what, { fix }))]
}

/** What the environment fills, and may have in quotation marks. */
const filledMembers = [
  ["clientId", "ID"],
  ["clientSecret", "SECRET"],
  ["issuer", "ISSUER"],
  ["apiKey", "KEY"]
] as const

const quotedMembers = (definition: Definition, members: Members): ReadonlyArray<InvalidConfiguration> =>
  filledMembers.flatMap(([name, suffix]) => {
    const field = `providers.${definition.id}.${name}`
    return (
      quotedValue(members[name], { field, provider: definition.id, variable: variableOf(definition, suffix) }) ?? []
    )
  })

const problemsByType = (
  definition: Definition,
  members: Members,
  surroundings: Surroundings | undefined
): ReadonlyArray<ProviderProblem> => {
  switch (definition.type) {
    case "oauth":
    case "oidc":
      return redirectProblems(definition, members)
    case "credentials":
      return typeof members["authorize"] === "function"
        ? []
        : [new MissingAuthorize(at(definition, "authorize", " has no authorize function."))]
    case "email":
      return [
        ...surroundingProblems(definition, surroundings),
        ...emailProblems(definition, members, surroundings?.hasMailer)
      ]
    case "webauthn":
      return [...webAuthnProblems(definition, members), ...surroundingProblems(definition, surroundings)]
  }
}

/** The members of a provider, decoded; the failure names the member and not its value. */
const decoded = <A>(
  definition: Definition,
  members: Members,
  decode: (members: unknown) => Result.Result<A, Schema.SchemaError>
): Result.Result<A, InvalidConfiguration> =>
  Result.mapError(decode(members), (error) =>
    invalid(definition, undefined, `: ${error.message.replaceAll(/\s+/g, " ")}`)
  )

const isParameter = ([, value]: readonly [string, unknown]): boolean => value !== undefined && value !== null

/** Objects among parameters (the `claims` of OIDC Core section 5.5) travel as JSON. */
const toText = (value: unknown): string => (isPlainObject(value) ? JSON.stringify(value) : String(value))

const parametersOf = (params: Members | null | undefined): ReadonlyArray<readonly [string, string]> =>
  Object.entries(params ?? {})
    .filter(isParameter)
    .map(([name, value]) => [name, toText(value)] as const)

const urlOf = (endpoint: unknown, parameters: ReadonlyArray<readonly [string, string]>): URL | undefined => {
  const url = webAddress(addressOf(endpoint))
  for (const [name, value] of url === undefined ? [] : parameters) url?.searchParams.set(name, value)
  return url
}

const defaultScope = "openid profile email"

/**
 * The parameters of the authorization request: those in the URL, then those beside it, then the default scope. A `scope` of
 * `null` leaves it out, for platforms of OAuth 2.0 where the registration of the application says what it may do.
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

/** The proxy of a provider: its own, else that of the configuration. Only a flow that uses it needs a valid one. */
const proxyOf = (
  definition: Definition,
  own: string | null | undefined,
  shared: string | undefined
): Result.Result<string | undefined, InvalidConfiguration> => {
  const url = own ?? shared
  if (url === undefined || url === "") return Result.succeed(undefined)
  if (webAddress(url) !== undefined) return Result.succeed(url.replace(/\/+$/, ""))
  const fault = at(definition, "redirectProxyUrl", " uses a redirectProxyUrl that is no absolute http(s) URL.", {
    fix: "Write the whole address up to the base path, such as https://site.example/auth."
  })
  const isOwn = typeof own === "string"
  return Result.fail(
    new InvalidConfiguration(
      isOwn ? fault : { ...fault, field: "redirectProxyUrl", variable: "AUTH_REDIRECT_PROXY_URL" }
    )
  )
}

/** How the client proves itself: by option, else by the key where it is all there is, else by the secret. */
const clientOf = ({ client, clientId, clientSecret, token }: (typeof RedirectMembers)["Type"]) => {
  const { token_endpoint_auth_method: method, ...clientMetadata } = client ?? {}
  const key = token.clientPrivateKey ?? undefined
  const clientPrivateKey: ClientPrivateKey | undefined =
    key === undefined || "kid" in key || "key" in key ? key : { key }
  const secret = clientSecret ? Redacted.make(clientSecret, { label: "clientSecret" }) : undefined
  const clientAuthentication: ClientAuthentication =
    method ?? (key !== undefined && secret === undefined ? "private_key_jwt" : "client_secret_basic")
  return { clientId, clientSecret: secret, clientAuthentication, clientPrivateKey, clientMetadata }
}

const redirectProvider = (
  definition: Definition,
  members: Members,
  context: ProviderContext
): Result.Result<RedirectProvider, ProviderProblem> =>
  Result.gen(function* () {
    const { id, name, style } = definition
    // An endpoint given as an address is an endpoint with nothing else.
    const handlerOf = (endpoint: unknown): Members => (isPlainObject(endpoint) ? endpoint : {})
    const handlers: Members = {
      authorization: handlerOf(members["authorization"]),
      token: handlerOf(members["token"]),
      userinfo: handlerOf(members["userinfo"])
    }
    const own = yield* decoded(definition, { ...members, ...handlers }, decodeRedirect)
    const authorization = authorizationOf(definition, own.clientId, members["authorization"], own.authorization.params)
    const token = urlOf(members["token"], parametersOf(own.token.params))
    const userinfo = urlOf(members["userinfo"], parametersOf(own.userinfo.params))
    const client = clientOf(own)
    const issuer = own.issuer === null || own.issuer === "" ? undefined : own.issuer?.toString()
    const mode = new Map(authorization.parameters).get("response_mode") ?? ""
    const formPost = mode === "form_post" || mode === "form_post.jwt"
    const jwtResponse = mode === "jwt" || mode === "query.jwt" || mode === "form_post.jwt"
    if (jwtResponse && issuer === undefined) {
      // Signed answers name their issuer, and its metadata leads to the keys.
      const what = " asks for signed responses and has no issuer, which they must name."
      const fix = "Set issuer, or leave response_mode out."
      yield* Result.fail(invalid(definition, "authorization.params.response_mode", what, { fix }))
    }
    const redirectProxyUrl = formPost
      ? undefined
      : yield* proxyOf(definition, own.redirectProxyUrl, context.redirectProxyUrl)
    const source: Members = {
      ...members,
      id,
      name,
      issuer,
      clientSecret: client.clientSecret === undefined ? undefined : Redacted.value(client.clientSecret),
      authorization: { ...own.authorization, url: authorization.url },
      token: { ...own.token, url: token },
      userinfo: { ...own.userinfo, url: userinfo },
      redirectProxyUrl
    }
    const base = {
      id,
      name,
      style,
      issuer,
      ...client,
      formPost,
      jwtResponse,
      authorizationParameters: authorization.parameters,
      authorization: { url: authorization.url?.href, conform: own.authorization.conform ?? undefined },
      token: { url: token?.href, conform: own.token.conform ?? undefined, request: own.token.request ?? undefined },
      userinfo: { url: userinfo?.href, request: own.userinfo.request ?? undefined },
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

const credentialsProvider = (
  definition: Definition,
  members: Members
): Result.Result<CredentialsProvider, ProviderProblem> =>
  Result.map(decoded(definition, members, decodeCredentials), ({ authorize, credentials }): CredentialsProvider => ({
    _tag: "Credentials",
    type: "credentials",
    id: definition.id,
    name: definition.name,
    style: definition.style,
    fields: fieldsOf(credentials),
    redacted: redactedFields(definition.options["credentials"]),
    authorize
  }))

const readByType = (
  definition: Definition,
  members: Members,
  context: ProviderContext
): Result.Result<Provider, ProviderProblem> => {
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

type Examined = Result.Result<Provider, readonly [ProviderProblem, ...ReadonlyArray<ProviderProblem>]>

/** Reads a provider, and finds all problems of its configuration. @internal */
export const examine = (definition: Definition, context: ProviderContext): Examined => {
  const members = membersOf(definition)
  const [first, ...more] = [
    ...(context.rejections?.(definition) ?? []),
    ...quotedMembers(definition, members),
    ...problemsByType(definition, members, context.surroundings)
  ]
  return first === undefined
    ? Result.mapError(readByType(definition, members, context), (problem) => [problem] as const)
    : Result.fail([first, ...more])
}

/**
 * The providers of one configuration.
 *
 * @category models
 * @since 0.1.0
 */
export interface Registry {
  /** Identities with a name, in the order of the configuration. */
  readonly identities: ReadonlyArray<Identity>
  /** Who has this id; nothing of it is read. */
  readonly identity: (id: string) => Identity | undefined
  /** The provider of this id; the first of its problems when it is disabled. */
  readonly get: (id: string) => Result.Result<Provider, InvalidProvider | ProviderProblem>
  /** The problems of single providers; reads each of them. */
  readonly problems: () => ReadonlyArray<ProviderProblem>
  /** Providers with the id of an earlier one. */
  readonly duplicates: ReadonlyArray<InvalidConfiguration>
}

const duplicate = (definition: Definition): InvalidConfiguration =>
  invalid(
    definition,
    undefined,
    " has the id of an earlier provider: both would share one redirect URI (RFC 9700 section 4.4).",
    { fix: "Give one of them another id, and register its callback URL with the provider." }
  )

/** A browser fills in passkeys in only one form of a page. */
const rivalOf = (definitions: ReadonlyArray<Definition>, definition: Definition): ReadonlyArray<ProviderProblem> => {
  const first = hasConditionalUi(definition) ? definitions.find(hasConditionalUi) : definition
  const what = ": an earlier provider has conditional UI already"
  return first === definition ? [] : [new DuplicateConditionalUi(at(definition, "enableConditionalUI", what))]
}

/** Providers may have members that throw when they are read. */
const attempt = <A, E, F>(read: () => Result.Result<A, E>, failed: (cause: unknown) => F): Result.Result<A, E | F> =>
  Result.flatMap(Result.try({ try: read, catch: failed }), (result) => result)

const unreadable = (position: number, id: string | undefined, cause: unknown): InvalidConfiguration =>
  new InvalidConfiguration({
    ...(id === undefined ? { field: "providers" } : { provider: id, field: `providers.${id}` }),
    detail: `${nameProvider(position, id)} could not be read`,
    cause
  })

/**
 * Builds the registry of a list of providers.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (inputs: ReadonlyArray<unknown>, context: ProviderContext = {}): Registry => {
  const definitions = new Map<string, Definition>()
  const withoutId: Array<ProviderProblem> = []
  const duplicates: Array<InvalidConfiguration> = []
  inputs.forEach((input, position) => {
    const definition = attempt(
      () => define(input, position),
      (cause) => unreadable(position, undefined, cause)
    )
    if (Result.isFailure(definition)) withoutId.push(definition.failure)
    else if (definitions.has(definition.success.id)) duplicates.push(duplicate(definition.success))
    else definitions.set(definition.success.id, definition.success)
  })
  const identities = [...definitions.values()]
  const whole: ProviderContext = {
    ...context,
    rejections: (definition) => [...rivalOf(identities, definition), ...(context.rejections?.(definition) ?? [])]
  }
  const examinations = new Map<Definition, Examined>()
  const examineOnce = (definition: Definition): Examined => {
    const result =
      examinations.get(definition) ??
      attempt(
        () => examine(definition, whole),
        (cause) => [unreadable(definition.position, definition.id, cause)] as const
      )
    examinations.set(definition, result)
    return result
  }
  return {
    identities,
    identity: (id) => definitions.get(id),
    get: (id) => {
      const definition = definitions.get(id)
      return definition === undefined
        ? Result.fail(unknownProvider(identities))
        : Result.mapError(examineOnce(definition), ([problem]) => problem)
    },
    problems: () => [
      ...withoutId,
      ...identities.flatMap((definition) => Result.getOrElse(Result.flip(examineOnce(definition)), () => []))
    ],
    duplicates
  }
}

/**
 * The same registry with every provider disabled, for one reason.
 *
 * @category combinators
 * @since 0.1.0
 */
export const disable = (registry: Registry, reason: ProviderProblem): Registry => ({
  ...registry,
  get: (id) => (registry.identity(id) === undefined ? registry.get(id) : Result.fail(reason))
})

/** What a client asked for is not repeated: it may be anything. */
const unknownProvider = (known: ReadonlyArray<{ readonly id: string }>): InvalidProvider =>
  new InvalidProvider({
    detail: `No provider has this id. Known ids: ${known.map((one) => one.id).join(", ")}`
  })
