/**
 * What the rest of a configuration says about single providers: why it disables one, and which risks one takes.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { InvalidConfiguration, type UntrustedHost } from "../Errors.ts"
import { styleProblems } from "../pages/Theme.ts"
import { redactedFields } from "../Provider/internal/CredentialForm.ts"
import type { Definition } from "../Provider/internal/Definition.ts"
import { isRedirectProvider, type Provider, type RedirectProvider } from "../Provider/internal/Provider.ts"
import type { Registry } from "../Provider/internal/ReadProvider.ts"
import { namesRelyingParty } from "../Provider/internal/WebAuthnMembers.ts"
import { unlistedOrigins, unvouchedKeys, unvouchedLinks, unvouchedState } from "./HostProblems.ts"
import type { HostPolicy } from "./HostPolicy.ts"
import { advice, partial, type Problem } from "./Problem.ts"

const problemOf = (provider: string, member: string, what: string, fix?: string): InvalidConfiguration => {
  const field = `providers.${provider}.${member}`
  return new InvalidConfiguration({
    provider,
    field,
    detail: `${field} ${what}`,
    ...(fix === undefined ? undefined : { fix })
  })
}

/** Why a provider cannot work where the host of requests is not trusted. @category constructors @since 0.1.0 */
export const needsVoucher = (definition: Definition): ReadonlyArray<UntrustedHost> =>
  definition.type === "email"
    ? [unvouchedLinks(definition.id)]
    : definition.type === "webauthn" && !namesRelyingParty(definition)
      ? [unvouchedKeys(definition.id)]
      : []

/**
 * Why a provider cannot have its options for logouts: without an ID token nothing names its sessions, and sessions that are
 * tokens cannot be ended without `session.revocation`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const logoutProblems = (
  { id, options, preset, type }: Definition,
  canEnd: boolean
): ReadonlyArray<InvalidConfiguration> => {
  const isSet = (name: string): boolean => Boolean(options[name] ?? preset[name])
  if (type === "oauth")
    return ["backchannelLogout", "logout"]
      .filter(isSet)
      .map((name) =>
        problemOf(
          id,
          name,
          "needs the ID token of OpenID Connect",
          `Leave ${name} out, or use a provider of type "oidc".`
        )
      )
  if (type !== "oidc" || canEnd || !isSet("backchannelLogout")) return []
  const fix = "Set session.revocation to true, or keep sessions in a database."
  return [problemOf(id, "backchannelLogout", "cannot end sessions that are tokens", fix)]
}

/** Fields that `authorize` of a layer gets as `Redacted`: functions get plain strings. @category constructors @since 0.1.0 */
export const redactedFieldProblems = ({ id, options }: Definition): ReadonlyArray<InvalidConfiguration> =>
  [...redactedFields(options["credentials"])].map((name) =>
    problemOf(
      id,
      `credentials.${name}.redacted`,
      "is true: only Doorman.layer redacts fields, and authorize of Auth and createAuth gets strings",
      "Remove redacted from the field."
    )
  )

const enabledIn = ({ get, identities }: Registry): ReadonlyArray<Provider> =>
  identities.flatMap(({ id }) => Result.match(get(id), { onFailure: () => [], onSuccess: (provider) => [provider] }))

/** The problems of providers with a redirect proxy, which depend on how the host of this deployment is trusted. */
const proxyRisks = (
  providers: ReadonlyArray<RedirectProvider>,
  { hosts, list, production }: { readonly hosts: HostPolicy; readonly list: unknown; readonly production: boolean }
): ReadonlyArray<Problem> => {
  const users = providers.filter(({ redirectProxyUrl }) => redirectProxyUrl !== undefined)
  return users.length === 0
    ? []
    : [
        ...unlistedOrigins(hosts, list),
        ...(production && hosts.voucher === "nothing" ? users.map(({ id }) => partial(unvouchedState(id))) : [])
      ]
}

/** The provider whose addresses the application trusts: its decision, and its risk. */
const trustedAddresses = ({ allowDangerousEmailAccountLinking, id }: RedirectProvider) =>
  allowDangerousEmailAccountLinking
    ? [
        problemOf(
          id,
          "allowDangerousEmailAccountLinking",
          `is set: an attacker who can make ${id} name an address signs in as the user who has it`,
          "Set it only for providers that verify every address."
        )
      ]
    : []

/** What an authorization request can ask for and only an ID token can show. */
const shownByIdToken = ["max_age", "acr_values", "hd"]

/** What the configuration of a provider without an ID token asks for, and nothing then shows. */
const unenforcedChecks = ({ _tag, authorization: { url = "" }, authorizationParameters, id }: RedirectProvider) => {
  const inAddress = URL.canParse(url) ? [...new URL(url).searchParams] : []
  const names = [...authorizationParameters, ...inAddress]
    .filter(([name, value]) => _tag === "OAuth" && shownByIdToken.includes(name) && value !== "*")
    .map(([name]) => name)
  return [...new Set(names)].map((name) =>
    problemOf(
      id,
      "authorization",
      `asks for ${name}, which only an ID token can show: nothing is checked`,
      'Use a provider of type "oidc", or check the profile in callbacks.signIn.'
    )
  )
}

/** A credentials provider of which nothing says which field names the account. */
const undeclaredAccount = (provider: Provider) =>
  provider._tag === "Credentials" && provider.fields.length === 0
    ? [
        problemOf(
          provider.id,
          "credentials",
          "declares no field: attempts are limited by client and site, and not by account",
          'Declare the fields of the form, such as username: {} and password: { type: "password" }.'
        )
      ]
    : []

/**
 * Risks that single providers take. Reads each of them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const providerRisks = (
  registry: Registry,
  site: {
    readonly hosts: HostPolicy
    /** The option `redirectProxyOrigins`. */
    readonly list: unknown
    readonly production: boolean
    readonly hasAdapter: boolean
  }
): ReadonlyArray<Problem> => {
  const providers = enabledIn(registry)
  const redirects = providers.filter(isRedirectProvider)
  const unusableStyles = registry.identities.flatMap(({ id, style }) =>
    styleProblems(style ?? {}).map(({ field, reason }) => problemOf(id, `style.${field}`, reason))
  )
  return [
    ...proxyRisks(redirects, site),
    ...[
      ...unusableStyles,
      ...redirects.flatMap(unenforcedChecks),
      ...providers.flatMap(undeclaredAccount),
      ...(site.hasAdapter ? redirects.flatMap(trustedAddresses) : [])
    ].map(advice)
  ]
}
