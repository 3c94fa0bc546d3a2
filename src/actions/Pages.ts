/**
 * The actions that show a notice: what went wrong, and that a mail is on its way.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { describe } from "../config/Problem.ts"
import { showsProblems } from "../config/Production.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { isPageCode, isPageError } from "../internal/PageError.ts"
import { type PageFunctions, PageRenderer } from "../Pages.ts"
import { frame } from "../pages/Frame.ts"
import { isRequestId } from "../telemetry/RequestId.ts"
import { lastFailure } from "./LastFailure.ts"
import { pageUrl, parameter } from "./PageAddress.ts"

/**
 * The functions that draw the pages.
 *
 * @category combinators
 * @since 0.1.0
 */
export const pages: Effect.Effect<PageFunctions> = Effect.flatMap(PageRenderer, (functions) => functions)

/**
 * `GET error`: what went wrong, in words.
 *
 * @category actions
 * @since 0.1.0
 */
export const error: Effect.Effect<AuthResponse.AuthResponse, never, Settings | AuthRequest> = Effect.gen(function* () {
  const request = yield* AuthRequest
  const settings = yield* Settings
  const error = parameter(request, "error", isPageError)
  const code = parameter(request, "code", isPageCode)
  // The name of the request that failed: what the person sees here, the operator finds in the log.
  const requestId = parameter(request, "request_id", isRequestId)
  if (settings.pages.error !== undefined) {
    const query: Record<string, string> = {}
    if (error !== undefined) query["error"] = error
    if (requestId !== undefined) query["request_id"] = requestId
    return AuthResponse.redirect(pageUrl(settings.pages.error, request.origin, query))
  }
  const { error: errorPage } = yield* pages
  const problems = [
    ...lastFailure(settings, request),
    ...(error === "Configuration" && showsProblems(request)
      ? settings.problems().map((problem) => describe(problem.error))
      : [])
  ]
  return AuthResponse.page(errorPage(frame(settings, request.url), { error, code, requestId, problems }))
})

/**
 * `GET verify-request`: a mail is on its way.
 *
 * @category actions
 * @since 0.1.0
 */
export const verifyRequest: Effect.Effect<AuthResponse.AuthResponse, never, Settings | AuthRequest> = Effect.gen(
  function* () {
    const request = yield* AuthRequest
    const settings = yield* Settings
    if (settings.pages.verifyRequest !== undefined) {
      return AuthResponse.redirect(
        pageUrl(settings.pages.verifyRequest, request.origin, Object.fromEntries(request.url.searchParams))
      )
    }
    const { verifyRequest } = yield* pages
    return AuthResponse.page(verifyRequest(frame(settings, request.url)))
  }
)
