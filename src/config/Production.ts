/**
 * Whether this process serves the public: the one rule by which checks are strict or only warn.
 *
 * @since 0.1.0
 */
import { isLoopback } from "../internal/NetworkAddress.ts"
import { processVariable } from "./ProcessEnvironment.ts"

/** `NODE_ENV` of this process; `undefined` where it is not set, or where there are no environment variables. */
export const nodeEnv = (): string | undefined => processVariable("NODE_ENV")

/**
 * Is this production? `NODE_ENV` decides. Where it is not set, the public origin does: an origin that is not a loopback
 * address is production. Without either it is not.
 */
export const isProduction = (nodeEnv: string | undefined, site: URL | undefined): boolean =>
  nodeEnv === undefined ? site !== undefined && !isLoopback(site.hostname) : nodeEnv === "production"

/** Is the request one of the person who develops the site: on a loopback address, outside production? */
export const isDevelopment = (site: URL): boolean => isLoopback(site.hostname) && !isProduction(nodeEnv(), site)
