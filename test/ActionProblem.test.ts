import { assert, describe, it } from "@effect/vitest"
import type { Options } from "../src/config/Settings.ts"
import { AccessDenied, AdapterError, JwtSessionError, OAuthAccountNotLinked, Verification } from "../src/Errors.ts"
import { Auth, raw } from "../src/index.ts"
import { browser, at, config } from "./Browser.ts"
import { forFunctions } from "./ForFunctions.ts"
import { acme, facade, listener, locationOf, ownSite as options, password, site, visitor } from "./Visitor.ts"

const json = { accept: "application/json" }
const canary = "canary-4711@example.com"

const failing = (failure: unknown) => ({ providers: [password(() => Promise.reject(failure)), acme()] })

/** The answer of a site to a client that asks for JSON, with the right token. */
const attempt = (more: Partial<Options>, headers: Record<string, string> = json) =>
  visitor(facade(options(more))).submit("/auth/callback/credentials", { username: canary, password: canary }, headers)

const problemIn = async (response: Response): Promise<Record<string, unknown>> => {
  assert.strictEqual(response.headers.get("content-type"), "application/problem+json")
  assert.isNull(response.headers.get("location"))
  assert.include(response.headers.get("cache-control"), "no-store")
  const body = (await response.json()) as Record<string, unknown>
  assert.strictEqual(body["instance"], `urn:effect-doorman:request:${response.headers.get("x-request-id")}`)
  assert.strictEqual(body["status"], response.status)
  for (const name of ["type", "title", "code", "remedy"]) assert.isString(body[name], name)
  return body
}

describe("a program that asks for JSON is told", () => {
  const failures: ReadonlyArray<readonly [string, unknown, number, string, string]> = [
    ["who is not let in", new AccessDenied({ detail: canary }), 403, "AccessDenied", "AccessDenied"],
    ["a link that is not valid", new Verification({ detail: canary }), 403, "Verification", "Verification"],
    [
      "an account that is not linked",
      new OAuthAccountNotLinked({}),
      409,
      "OAuthAccountNotLinked",
      "OAuthAccountNotLinked"
    ],
    ["nothing of what broke", new Error(canary), 500, "Configuration", "Configuration"],
    [
      "nothing of the store",
      new AdapterError({ method: "getUser", reason: "unavailable", detail: canary, cause: new Error(canary) }),
      503,
      "Configuration",
      "Configuration"
    ],
    ["nothing of the keys", new JwtSessionError({ detail: canary }), 401, "Configuration", "Configuration"]
  ]
  for (const [title, failure, status, tag, code] of failures) {
    it(`H281 ${title}`, async () => {
      const response = await attempt(failing(failure))
      const body = await problemIn(response)
      assert.deepInclude(body, { type: `urn:effect-doorman:${tag}`, status, code })
      assert.notInclude(JSON.stringify(body) + JSON.stringify([...response.headers]), canary)
      if (tag === "Configuration") {
        assert.strictEqual(body["remedy"], "Try again later; the operator finds the reason in the log.")
        assert.notMatch(JSON.stringify(body), /adapter|token|authorize|secret/i)
      }
    })
  }

  it("H281 why credentials were refused, with a challenge (RFC 9110 section 15.5.2)", async () => {
    const response = await attempt({})
    assert.deepInclude(await problemIn(response), {
      type: "urn:effect-doorman:CredentialsSignin",
      title: "The credentials were not accepted",
      status: 401,
      code: "CredentialsSignin",
      reason: "credentials",
      remedy: "The credentials were not accepted; let the person try again."
    })
    assert.strictEqual(response.headers.get("www-authenticate"), 'Cookie realm="effect-doorman"')
  })

  const refusals: ReadonlyArray<readonly [string, Request, number, string]> = [
    ["a path", new Request(`${site}/auth/nope`, { headers: json }), 400, "UnknownAction"],
    ["a provider", new Request(`${site}/auth/callback/nobody`, { headers: json }), 404, "InvalidProvider"],
    ["a method", new Request(`${site}/auth/csrf`, { method: "PUT", headers: json }), 405, "MethodNotAllowed"],
    [
      "a body",
      new Request(`${site}/auth/signin`, {
        method: "POST",
        headers: { ...json, "content-type": "application/json" },
        body: "{"
      }),
      400,
      "MalformedRequest"
    ],
    [
      "a media type",
      new Request(`${site}/auth/signin`, {
        method: "POST",
        headers: { ...json, "content-type": "text/csv" },
        body: "1"
      }),
      415,
      "UnsupportedMediaType"
    ],
    [
      "a form without its token",
      new Request(`${site}/auth/signout`, { method: "POST", headers: json }),
      403,
      "MissingCsrf"
    ]
  ]
  for (const [title, request, status, tag] of refusals) {
    it(`what is wrong with ${title}`, async () => {
      const response = await facade(options())(request)
      assert.deepInclude(await problemIn(response), { type: `urn:effect-doorman:${tag}`, status })
      assert.strictEqual(response.headers.has("allow"), status === 405)
      assert.isFalse(response.headers.has("www-authenticate"))
    })
  }

  it.gen("what became of an attempt, and the browser forgets it", at(config()), function* () {
    const person = browser()
    const state = new URL(yield* person.leave()).searchParams.get("state")
    const seen = yield* person.get(`/auth/callback/idp?state=${state}&error=access_denied`, json)
    assert.deepInclude(JSON.parse(seen.body), {
      type: "urn:effect-doorman:OAuthCallbackError",
      status: 502,
      code: "OAuthCallbackError",
      reason: "access_denied"
    })
    assert.isAbove(seen.lines.filter((line) => /Max-Age=0/.test(line)).length, 0)
  })

  it("that the options cannot work, and not why", async () => {
    const { logger, told } = listener()
    const response = await facade(options({ secret: "", logger }))(
      new Request(`${site}/auth/webauthn-options/acme`, { headers: json })
    )
    const body = await problemIn(response)
    assert.deepInclude(body, { status: 500, code: "Configuration" })
    assert.notMatch(JSON.stringify(body), /secret/i)
    assert.strictEqual(told.errors[0]?.name, "MissingSecret")
  })
})

