/**
 * What a configuration takes from environment variables, and the public address of an action.
 *
 * Both functions are pure but for `config`, which `setEnvDefaults` completes in place: that is their contract with framework
 * packages. No variable is read here; `env` is given. Nothing of Effect is imported, so that configuring costs no start-up.
 *
 * Empty variables count as absent, except that an empty `AUTH_TRUST_HOST` means no.
 *
 * @since 0.1.0
 */
import type { AuthAction } from "../http/AuthAction.ts"
import { hostPolicy, type HostOptions, parseOrigin, publicUrlOf } from "./HostPolicy.ts"
import { line } from "../internal/ConsoleLine.ts"
import { isYes } from "./Flag.ts"
import { parseHost, parseSite } from "../http/Host.ts"
import { derivedTrust, isFromOptions, routedByHost } from "../internal/Markers.ts"
import { variablePrefix } from "../internal/ProviderVariables.ts"
import { basePathMismatch, type WarningText, warningText, warningTexts } from "../internal/WarningTexts.ts"

/**
 * Environment variables: a record such as `process.env`; values that are no texts count as absent.
 *
 * @category models
 * @since 0.1.0
 */
export type Environment = Readonly<Record<string, unknown>>

/**
 * The warnings that can arise here.
 *
 * @category models
 * @since 0.1.0
 */
export type Warning = "env-url-basepath-redundant" | "env-url-basepath-mismatch"

/**
 * Receives the warnings of reading the environment.
 *
 * @category models
 * @since 0.1.0
 */
export interface WarningSink {
  readonly warn?: ((code: Warning, text?: string) => void) | undefined
}

/**
 * The part of a configuration that {@link setEnvDefaults} completes.
 *
 * @category models
 * @since 0.1.0
 */
export interface EnvironmentConfig {
  providers?: ReadonlyArray<unknown> | undefined
  basePath?: string | undefined
  secret?: string | ReadonlyArray<string> | undefined
  origin?: string | undefined
  trustedHosts?: ReadonlyArray<string> | undefined
  trustedProxies?: ReadonlyArray<string> | undefined
  trustHost?: boolean | undefined
  redirectProxyUrl?: string | undefined
  logger?: WarningSink | undefined
}

const read = (env: Environment, name: string): string | undefined => {
  const value = env[name]
  return typeof value === "string" && value !== "" ? value : undefined
}

const siteOf = (env: Environment): URL | undefined => parseSite(read(env, "AUTH_URL") ?? "")

const withoutTrailingSlashes = (path: string): string => {
  let end = path.length
  while (end > 1 && path.charAt(end - 1) === "/") end--
  return path.slice(0, end)
}

/** Does the platform route requests by their host? */
const isRouted = (env: Environment): boolean => isYes(read(env, "VERCEL") ?? read(env, "CF_PAGES"))

/** Does a variable say that the host of requests is trusted? `AUTH_URL` names a host, and trusts no other. */
const trusts = (env: Environment): boolean | undefined => {
  const explicit = env["AUTH_TRUST_HOST"]
  return typeof explicit === "boolean" || typeof explicit === "string" ? isYes(explicit) : isRouted(env) || undefined
}

/** The newest secret first: a higher number is newer, and every numbered one is newer than `AUTH_SECRET`. */
const secrets = (env: Environment): ReadonlyArray<string> =>
  ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"].flatMap((name) => read(env, name) ?? [])

// Which option a variable fills: `AUTH_<ID>_ID`, and so on.
const optionOf = {
  clientId: "ID",
  clientSecret: "SECRET",
  issuer: "ISSUER",
  apiKey: "KEY",
  authUrl: "AUTH_URL",
  apiUrl: "API_URL"
} as const
type Filled = keyof typeof optionOf
const filledOptions: ReadonlyArray<Filled> = ["clientId", "clientSecret", "issuer", "apiKey", "authUrl", "apiUrl"]

type Values = { readonly [Option in Filled]?: string }

/** The values of a provider: by its own id, else by the id of its preset. */
const valuesOf = (env: Environment, ids: ReadonlyArray<unknown>): Values => {
  const values: { [Option in Filled]?: string } = {}
  for (const id of ids) {
    if (typeof id !== "string") continue
    for (const option of filledOptions) {
      const value = read(env, `${variablePrefix(id)}${optionOf[option]}`)
      if (value !== undefined) values[option] ??= value
    }
  }
  return values
}

type Members = Readonly<Record<PropertyKey, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("then" in value)

const optionsOf = (provider: Members): Members | undefined => {
  const options = provider["options"]
  return isMembers(options) ? options : undefined
}

const idsOf = (provider: Members): ReadonlyArray<unknown> => [optionsOf(provider)?.["id"], provider["id"]]

const definedOnly = (values: Values, names: ReadonlyArray<Filled>): Values =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))

const credentialsOf: { readonly [type: string]: ReadonlyArray<Filled> } = {
  oauth: ["clientId", "clientSecret", "issuer"],
  oidc: ["clientId", "clientSecret", "issuer"],
  email: ["apiKey"]
}

