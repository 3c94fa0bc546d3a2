/**
 * The last failure of each configuration, for the page that a developer is sent to. Other visitors never see it.
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

type Here = Settings["Service"]

const failures = new WeakMap<Here, { readonly error: string; readonly lines: ReadonlyArray<string> }>()

/** The name of a failure that a browser may read in a URL. */
export const publicName = (failure: AuthError): string => (failure.isClientSafe ? failure.type : "Configuration")

/** Keeps what the log says about a failure, on the machine of the developer. */
export const keepFailure = (settings: Here, failure: AuthError, request: AuthRequest["Service"]): Effect.Effect<void> =>
  showsProblems(request.url)
    ? Effect.sync(() => {
        const lines = describe(withoutRequest(failure, request))
        failures.set(settings, { error: publicName(failure), lines })
      })
    : Effect.void

/** What the page of an error shows to the developer; nothing for other visitors. */
export const lastFailure = (settings: Here, error: string | undefined, url: URL): ReadonlyArray<string> => {
  const last = error !== undefined && showsProblems(url) ? failures.get(settings) : undefined
  return last?.error === error ? (last?.lines ?? []) : []
}
