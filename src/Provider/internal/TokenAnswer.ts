/**
 * How presets bring the token response of a platform into the form of RFC 6749 section 5.1.
 *
 * @since 0.1.0
 */
import { readJsonObject } from "../../internal/JsonText.ts"

type Body = Readonly<Record<string, unknown>>

type Change = (body: Body, isRefresh: boolean) => Body

/**
 * A `token.conform` that makes these changes to the JSON object of a token response, whatever its status; what is no JSON object,
 * or gives a member twice, stays as it is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const changeBody =
  (...changes: ReadonlyArray<Change>) =>
  (response: Response, isRefresh = false): PromiseLike<Response> =>
    response.text().then(
      (text) => {
        const body = readJsonObject(text)
        const changed = body && changes.reduce((former, change) => change(former, isRefresh), body)
        return withBody(response, changed === undefined ? text : JSON.stringify(changed))
      },
      () => withBody(response, "")
    )

const withBody = ({ headers, status }: Response, body: string): Response =>
  new Response(body, { status, headers: { "content-type": headers.get("content-type") ?? "application/json" } })

/**
 * For platforms that leave `token_type` out of their token responses: their tokens are bearer tokens (RFC 6750).
 *
 * @category combinators
 * @since 0.1.0
 */
export const addBearer = (body: Body): Body =>
  body["access_token"] === undefined ? body : { token_type: "bearer", ...body }

/** A `token.conform` that does this alone. @category constructors @since 0.1.0 */
export const bearer = changeBody(addBearer)

/**
 * For platforms that leave `expires_in` out, and document for how many seconds a token is valid.
 *
 * @category combinators
 * @since 0.1.0
 */
export const addLifetime =
  (seconds: number): Change =>
  (body) =>
    body["access_token"] === undefined || body["expires_in"] !== undefined ? body : { ...body, expires_in: seconds }

/**
 * For platforms that leave `expires_in` out although their tokens end: a guess of the seconds for which every token is valid
 * at least. Without it a token would never be refreshed. A token of a sign-in without a refresh token gets no end: it may be valid for longer, and
 * cannot be replaced.
 *
 * @category combinators
 * @since 0.1.0
 */
export const addShortestLifetime =
  (seconds: number): Change =>
  (body, isRefresh) =>
    isRefresh || body["refresh_token"] !== undefined ? addLifetime(seconds)(body, isRefresh) : body

/**
 * For platforms that have another form than `invalid_grant` (RFC 6749 section 5.2) for a refresh token that is not good any more.
 *
 * @category combinators
 * @since 0.1.0
 */
export const nameRefusal =
  (isRefusal: (body: Body) => boolean) =>
  (body: Body): Body =>
    isRefusal(body) ? { ...body, error: "invalid_grant" } : body
