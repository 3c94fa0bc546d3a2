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
  MissingAuthorize,
  type MissingWebAuthnAutocomplete
} from "../Errors.ts"
import { called, define, type Definition } from "./Definition.ts"
import { emailProblems } from "./EmailMembers.ts"
import { isMembers, merge, type Members } from "./Merge.ts"
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
  | MissingAuthorize
  | MissingWebAuthnAutocomplete

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

const methods: ReadonlySet<unknown> = new Set([
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
  "none"
])

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** The address of an endpoint, as given. @internal */
export const addressOf = (endpoint: unknown): unknown =>
  isMembers(endpoint) && !(endpoint instanceof URL) ? endpoint["url"] : endpoint

const performsItself = (endpoint: unknown): boolean => isMembers(endpoint) && typeof endpoint["request"] === "function"

const endpointProblems = (subject: string, id: string, members: Members): Array<ProviderProblem> => {
  const problems: Array<ProviderProblem> = []
  const issuer = members["issuer"]
  for (const name of ["authorization", "token", "userinfo"] as const) {
    const endpoint = members[name]
    const address = addressOf(endpoint)
    if (isPlainAddress(address)) continue
    if (isFilled(address)) {
      const url = webAddress(address)
      if (url === undefined || url.hash !== "") {
        problems.push(
          new InvalidEndpoints({
            detail: `${subject}: the ${name} endpoint is no http(s) URL without fragment and user information.`,
            provider: id,
            field: `providers.${id}`
          })
        )
      }
    } else if (!isFilled(issuer) && !(name !== "authorization" && performsItself(endpoint))) {
      problems.push(
        new InvalidEndpoints({
          detail: `${subject} has neither an issuer nor a URL of the ${name} endpoint.`,
          provider: id,
          field: `providers.${id}`
        })
      )
    }
  }
  return problems
}

const redirectProblems = (definition: Definition, members: Members): ReadonlyArray<ProviderProblem> => {
  const { id } = definition
  const subject = called(definition.position, id)
  const invalid = (what: string) =>
    new InvalidConfiguration({ detail: `${subject} ${what}`, provider: id, field: `providers.${id}` })
  const problems: Array<ProviderProblem> = []
  const client = isMembers(members["client"]) ? members["client"] : {}
  const method = client["token_endpoint_auth_method"] ?? "client_secret_basic"
  const issuer = members["issuer"]

  if (isFilled(issuer) && !isPlainAddress(issuer)) {
    const url = webAddress(issuer)
    if (url === undefined || url.search !== "" || url.hash !== "" || /[?#]/.test(String(issuer))) {
      problems.push(invalid("needs an issuer that is an http(s) URL without query and fragment (RFC 8414 section 2)."))
    }
  }
  problems.push(...endpointProblems(subject, id, members))
  if (!isFilled(members["clientId"])) {
    problems.push(invalid(`has no clientId: set it, or ${variableName(id)}_ID.`))
  }
  if (!methods.has(method)) {
    problems.push(invalid("has a client.token_endpoint_auth_method that is not supported."))
  } else if (method === "private_key_jwt") {
    const token = members["token"]
    if (!(isMembers(token) && isFilled(token["clientPrivateKey"]))) {
      problems.push(invalid("authenticates with private_key_jwt and has no token.clientPrivateKey."))
    }
  } else if (method !== "none" && !isFilled(members["clientSecret"])) {
    problems.push(
      invalid(
        `has no clientSecret: set it, or ${variableName(id)}_SECRET, or client.token_endpoint_auth_method to "none".`
      )
    )
  }
  const proxy = members["redirectProxyUrl"]
  if (isFilled(proxy) && webAddress(proxy) === undefined)
    problems.push(invalid("has a redirectProxyUrl that is no http(s) URL."))
  return problems
}

/** What the names of the environment variables of a provider begin with. @internal */
export const variableName = (id: string): string => `AUTH_${id.toUpperCase().replaceAll("-", "_")}`

/** The options over the preset. @internal */
export const membersOf = (definition: Definition): Members => merge(definition.preset, definition.options)

/** What a provider that needs more than itself lacks: the first cause, in the order of Auth.js. */
const surroundingProblems = (
  { id, position }: Definition,
  type: "email" | "webauthn",
  surroundings: Surroundings | undefined
): ReadonlyArray<ProviderProblem> => {
  const subject = called(position, id)
  if (type === "webauthn" && surroundings?.enableWebAuthn === false) {
    return [
      new ExperimentalFeatureNotEnabled({
        detail: `${subject} is of type "webauthn", but experimental.enableWebAuthn is not set.`,
        provider: id,
        field: `providers.${id}`
      })
    ]
  }
  if (surroundings?.hasAdapter === false) {
    return [
      new MissingAdapter({
        detail: `${subject}: providers of type "${type}" need an adapter, and there is none.`,
        provider: id,
        field: `providers.${id}`
      })
    ]
  }
  return []
}

/** As {@link problems}, for a definition whose members are merged already. @internal */
export const problemsOf = (
  definition: Definition,
  members: Members,
  surroundings?: Surroundings
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
              detail: `${called(definition.position, definition.id)} has no authorize function.`,
              provider: definition.id,
              field: `providers.${definition.id}`
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
