/**
 * How presets bring the token response of a platform into the form of RFC 6749 section 5.1.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { readJsonObject } from "../../internal/JsonText.ts"

type Body = Readonly<Record<string, unknown>>

/**
 * A `token.conform` that changes the JSON object of a token response, whatever its status; what is no JSON object, or
 * gives a member twice, stays as it is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const changeBody =
  (change: (body: Body, status: number) => Body) =>
  (response: Response): Effect.Effect<Response> =>
    Effect.map(
      Effect.orElseSucceed(
        Effect.tryPromise(() => response.text()),
        () => ""
      ),
      (text) => {
        const body = readJsonObject(text)
        return new Response(body === undefined ? text : JSON.stringify(change(body, response.status)), {
          status: response.status,
          headers: { "content-type": response.headers.get("content-type") ?? "application/json" }
        })
      }
    )

/**
 * For platforms that leave `token_type` out of their token responses: their tokens are bearer tokens (RFC 6750).
 *
 * @category constructors
 * @since 0.1.0
 */
export const bearer = changeBody((body) =>
  body["access_token"] === undefined ? body : { token_type: "bearer", ...body }
)
