/**
 * The deployments that a redirect proxy forwards answers to.
 *
 * A sealed state says which deployment asked. That it was sealed with the shared secret is the first condition; a list of
 * origins is the second, for when a deployment with the secret could be reached under a name that is not its own.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../Errors.ts"

/**
 * Says whether answers may be forwarded to an origin.
 *
 * @category models
 * @since 0.1.0
 */
export type ProxiedOrigins = (origin: string) => boolean

const everywhere: ProxiedOrigins = () => true

/**
 * Reads the list: origins such as `https://preview.example.com`, or `https://*.example.com`, where `*` is one label.
 * Without a list every deployment with the secret counts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const proxiedOrigins = (
  list: ReadonlyArray<string> | undefined
): Result.Result<ProxiedOrigins, InvalidConfiguration> => {
  if (list === undefined) return Result.succeed(everywhere)
  if (!list.every(isPattern)) {
    const detail = "redirectProxyOrigins must list origins such as https://preview.example.com or https://*.example.com"
    return Result.fail(new InvalidConfiguration({ field: "redirectProxyOrigins", detail }))
  }
  return Result.succeed((origin) => list.some((pattern) => matches(pattern, origin)))
}

/** An origin as URL parsers write it, perhaps with `*` in the place of its first label. */
const isPattern = (pattern: string): boolean => {
  const example = pattern.replace(/^(https?:\/\/)\*\./, "$1label.")
  return (
    !example.includes("*") &&
    URL.canParse(example) &&
    /^https?:\/\//.test(example) &&
    new URL(example).origin === example
  )
}

const matches = (pattern: string, origin: string): boolean => {
  const [scheme = "", rest] = pattern.split("*")
  if (rest === undefined) return origin === pattern
  if (!origin.startsWith(scheme) || !origin.endsWith(rest)) return false
  return /^[a-z0-9-]+$/.test(origin.slice(scheme.length, origin.length - rest.length))
}
