/**
 * What is wrong with the configuration of a provider, found without building it and without a network.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import {
  type DuplicateConditionalUi,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAdapter,
  type MissingAdapterMethods,
  MissingAuthorize,
  type MissingWebAuthnAutocomplete,
  type UntrustedHost
} from "../../Errors.ts"
import { isLoopback } from "../../http/NetworkAddress.ts"
import { areDecryptionKeys, isSigningPair } from "./CryptoKeys.ts"
import { nameProvider, define, type Definition } from "./Definition.ts"
import { emailProblems } from "./EmailMembers.ts"
import { isMembers, merge, type Members } from "../../internal/Merge.ts"
import { variablePrefix } from "../../internal/ProviderVariables.ts"
import { quotedValue } from "../../internal/QuotedValue.ts"
import { plainMembers } from "./PlainMembers.ts"
import type { ClientAuthentication } from "./Provider.ts"
import { isPlainAddress, webAddress } from "./WebAddress.ts"
import { webAuthnProblems } from "./WebAuthnMembers.ts"

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

/** How a client can prove itself at the token endpoint. @internal */
export const clientAuthentications = [
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

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** The address of an endpoint, as given. @internal */
export const addressOf = (endpoint: unknown): unknown =>
  isMembers(endpoint) && !(endpoint instanceof URL) ? endpoint["url"] : endpoint

const performsItself = (endpoint: unknown): boolean => isMembers(endpoint) && typeof endpoint["request"] === "function"

/** Says what is wrong with an option of a provider, and how to fix it. */
const invalid = (
  { id, position }: Definition,
  option: string,
  what: string,
  more: { readonly fix: string; readonly variable?: string }
): InvalidConfiguration =>
  new InvalidConfiguration({
    provider: id,
    field: `providers.${id}.${option}`,
    detail: `${nameProvider(position, id)} ${what}`,
    ...more
  })

/** Does traffic to the address travel in clear text (RFC 9700 section 2.6)? */
const isExposed = (url: URL): boolean => url.protocol === "http:" && !isLoopback(url.hostname)

const endpointProblems = (definition: Definition, members: Members): Array<ProviderProblem> => {
  const { id, position } = definition
  const subject = nameProvider(position, id)
  const problems: Array<ProviderProblem> = []
  const issuer = members["issuer"]
  for (const name of ["authorization", "token", "userinfo"] as const) {
    const endpoint = members[name]
    const address = addressOf(endpoint)
    const at = { provider: id, field: `providers.${id}.${name}` }
    if (isPlainAddress(address)) continue
    if (isFilled(address)) {
      const url = webAddress(address)
      if (url === undefined || url.hash !== "") {
        problems.push(
          new InvalidEndpoints({
            ...at,
            detail: `${subject}: the ${name} endpoint is no http(s) URL without fragment and user information.`
          })
        )
      } else if (isExposed(url)) {
        problems.push(
          new InvalidEndpoints({
            ...at,
            detail: `${subject}: the ${name} endpoint begins with http://, so codes and tokens would travel in clear text.`,
            fix: "Write https://. Loopback addresses may use http."
          })
        )
      }
    } else if (!isFilled(issuer) && !(name !== "authorization" && performsItself(endpoint))) {
      problems.push(
        new InvalidEndpoints({ ...at, detail: `${subject} has neither an issuer nor a URL of the ${name} endpoint.` })
      )
    }
  }
  return problems
}

const issuerProblems = (definition: Definition, issuer: unknown): ReadonlyArray<ProviderProblem> => {
  if (!isFilled(issuer) || isPlainAddress(issuer)) return []
  const variable = `${variablePrefix(definition.id)}ISSUER`
  const url = webAddress(issuer)
  if (url === undefined || url.search !== "" || url.hash !== "" || /[?#]/.test(String(issuer))) {
    const what = "needs an issuer that is an http(s) URL without query and fragment (RFC 8414 section 2)."
    const fix = `Write the issuer as the provider announces it, such as https://id.example, or set ${variable}.`
    return [invalid(definition, "issuer", what, { fix, variable })]
  }
  if (!isExposed(url)) return []
  const what = "has an issuer that begins with http://, so an attacker on the network could answer in its place."
  return [invalid(definition, "issuer", what, { fix: "Write https://. Loopback addresses may use http.", variable })]
}

const authenticationProblems = (definition: Definition, members: Members): ReadonlyArray<ProviderProblem> => {
  const client = isMembers(members["client"]) ? members["client"] : {}
  const { clientPrivateKey } = isMembers(members["token"]) ? members["token"] : {}
  const method = client["token_endpoint_auth_method"] ?? "client_secret_basic"
  if (!methods.has(method)) {
    const what = "has a client.token_endpoint_auth_method that is not supported."
    const fix = `Use one of ${[...methods].join(", ")}.`
    return [invalid(definition, "client.token_endpoint_auth_method", what, { fix })]
  }
  if (method === "private_key_jwt") {
    if (isFilled(clientPrivateKey)) return []
    const what = "authenticates with private_key_jwt and has no token.clientPrivateKey."
    return [
      invalid(definition, "token.clientPrivateKey", what, { fix: "Give it the CryptoKey that the provider knows." })
    ]
  }
  const authenticatesByKey = client["token_endpoint_auth_method"] === undefined && isFilled(clientPrivateKey)
  if (withoutSecret.has(method) || isFilled(members["clientSecret"]) || authenticatesByKey) return []
  const variable = `${variablePrefix(definition.id)}SECRET`
  const what = `has no clientSecret: set it, or ${variable}, or client.token_endpoint_auth_method to "none".`
  return [
    invalid(definition, "clientSecret", what, {
      fix: `Set clientSecret, or ${variable}. A public client sets client.token_endpoint_auth_method to "none", and PKCE protects it.`,
      variable
    })
  ]
}

/** Options that only the metadata of an issuer makes work. */
const metadataProblems = (definition: Definition, members: Members): ReadonlyArray<ProviderProblem> => {
  if (members["pushedAuthorizationRequests"] !== true || isFilled(members["issuer"])) return []
  const what = "asks for pushed authorization requests and has no issuer, whose metadata names their endpoint."
  return [invalid(definition, "pushedAuthorizationRequests", what, { fix: "Set issuer, or leave the option out." })]
}

/** Encrypted ID tokens need a key, and a key that decrypts. */
const decryptionProblems = (definition: Definition, members: Members): ReadonlyArray<ProviderProblem> => {
  const keys = members["idTokenDecryption"]
  const client = isMembers(members["client"]) ? members["client"] : {}
  const fix =
    "Give it a private CryptoKey for RSA-OAEP with the usage decrypt, or for ECDH with deriveBits, or a list of them."
  if (isFilled(keys)) {
    const what = "has an idTokenDecryption that holds something else than private keys for decryption."
    return areDecryptionKeys(keys) ? [] : [invalid(definition, "idTokenDecryption", what, { fix })]
  }
  if (!isFilled(client["id_token_encrypted_response_alg"])) return []
  const what = "registers for encrypted ID tokens and has no idTokenDecryption."
  return [invalid(definition, "idTokenDecryption", what, { fix })]
}

/** Proofs need a key pair that signs. */
const proofProblems = (definition: Definition, members: Members): ReadonlyArray<ProviderProblem> => {
  if (!isFilled(members["dpop"]) || isSigningPair(members["dpop"])) return []
  const what = "has a dpop that is no key pair for signatures with an extractable public key."
  const fix = "Give it what crypto.subtle.generateKey answers, for example for ECDSA with P-256."
  return [invalid(definition, "dpop", what, { fix })]
}

const redirectProblems = (definition: Definition, members: Members): ReadonlyArray<ProviderProblem> => {
  const variable = `${variablePrefix(definition.id)}ID`
  const what = `has no clientId: set it, or ${variable}.`
  return [
    ...issuerProblems(definition, members["issuer"]),
    ...endpointProblems(definition, members),
    ...(isFilled(members["clientId"])
      ? []
      : [invalid(definition, "clientId", what, { fix: `Set clientId, or ${variable}.`, variable })]),
    ...authenticationProblems(definition, members),
    ...metadataProblems(definition, members),
    ...decryptionProblems(definition, members),
    ...proofProblems(definition, members)
  ]
}

/** The options over the preset, in the values of `Auth`. @internal */
export const membersOf = ({ options, preset, type }: Definition): Members => plainMembers(type, merge(preset, options))

/** What a provider that needs more than itself lacks: the first cause, in the order of Auth.js. */
const surroundingProblems = (
  { id, position }: Definition,
  type: "email" | "webauthn",
  surroundings: Surroundings | undefined
): ReadonlyArray<ProviderProblem> => {
  const subject = nameProvider(position, id)
  if (type === "webauthn" && surroundings?.enableWebAuthn === false) {
    return [
      new ExperimentalFeatureNotEnabled({
        detail: `${subject} is of type "webauthn", but experimental.enableWebAuthn is not set.`,
        fix: "Set experimental.enableWebAuthn to true, or remove the provider.",
        provider: id,
        field: `providers.${id}`
      })
    ]
  }
  if (surroundings?.hasAdapter === false) {
    return [
      new MissingAdapter({
        detail: `${subject}: providers of type "${type}" need an adapter, and the configuration has none.`,
        fix: "Configure an adapter, or remove the provider.",
        provider: id,
        field: `providers.${id}`
      })
    ]
  }
  return []
}

/** What the environment fills, and may have in quotation marks. */
const filledMembers = [
  ["clientId", "ID"],
  ["clientSecret", "SECRET"],
  ["issuer", "ISSUER"],
  ["apiKey", "KEY"]
] as const

const quotedMembers = ({ id }: Definition, members: Members): ReadonlyArray<InvalidConfiguration> =>
  filledMembers.flatMap(([name, suffix]) => {
    const variable = `${variablePrefix(id)}${suffix}`
    return quotedValue(members[name], { field: `providers.${id}.${name}`, provider: id, variable }) ?? []
  })

/** As {@link problems}, for a definition whose members are merged already. @internal */
export const problemsOf = (
  definition: Definition,
  members: Members,
  surroundings?: Surroundings
): ReadonlyArray<ProviderProblem> => [
  ...quotedMembers(definition, members),
  ...problemsByType(definition, members, surroundings)
]

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
        : [
            new MissingAuthorize({
              detail: `${nameProvider(definition.position, definition.id)} has no authorize function.`,
              provider: definition.id,
              field: `providers.${definition.id}.authorize`
            })
          ]
    case "email":
      return [
        ...surroundingProblems(definition, definition.type, surroundings),
        ...emailProblems(definition, members, surroundings?.hasMailer)
      ]
    case "webauthn":
      return [
        ...webAuthnProblems(definition, members),
        ...surroundingProblems(definition, definition.type, surroundings)
      ]
  }
}

/**
 * What is wrong with a provider; empty when nothing is. Without `surroundings`, nothing is said of the rest of the
 * configuration.
 *
 * @category getters
 * @since 0.1.0
 */
export const problems = (input: unknown, position = 0, surroundings?: Surroundings): ReadonlyArray<ProviderProblem> =>
  Result.match(define(input, position), {
    onFailure: (failure): ReadonlyArray<ProviderProblem> => [failure],
    onSuccess: (definition) => problemsOf(definition, membersOf(definition), surroundings)
  })
