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
import { matchesHost, parseSite, parseSitePattern } from "../http/Host.ts"

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
  const patterns = list.map(parseSitePattern)
  if (!patterns.every((pattern) => pattern?.protocol !== undefined)) {
    const detail = "redirectProxyOrigins must list origins such as https://preview.example.com or https://*.example.com"
    return Result.fail(new InvalidConfiguration({ field: "redirectProxyOrigins", detail }))
  }
  return Result.succeed((origin) => {
    const site = parseSite(origin)
    return (
      site?.origin === origin &&
      patterns.some((pattern) => pattern?.protocol === site.protocol && matchesHost(pattern.host, site.host))
    )
  })
}
