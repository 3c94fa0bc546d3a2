/** Which requests without a session are sent to the sign-in page, and what leads back. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { signInRedirect } from "../../src/access/SignInRedirect.ts"
import type { Services } from "../../src/composition/Services.ts"
import type { Doorman } from "../../src/Doorman.ts"
import { layer, options, site } from "../Visitor.ts"

const html = { accept: "text/html,*/*" }

const redirectOf = (
  path: string,
  init: RequestInit = { headers: html },
  parameters?: Readonly<Record<string, string>>
) =>
  Effect.gen(function* () {
    const doorman = { servicesHere: Effect.succeed(yield* Effect.context<Services>()) } as unknown as Doorman["Service"]
    return yield* signInRedirect(doorman, HttpServerRequest.fromWeb(new Request(`${site}${path}`, init)), parameters)
  })

const within = (pages: { readonly signIn?: string } = {}) => Effect.provide(layer(options({ pages })))

describe("a request without a session", () => {
  it.gen("is sent to the sign-in page where a browser opens a page, and to no other", within(), function* () {
    for (const [method, headers, isSent] of [
      ["GET", html, true],
      ["HEAD", html, true],
      ["POST", html, false],
      ["GET", { accept: "application/json" }, false],
      ["GET", {}, false]
    ] as const) {
      const answer = yield* redirectOf("/a", { method, headers })
      assert.strictEqual(answer !== undefined, isSent, `${method} ${JSON.stringify(headers)}`)
    }
  })

  it.gen("comes back to its own URL, and an attacker's path is no address of another site", within(), function* () {
    for (const [path, callbackUrl] of [
      ["/a?b=c", "/a?b=c"],
      ["/a//", "/a//"],
      ["//evil.example/a", `${site}//evil.example/a`]
    ] as const) {
      const { headers, status } = (yield* redirectOf(path, undefined, { prompt: "login" })) ?? assert.fail(path)
      const query = new URLSearchParams({ callbackUrl, prompt: "login" })
      assert.deepStrictEqual([status, headers["location"]], [302, `${site}/auth/signin?${query}`])
      assert.strictEqual(headers["cache-control"], "private, no-store")
      assert.strictEqual(headers["vary"], "Accept, Cookie, Authorization")
    }
  })

  it.gen("is sent to the page of the application where it has one", within({ signIn: "/enter" }), function* () {
    const answer = yield* redirectOf("/a")
    assert.strictEqual(answer?.headers["location"], `${site}/enter?callbackUrl=%2Fa`)
  })
})
