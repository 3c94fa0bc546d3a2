/**
 * Whether this process serves the public: the one rule by which checks are strict or only warn.
 *
 * The operator says it: by `NODE_ENV`, else by the public origin. Where neither is set, a process serves the public from the
 * first request on that names a host other than a loopback address.
 *
 * @since 0.1.0
 */
import { namesThisMachine } from "../http/NamedHosts.ts"
import { isLoopback } from "../http/NetworkAddress.ts"
import type { RequestHeaders } from "../http/RequestHeaders.ts"
import { processVariable } from "./ProcessEnvironment.ts"

/** `NODE_ENV` of this process; `undefined` where it is not set, or where there are no environment variables. */
const nodeEnv = (): string | undefined => processVariable("NODE_ENV")

type Stage = "production" | "development"

/** What the values of `NODE_ENV` mean, without case and white space around them. Any other value leaves it open. */
const stages: ReadonlyMap<string, Stage> = new Map([
  ["production", "production"],
  ["prod", "production"],
  ["development", "development"],
  ["dev", "development"],
  ["test", "development"],
  ["local", "development"]
])

/**
 * What the operator says: `NODE_ENV`, else the public origin, which is production unless it is a loopback address.
 * `undefined` where neither says anything.
 */
export const stageOf = (site: URL | undefined): Stage | undefined => {
  const stage = stages.get((nodeEnv() ?? "").trim().toLowerCase())
  if (stage !== undefined || site === undefined) return stage
  return isLoopback(site.hostname) ? "development" : "production"
}

/**
 * May a page tell this visitor what is wrong? On a loopback address, unless `NODE_ENV` says production, or the request came through
 * a proxy for another machine. It only informs: a client that sends the host `localhost` reads names of options and why its own
 * request failed, and nothing opens.
 */
export const showsProblems = ({ headers, url }: { readonly headers: RequestHeaders; readonly url: URL }): boolean =>
  isLoopback(url.hostname) && stageOf(undefined) !== "production" && namesThisMachine(headers)
