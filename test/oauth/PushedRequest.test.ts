/** Pushed authorization requests (RFC 9126). */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  against,
  clientId,
  type Endpoint,
  flow,
  issuer,
  json,
  keyPair,
  metadata,
  oidc,
  type Scripted,
  scripted,
  start
} from "./ScriptedProvider.ts"

const reference = "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c"
const document = { ...metadata, pushed_authorization_request_endpoint: `${issuer}/par` }

/** A provider that accepts pushed requests; `more` are members of its metadata. */
const accepting = (
  par: Endpoint = () => json({ request_uri: reference, expires_in: 60 }, { status: 201 }),
  more: object = {}
): Scripted => scripted({ "/.well-known/openid-configuration": () => json({ ...document, ...more }), "/par": par })

const pushing = oidc({ pushedAuthorizationRequests: true })

const pushed = (idp: Scripted) => {
  const sent = idp.sent.find(({ path }) => path === "/par")
  assert.isDefined(sent)
  return sent
}

describe("a pushed authorization request", () => {
  it.gen("holds every parameter, and the browser carries the client id and the reference alone", function* () {
    const idp = accepting()
    const { requested, url } = yield* against(idp, start(pushing, [["max_age", "60"]]))
    const { body, headers, method } = pushed(idp)
    assert.deepStrictEqual(
      [...new URL(url).searchParams],
      [
        ["client_id", clientId],
        ["request_uri", reference]
      ]
    )
    assert.isTrue(url.startsWith(`${issuer}/authorize?`))
    assert.strictEqual(method, "POST")
    assert.match(headers.get("content-type") ?? "", /^application\/x-www-form-urlencoded/)
    assert.match(headers.get("authorization") ?? "", /^Basic /)
    assert.deepInclude(Object.fromEntries(new URLSearchParams(body)), {
      client_id: clientId,
      code_challenge: "challenge-1",
      code_challenge_method: "S256",
      max_age: "60",
      nonce: "nonce-1",
      redirect_uri: flow.redirectUri,
      response_type: "code",
      scope: "openid profile email",
      state: "state-1"
    })
    assert.deepStrictEqual(requested, { maxAge: 60 })
  })

  it.gen("keeps the query of the authorization endpoint in the address", function* () {
    const idp = accepting(undefined, { authorization_endpoint: `${issuer}/authorize?p=policy` })
    const { url } = yield* against(idp, start(pushing))
    assert.deepStrictEqual([...new URL(url).searchParams.keys()], ["p", "client_id", "request_uri"])
    assert.strictEqual(new URLSearchParams(pushed(idp).body).get("p"), "policy")
  })

  it.gen("authenticates the client with the method that is configured", function* () {
    const { privateKey } = yield* Effect.promise(() => keyPair("ES256"))
    const idp = accepting()
    const provider = {
      ...pushing,
      clientAuthentication: "private_key_jwt" as const,
      clientPrivateKey: { key: privateKey }
    }
    yield* against(idp, start(provider))
    const body = new URLSearchParams(pushed(idp).body)
    assert.strictEqual(body.get("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    assert.isNull(pushed(idp).headers.get("authorization"))
  })

  for (const [title, option, more, isPushed] of [
    ["the issuer requires it", undefined, { require_pushed_authorization_requests: true }, true],
    ["the issuer accepts it, without requiring it", undefined, {}, false],
    [
      "the issuer requires it, and the option forbids it",
      false,
      { require_pushed_authorization_requests: true },
      false
    ],
    ["the metadata is malformed", undefined, { require_pushed_authorization_requests: "yes" }, false]
  ] as const) {
    it.gen(`is ${isPushed ? "" : "not "}sent where ${title}`, function* () {
      const idp = accepting(undefined, more)
      yield* against(idp, start(oidc({ pushedAuthorizationRequests: option })))
      assert.strictEqual(idp.count("/par"), isPushed ? 1 : 0)
    })
  }

  it.gen("is sent for a provider whose authorization endpoint is configured", function* () {
    const idp = accepting()
    const authorization = { url: `${issuer}/other` }
    const { url } = yield* against(idp, start({ ...pushing, authorization }))
    assert.isTrue(url.startsWith(`${issuer}/other?client_id=`))
  })
})

const marker = "a-value-of-the-answer"

const answers: ReadonlyArray<readonly [title: string, answer: () => Response, code: string]> = [
  ["no request_uri", () => json({ expires_in: 60 }, { status: 201 }), "invalid_response"],
  ["an empty request_uri", () => json({ request_uri: "", expires_in: 60 }, { status: 201 }), "invalid_response"],
  [
    "a request_uri that is a list",
    () => json({ request_uri: [reference], expires_in: 60 }, { status: 201 }),
    "invalid_response"
  ],
  [
    "a request_uri that is no URI",
    () => json({ request_uri: marker, expires_in: 60 }, { status: 201 }),
    "invalid_response"
  ],
  [
    "a request_uri of two lines",
    () => json({ request_uri: `urn:a\r\n${marker}`, expires_in: 60 }, { status: 201 }),
    "invalid_response"
  ],
  [
    "a request_uri without end",
    () => json({ request_uri: `urn:${"a".repeat(5000)}`, expires_in: 60 }, { status: 201 }),
    "invalid_response"
  ],
  [
    "two of request_uri",
    () => json(`{"request_uri":"urn:a:1","request_uri":"urn:a:2","expires_in":60}`, { status: 201 }),
    "invalid_response"
  ],
  ["no expires_in", () => json({ request_uri: reference }, { status: 201 }), "invalid_response"],
  [
    "an expires_in of the past",
    () => json({ request_uri: reference, expires_in: -1 }, { status: 201 }),
    "invalid_response"
  ],
  ["an expires_in of zero", () => json({ request_uri: reference, expires_in: 0 }, { status: 201 }), "invalid_response"],
  [
    "an expires_in that is no number",
    () => json({ request_uri: reference, expires_in: marker }, { status: 201 }),
    "invalid_response"
  ],
  [
    "an expires_in beyond all numbers",
    () => json(`{"request_uri":"${reference}","expires_in":1e999}`, { status: 201 }),
    "invalid_response"
  ],
  ["a page", () => new Response(marker, { status: 201, headers: { "content-type": "text/html" } }), "invalid_response"],
  ["the status 200", () => json({ request_uri: reference, expires_in: 60 }), "invalid_response"],
  [
    "a redirect",
    () => new Response(null, { status: 302, headers: { location: `https://evil.example/${marker}` } }),
    "invalid_response"
  ],
  [
    "an error of the client",
    () => json({ error: "invalid_client", error_description: marker }, { status: 401 }),
    "provider_error"
  ],
  ["an error of its own", () => json({ error: marker }, { status: 400 }), "provider_error"],
  ["too many requests", () => json({ error: marker }, { status: 429 }), "provider_unavailable"],
  ["an error of the server", () => json({ error: marker }, { status: 503 }), "provider_unavailable"]
]

describe("an answer to a pushed request", () => {
  for (const [title, answer, code] of answers) {
    it.gen(`with ${title} fails as ${code}, and nothing of it is repeated`, function* () {
      const idp = accepting(answer)
      const failure = yield* against(idp, Effect.flip(start(pushing)))
      assert.strictEqual(failure._tag, "OAuthSignInError")
      assert.strictEqual(failure.code, code)
      assert.strictEqual(failure.retryable, code === "provider_unavailable")
      assert.notInclude(JSON.stringify([failure.message, failure.cause, failure.remedy]), marker)
      assert.strictEqual(idp.count("/par"), 1)
    })
  }
})

describe("the endpoint of pushed requests", () => {
  it.gen("must be there where the option asks for it", function* () {
    const idp = scripted()
    const failure = yield* against(idp, Effect.flip(start(pushing)))
    assert.strictEqual(failure.code, "provider_error")
    assert.include(failure.message, "pushed_authorization_request_endpoint")
  })

  for (const endpoint of ["http://idp.example/par", "https://127.0.0.1/par", "file:///par", "par", 7]) {
    it.gen(`is not asked at ${endpoint}`, function* () {
      const idp = accepting(undefined, { pushed_authorization_request_endpoint: endpoint })
      const failure = yield* against(idp, Effect.flip(start(pushing)))
      assert.include(["invalid_response", "provider_error"], failure.code)
      assert.strictEqual(idp.sent.filter(({ method }) => method === "POST").length, 0)
      yield* against(idp, start(oidc()))
    })
  }
})
