/**
 * Writes failures to the log, each at the level of the party that is responsible for it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { AuthRequest } from "../http/AuthRequest.ts"
import type { RequestHeaders } from "../http/RequestHeaders.ts"
import { type AuthError, isAuthError, membersOf, UnexpectedError } from "../Errors.ts"
import { levelOf } from "../internal/FailureFacts.ts"
import { keptOf, repeats, withoutValues } from "../internal/SanitizedError.ts"
import { logWithinLimit } from "./LogLimit.ts"
import { requestId } from "./RequestId.ts"

/**
 * Writes a failure to the log once. What the operator or a provider does wrong is an error. What a visitor does wrong is
 * information, and limited in rate (`LogLimit.ts`). Application code may repeat a password or a token in what it throws:
 * secrets of the request are removed by their values.
 *
 * @category combinators
 * @since 0.1.0
 */
export const report = (failure: AuthError): Effect.Effect<void> =>
  levelOf(failure) === "Error" ? write(failure, "Error") : logWithinLimit(failure._tag, write(failure, "Info"))

const write = (failure: AuthError, level: "Error" | "Info"): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const request = Option.getOrUndefined(Context.getOption(fiber.context, AuthRequest))
    return Effect.logWithLevel(level)(request === undefined ? failure : withoutRequest(failure, request))
  })

/** The failure without secrets of its request. What is wrong with a configuration was found before a request came. */
export const withoutRequest = (failure: AuthError, request: AuthRequest["Service"]): AuthError =>
  failure._tag === "InvalidConfiguration" ? failure : withoutSecrets(failure, secretsOf(request))

/**
 * Reports under the id of the request, and returns the id.
 *
 * @category combinators
 * @since 0.1.0
 */
export const reportUnderId = (failure: AuthError, headers: RequestHeaders): Effect.Effect<string> =>
  Effect.flatMap(requestId(headers), (id) => Effect.as(Effect.annotateLogs(report(failure), "requestId", id), id))

/** The failure as it is when it says nothing secret, which is nearly always; else a copy. */
const withoutSecrets = (failure: AuthError, secrets: ReadonlyArray<string>): AuthError => {
  if (secrets.length === 0 || !repeats(failure, secrets)) return failure
  const { cause, code, detail } = failure
  const fields = {
    ...membersOf(failure),
    ...(detail === undefined ? {} : { detail: withoutValues(detail, secrets) }),
    ...(code === undefined ? {} : { code: withoutValues(code, secrets) }),
    ...(cause === undefined ? {} : { cause: keptOf(cause, secrets) })
  }
  const copy: unknown = Result.getOrUndefined(
    Result.try((): unknown => Reflect.construct(failure.constructor, [fields]))
  )
  return isAuthError(copy) && !repeats(copy, secrets)
    ? copy
    : new UnexpectedError({ detail: `${failure._tag}: the message repeated a secret of the request` })
}

/** Values that identify a person or a page, and prove nothing. */
const visibleFields: ReadonlySet<string> = new Set([
  "action",
  "callbackUrl",
  "email",
  "error",
  "error_description",
  "iss",
  "name",
  "provider",
  "redirect",
  "scope",
  "type",
  "user",
  "username"
])

/** The secrets of the request: passwords, codes, tokens, cookies, credentials. */
const secretsOf = ({ body, cookies, headers, url }: AuthRequest["Service"]): ReadonlyArray<string> => {
  const authorization = headers.get("authorization") ?? ""
  const fields = [...Object.entries(body ?? {}), ...url.searchParams]
  return [
    ...fields.flatMap(([name, value]) => (typeof value === "string" && !visibleFields.has(name) ? [value] : [])),
    ...cookies.values.values(),
    ...[...(cookies.conflicts?.values() ?? [])].flat(),
    authorization.slice(authorization.indexOf(" ") + 1)
  ]
    .map(withoutOrigin)
    .filter((value) => value.length > 3)
}

/** The origin of a site, with which the cookie of the callback URL begins, is in many messages and no secret. */
const withoutOrigin = (value: string): string => {
  const origin = URL.canParse(value) ? new URL(value).origin : "null"
  return value.startsWith(origin) ? value.slice(origin.length) : value
}