describe("who asks for something else gets what there was before", () => {
  const redirected: ReadonlyArray<Record<string, string>> = [
    {},
    { accept: "*/*" },
    { accept: "text/html, application/json" },
    { accept: "application/json, text/plain, */*" },
    { accept: "application/json;q=0, text/plain" },
    { accept: "text/json-ish" },
    { accept: "image/png" },
    { accept: `application/json, ${"x/y, ".repeat(300)}` }
  ]
  for (const headers of redirected) {
    it(`a redirect for ${JSON.stringify(headers).slice(0, 60)}`, async () => {
      const response = await attempt({}, headers)
      assert.strictEqual(locationOf(response), `${site}/auth/signin?error=CredentialsSignin&code=credentials`)
      assert.isFalse(response.headers.has("x-request-id"))
    })
  }

  it("redirects as JSON, for those who ask for them by their header", async () => {
    const response = await attempt({}, { ...json, "x-auth-return-redirect": "1" })
    assert.deepStrictEqual(
      [response.status, response.headers.get("content-type"), await response.text()],
      [200, "application/json", JSON.stringify({ url: `${site}/auth/signin?error=CredentialsSignin&code=credentials` })]
    )
    assert.isFalse(response.headers.has("x-request-id"))
  })

  const problems: ReadonlyArray<string> = [
    "application/problem+json",
    "APPLICATION/JSON; charset=utf-8",
    "text/plain;q=0.1, application/vnd.api+json",
    "text/html;q=0, application/json"
  ]
  for (const accept of problems) {
    it(`a problem for ${accept}`, async () => void (await problemIn(await attempt({}, { accept }))))
  }

  it("null for a session that could not be updated, for any Accept header", async () => {
    const update = (accept: string) =>
      facade(options())(
        new Request(`${site}/auth/session`, {
          method: "POST",
          headers: { accept, "content-type": "application/json" },
          body: "{}"
        })
      )
    for (const accept of ["application/json", "application/problem+json"]) {
      const answer = await update(accept)
      assert.deepStrictEqual(
        [answer.status, answer.headers.get("content-type"), await answer.text()],
        [400, "application/json", "null"]
      )
    }
  })

  it("the failure itself in raw mode", async () => {
    const request = new Request(`${site}/auth/callback/credentials`, { method: "POST", headers: json })
    const thrown: unknown = await Auth(request, { ...forFunctions({ ...options() }), raw }).catch(
      (failure: unknown) => failure
    )
    assert.strictEqual(Reflect.get(Object(thrown), "_tag"), "MissingCsrf")
  })
})
