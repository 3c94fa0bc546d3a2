import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inspect } from "node:util"
import { withPresetTools } from "../../src/Provider/internal/ProfileRequest.ts"

const token = "token-0123456789"
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
      const failure = yield* Effect.flip(withPresetTools("acme", attempt, {}).ask(request))
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
      const failure = yield* Effect.flip(
        withPresetTools("acme", attempt, {}).ask({ url: "https://api.acme.example/me" })
      )
      assert.include(["invalid_response", "provider_unavailable"], failure.code)
      assert.notInclude(told(failure), token)
    })
  }
})
