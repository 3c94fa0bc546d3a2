import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inspect } from "node:util"
import { askForList, askForObject } from "../../src/Provider/internal/ProfileRequest.ts"

const token = "token-0123456789"
const request = { provider: "acme", url: `https://api.acme.example/me?access_token=${token}` }

/** Everything that a failure says, to whoever prints it or follows its causes. */
const told = (failure: Error): string => {
  const { cause } = failure
  return `${inspect(failure, { depth: 8, showHidden: true })} ${cause instanceof Error ? told(cause) : inspect(cause)}`
}

describe("a request of a preset", () => {
  for (const text of [token, `{"access_token": x${token}"}`, `["${token}",]`]) {
    it.gen(`repeats nothing of an answer that is no JSON (${text})`, function* () {
      const attempt = { tokens: {}, fetch: () => Promise.resolve(new Response(text)) }
      for (const asked of [
        Effect.asVoid(askForObject(attempt, request)),
        Effect.asVoid(askForList(attempt, request))
      ]) {
        const failure = yield* Effect.flip(asked)
        assert.strictEqual(failure.code, "invalid_response")
        assert.notInclude(told(failure), token.slice(0, 8))
      }
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
      const failure = yield* Effect.flip(askForObject(attempt, { ...request, url: "https://api.acme.example/me" }))
      assert.include(["invalid_response", "provider_unavailable"], failure.code)
      assert.notInclude(told(failure), token)
    })
  }
})
