/**
 * The last failure of each configuration, for the page that a developer is sent to. The page names the request that failed. A proxy on
 * this machine makes all visitors look like the developer, so a visitor who does not know that name sees nothing.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { showsProblems } from "../config/Production.ts"
import type { Settings } from "../config/Settings.ts"
import type { AuthError } from "../Errors.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import { describe } from "../internal/FailureText.ts"
import { withoutRequest } from "../telemetry/Report.ts"
import { isRequestId } from "../telemetry/RequestId.ts"
import { parameter } from "./PageAddress.ts"

type Here = Settings["Service"]

const failures = new WeakMap<Here, { readonly id: string; readonly lines: ReadonlyArray<string> }>()

/** The name of a failure that a browser may read in a URL. */
export const publicName = (failure: AuthError): string => (failure.isClientSafe ? failure.type : "Configuration")

/** Keeps what the log says about the failure of the request `id`, on the machine of the developer. */
export const keepFailure = (
  settings: Here,
  failure: AuthError,
  request: AuthRequest["Service"],
  id: string
): Effect.Effect<void> =>
  showsProblems(request)
    ? Effect.sync(() => void failures.set(settings, { id, lines: describe(withoutRequest(failure, request)) }))
    : Effect.void

/** The page's text for the developer whose request failed; empty for other visitors. */
export const lastFailure = (settings: Here, request: AuthRequest["Service"]): ReadonlyArray<string> => {
  const last = showsProblems(request) ? failures.get(settings) : undefined
  return last !== undefined && last.id === parameter(request, "request_id", isRequestId) ? last.lines : []
}
