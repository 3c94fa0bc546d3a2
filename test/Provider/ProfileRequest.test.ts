import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inspect } from "node:util"
import type { OAuthCallbackError } from "../../src/Errors.ts"
import { fromAnswer } from "../../src/internal/Answer.ts"
import { type ProfileRequest, withPresetTools } from "../../src/Provider/internal/ProfileRequest.ts"

const token = "token-0123456789"
/** The failure of `ask`, as the caller of a preset gets it. */
const failureOf = (attempt: Parameters<typeof withPresetTools>[1], request: ProfileRequest) =>
  Effect.map(
    Effect.flip(fromAnswer("ask", () => withPresetTools("acme", attempt, {}).ask(request))),
    (failure) => failure as OAuthCallbackError
  )
const request = { url: `https://api.acme.example/me?access_token=${token}` }

/** Everything that a failure says, to whoever prints it or follows its causes. */
const told = (failure: Error): string => {
  const { cause } = failure
  return `${inspect(failure, { depth: 8, showHidden: true })} ${cause instanceof Error ? told(cause) : inspect(cause)}`
}

describe("a request of a preset", () => {
  for (const text of [token, `{"access_token": x${token}"}`, `["${token}",]`]) {
    it.gen(`repeats nothing of an answer that is no JSON (${text})`, function* () {
      const attempt = { tokens: {}, fetch: () => Promise.resolve(new Response(text)) }
      const failure = yield* failureOf(attempt, request)
      assert.deepInclude(failure, { _tag: "OAuthCallbackError", code: "invalid_response", provider: "acme" })
      assert.notInclude(told(failure), token.slice(0, 8))
    })
  }

  for (const end of ["\n", "\u0000", "é", "鍵", "\ud800"]) {
    it.gen(`does not repeat an access token that cannot be sent (${JSON.stringify(end)})`, function* () {
      // As the fetch of a sign-in attempt, which makes a request first.
      const fetch: typeof globalThis.fetch = (input, init) => {
        const { url } = new Request(input, init)
        return Promise.reject(new TypeError(url.slice(0, 5)))
      }
      const attempt = { tokens: { access_token: `${token} ${end}${token}` }, fetch }
      const failure = yield* failureOf(attempt, { url: "https://api.acme.example/me" })
      assert.include(["invalid_response", "provider_unavailable"], failure.code)
      assert.notInclude(told(failure), token)
    })
  }
})