/** The provider with what it lacks, or the very same one when it lacks nothing. */
const fillCredentials = (provider: Members, env: Environment): Members => {
  const names = credentialsOf[String(provider["type"])] ?? []
  if (names.length === 0) return provider
  const values = valuesOf(env, idsOf(provider))
  const options = optionsOf(provider)
  const additions: Record<string, unknown> = {}
  for (const name of names) {
    const value = values[name]
    if (value === undefined || (options !== undefined && isFilled(options[name]))) continue
    // What a preset has beside its options is a default: the environment knows better. What an application wrote stays.
    const isDefault = name !== "clientId" && name !== "clientSecret" && options !== undefined
    if (isFilled(provider[name]) && !(isDefault && provider[name] !== value)) continue
    additions[name] = value
  }
  const addresses = computesMembers(provider)
    ? definedOnly(
        values,
        ["authUrl", "apiUrl", ...(provider["type"] === "email" ? [] : ["apiKey"])].filter(
          (name): name is Filled => !isFilled(options?.[name])
        )
      )
    : {}
  const hasAddresses = Object.keys(addresses).length > 0
  if (Object.keys(additions).length === 0 && !hasAddresses) return provider
  return { ...provider, ...additions, ...(hasAddresses ? { options: { ...options, ...addresses } } : undefined) }
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

const computesMembers = (provider: Members): boolean => Object.getOwnPropertySymbols(provider).some(isFromOptions)

/**
 * Calls a factory. It is asked without values first, for its id; one that looked at a value of the environment meanwhile,
 * and there is one for its id, is asked again with the values.
 */
const fromFactory = (factory: (options: Members) => unknown, env: Environment): unknown => {
  const variables = new Set<Filled>()
  const options: Record<string, unknown> = {}
  for (const name of filledOptions) {
    Object.defineProperty(options, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        variables.add(name)
        return undefined
      },
      set: (value: unknown) => {
        Object.defineProperty(options, name, { configurable: true, enumerable: true, writable: true, value })
      }
    })
  }
  const provider = factory(options)
  if (!isMembers(provider)) return provider
  const values = valuesOf(env, idsOf(provider))
  const isPartial = [...variables].some((name) => values[name] !== undefined)
  const again = isPartial ? factory(definedOnly(values, filledOptions)) : undefined
  const complete = isMembers(again) ? again : provider
  // The options that were only there to be watched are replaced by what was written to them.
  const ownCopy = optionsOf(complete) === options ? { ...complete, options: { ...options } } : complete
  return fillCredentials(ownCopy, env)
}

/** An error that a factory throws is a problem of one provider. It is reported when the configuration is compiled. */
const callFactory = (factory: (options: Members) => unknown, env: Environment): unknown => {
  try {
    return fromFactory(factory, env)
  } catch {
    return factory
  }
}

const isFactory = (input: unknown): input is (options: Members) => unknown => typeof input === "function"

const completeProvider = (input: unknown, env: Environment): unknown =>
  isFactory(input) ? callFactory(input, env) : isMembers(input) ? fillCredentials(input, env) : input

const completedAll = (inputs: ReadonlyArray<unknown>, env: Environment): ReadonlyArray<unknown> => {
  const outputs = inputs.map((input) => completeProvider(input, env))
  return outputs.every((output, position) => output === inputs[position]) ? inputs : outputs
}

/** Configurations whose `basePath` came from here: it is not redundant to what it came from. */
const derivations = new WeakMap<object, string>()

/** The `AUTH_URL` that a configuration was completed with. */
const addresses = new WeakMap<object, string>()

/** The `AUTH_URL` that a configuration was completed with, as it was written. @internal */
export const authUrlOf = (config: object): string | undefined => addresses.get(config)

/** A changed copy of a configuration, which was completed with the same `AUTH_URL`. @internal */
export const withChanges = <Config extends object>(config: Config, changes: Partial<Config>): Config => {
  const copy = { ...config, ...changes }
  const address = addresses.get(config)
  if (address !== undefined) addresses.set(copy, address)
  return copy
}

/**
 * Completes `config` from environment variables: `origin` and `basePath` (from `AUTH_URL`; else the path is `/auth`),
 * `secret`, `redirectProxyUrl`, `trustHost` (`true` where the host is known, trusted, or `NODE_ENV` is not production) and, for each provider, `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY`. What the application set stays;
 * `AUTH_<ID>_ISSUER` wins over the default issuer of a preset. Calling it again changes nothing.
 *
 * A factory that throws stays in the list as it is.
 *
 * @category environment
 * @since 0.1.0
 */
export const setEnvDefaults = (env: Environment, config: EnvironmentConfig, suppressBasePathWarning = false): void => {
  const address = read(env, "AUTH_URL")
  if (address !== undefined) addresses.set(config, address)
  const url = siteOf(env)
  if (url !== undefined) {
    config.origin ??= url.origin
    if (!config.basePath) {
      config.basePath = withoutTrailingSlashes(url.pathname)
      derivations.set(config, config.basePath)
    } else if (!suppressBasePathWarning && derivations.get(config) !== config.basePath) {
      warnOfBasePath(config, url)
    }
  }
  config.basePath ??= "/auth"

  if (config.secret === undefined || config.secret.length === 0) {
    const secret = secrets(env)
    if (secret.length > 0 || !Array.isArray(config.secret)) config.secret = [...secret]
  }
  const proxy = read(env, "AUTH_REDIRECT_PROXY_URL")
  if (proxy !== undefined) config.redirectProxyUrl ??= proxy
  config.trustHost ??= trusts(env) ?? deriveTrust(env, config)
  if (isRouted(env)) Reflect.set(config, routedByHost, true)
  if (Array.isArray(config.providers)) config.providers = completedAll(config.providers, env)
}

/** The value that Auth.js would set where no variable speaks of trust. `HostPolicy.ts` knows by the marker that nothing vouches. */
const deriveTrust = (env: Environment, config: EnvironmentConfig): boolean => {
  const trust = siteOf(env) !== undefined || read(env, "NODE_ENV") !== "production"
  Reflect.set(config, derivedTrust, trust)
  return trust
}

const untrustedHost = (): Error =>
  Object.assign(new Error("The request names no host: set AUTH_URL, or pass the header host."), {
    type: "UntrustedHost"
  })

const invalidUrl = (): Error =>
  Object.assign(new Error("AUTH_URL is not an http(s) URL."), { type: "InvalidConfiguration" })

/** The members of a list header (RFC 9110 section 5.6.1), the nearest client first. */
const listOf = (value: string | null): ReadonlyArray<string> =>
  value === null
    ? []
    : value
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "")

const protocolOf = (protocol: string, headers: Headers): "http" | "https" => {
  const protocolName = [...listOf(headers.get("x-forwarded-proto")), protocol].find((name) => /^https?:?$/i.test(name))
  return protocolName !== undefined && /^http:?$/i.test(protocolName) ? "http" : "https"
}

/** The origin that headers name: the first host that they may name. */
const requestOrigin = (protocol: string, headers: Headers, config: HostOptions): string | undefined => {
  const policy = hostPolicy(config)
  for (const name of [...listOf(headers.get("x-forwarded-host")), ...listOf(headers.get("host"))]) {
    const url = publicUrlOf(policy, { host: parseHost(name), path: "/", protocol: protocolOf(protocol, headers) })
    if (url !== undefined) return url.origin
  }
  return undefined
}

const segmentsOf = (path: string): string => path.replace(/^\/+|\/+$/g, "")

/**
 * The public URL of an action: below the `origin` of the configuration, else below `AUTH_URL` (or `NEXTAUTH_URL`) when that is
 * set, else below the host that the headers name and `trustedHosts` allows. `basePath` wins over the path of the variable; it may be given in place of the configuration. Throws an error of
 * `type` `"UntrustedHost"` when nothing names a host.
 *
 * @category environment
 * @since 0.1.0
 */
export const createActionURL = (
  action: AuthAction,
  protocol: string,
  headers: Headers,
  env: Environment,
  given: (Pick<EnvironmentConfig, "basePath" | "logger"> & HostOptions) | string | undefined
): URL => {
  // Clients of earlier versions pass the base path alone.
  const config: Exclude<typeof given, string | undefined> =
    typeof given === "object" && given !== null ? given : { basePath: given }
  const authUrl = read(env, "AUTH_URL") ?? read(env, "NEXTAUTH_URL")
  const site = authUrl === undefined ? undefined : parseSite(authUrl)
  if (authUrl !== undefined && site === undefined) throw invalidUrl()
  const origin = parseOrigin(config.origin) ?? site?.origin ?? requestOrigin(protocol, headers, config)
  if (origin === undefined) throw untrustedHost()

  const base = segmentsOf(config.basePath ?? "")
  if (site !== undefined && base !== "" && isOtherPath(site, base)) warnOfBasePath(config, site)
  const path = base !== "" ? base : segmentsOf(site?.pathname ?? "")
  return new URL(`${origin}/${path === "" ? "" : `${path}/`}${action}`)
}

/** Both name a path: two that differ, or one twice. */
const warnOfBasePath = ({ basePath = "", logger }: Pick<EnvironmentConfig, "basePath" | "logger">, url: URL): void =>
  isOtherPath(url, basePath)
    ? warn(logger, "env-url-basepath-mismatch", basePathMismatch(url.pathname, basePath))
    : warn(logger, "env-url-basepath-redundant", warningTexts["env-url-basepath-redundant"])

/** Does `AUTH_URL` have a path, and another one than `basePath`? @internal */
export const isOtherPath = ({ pathname }: URL, basePath: string): boolean =>
  segmentsOf(pathname) !== "" && segmentsOf(pathname) !== segmentsOf(basePath)

/** To the logger of the configuration, or to the console. */
const warn = (logger: WarningSink | undefined, code: Warning, text: WarningText): void => {
  if (logger?.warn === undefined) line("warn", `[${code}] ${warningText(text)}`)
  else logger.warn(code, warningText(text))
}
