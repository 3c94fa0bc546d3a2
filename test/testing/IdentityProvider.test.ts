import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { customFetch } from "../../src/index.ts"
import {
  type Algorithm,
  type Client,
  IdentityProvider,
  StrayRequest,
  type TestProvider
} from "../../src/testing/IdentityProvider.ts"
import { countedBytes, facade, options, site, visitor } from "../Visitor.ts"
import { hasSession, signIn, siteWith, userOf } from "./SignInAt.ts"

const redirectUri = "https://app.example/callback"
const verifier = "a-verifier-of-more-than-forty-three-characters-in-all"
const challenge = createHash("sha256").update(verifier).digest("base64url")
const clientSecret = "another-client-secret-0123456789-abcdefghijk"
const strict: Client = {
  clientId: "strict",
  clientSecret,
  redirectUris: [redirectUri],
  postLogoutRedirectUris: ["https://app.example/bye"]
}

const request = (idp: TestProvider, changes: Record<string, string | undefined> = {}): URL => {
  const url = new URL(`${idp.issuer}/authorize`)
  const all = {
    client_id: "strict",
    response_type: "code",
    redirect_uri: redirectUri,
    scope: "openid profile email",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes
  }
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

const codeOf = (idp: TestProvider, changes: Record<string, string | undefined> = {}) =>
  Effect.map(idp.authorize(request(idp, changes)), (back) => back.searchParams.get("code") ?? "none")

const bodyOf = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(response.json, (body) => ({ status: response.status, body: body as Record<string, string> }))

/** One token request, as the client `strict` makes it unless something else is said. */
const ask = (
  idp: TestProvider,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = { authorization: `Basic ${btoa(`strict:${clientSecret}`)}` }
) =>
  idp.client
    .post(`${idp.issuer}/token`, {
      headers,
      body: HttpBody.text(
        new URLSearchParams(
          Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
        ).toString(),
        "application/x-www-form-urlencoded"
      )
    })
    .pipe(Effect.flatMap(bodyOf))

const redeem = (
  idp: TestProvider,
  code: string,
  changes: Record<string, string | undefined> = {},
  headers?: Record<string, string>
) =>
  ask(
    idp,
    { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier, ...changes },
    headers
  )

const userinfo = (idp: TestProvider, access: string | undefined) =>
  Effect.flatMap(idp.client.get(`${idp.issuer}/userinfo`, { headers: { authorization: `Bearer ${access}` } }), bodyOf)

const make = () => IdentityProvider.make({ clients: [strict, { clientId: "public" }] })

const paths = (idp: TestProvider) => idp.requests.map(({ method, path, status }) => `${method} ${path} ${status}`)

describe("a sign-in", () => {
  for (const algorithm of ["RS256", "ES256", "EdDSA"] satisfies ReadonlyArray<Algorithm>) {
    it.gen(`gives a session to whom the provider vouches for with ${algorithm}`, function* () {
      const idp = IdentityProvider.make({ algorithm })
      yield* Effect.gen(function* () {
        const { failure, response } = yield* signIn(idp)
        assert.isUndefined(failure)
        assert.isTrue(hasSession(response))
        assert.deepInclude(yield* userOf(response), { name: "Ada Lovelace", email: "ada@example.com" })
        assert.deepStrictEqual(paths(idp), [
          "GET /.well-known/openid-configuration 200",
          "GET /authorize 302",
          "POST /token 200",
          "GET /keys 200"
        ])
        const again = yield* signIn(idp, { as: "grace" })
        assert.deepInclude(yield* userOf(again.response), { name: "Grace Hopper" })
        // The metadata and the keys are known by now.
        assert.deepStrictEqual(paths(idp).slice(4), ["GET /authorize 302", "POST /token 200"])
      }).pipe(Effect.provide(siteWith(idp)))
    })
  }

  it.gen("works over userinfo, for a public client, and for an issuer with a path", function* () {
    const idp = IdentityProvider.make({ issuer: "https://idp.test/tenant", clients: [{ clientId: "public" }] })
    yield* Effect.gen(function* () {
      const { failure, response } = yield* signIn(idp)
      assert.isUndefined(failure)
      assert.strictEqual((yield* userOf(response))?.["email"], "ada@example.com")
      assert.deepStrictEqual(paths(idp), [
        "GET /tenant/.well-known/openid-configuration 200",
        "GET /tenant/authorize 302",
        "POST /tenant/token 200",
        "GET /tenant/keys 200",
        "GET /tenant/userinfo 200"
      ])
    }).pipe(Effect.provide(siteWith(idp, { idToken: false })))
  })

  it.gen("survives new keys between two sign-ins", function* () {
    const idp = IdentityProvider.make()
    yield* Effect.gen(function* () {
      assert.isUndefined((yield* signIn(idp)).failure)
      yield* idp.set("keysReplaced")
      assert.isUndefined((yield* signIn(idp)).failure)
      assert.lengthOf(
        idp.requests.filter(({ path }) => path === "/keys"),
        2
      )
      yield* idp.reset
    }).pipe(Effect.provide(siteWith(idp)))
  })

  it("works for the Promise facade over the provider's fetch", async () => {
    const idp = IdentityProvider.make()
    const browser = visitor(facade(options({ providers: [idp.provider({ [customFetch]: idp.fetch })] })), site)
    const started = await browser.submit("/auth/signin/idp")
    const back = await idp.fetch(started.headers.get("location") ?? "")
    const address = new URL(back.headers.get("location") ?? "")
    const finished = await browser.get(address.pathname + address.search)
    assert.strictEqual(finished.headers.get("location"), site)
    assert.strictEqual((await browser.session())?.user?.["email"], "ada@example.com")
  })

  it.gen("takes its time from the program", function* () {
    const idp = make()
    yield* TestClock.setTime(1_900_000_000_000)
    const { body } = yield* redeem(idp, yield* codeOf(idp))
    const claims = JSON.parse(atob((body["id_token"] ?? "").split(".")[1] ?? "")) as Record<string, unknown>
    assert.deepInclude(claims, { iat: 1_900_000_000, exp: 1_900_000_300, auth_time: 1_900_000_000 })
  })
})

describe("the person", () => {
  it.effect("is the one that is named, else the hinted one, else the first; the browser gets state and issuer", () =>
    Effect.gen(function* () {
      const idp = make()
      const subjectOf = Effect.fnUntraced(function* (back: URL) {
        const { body } = yield* redeem(idp, back.searchParams.get("code") ?? "")
        return (yield* userinfo(idp, body["access_token"])).body["sub"]
      })
      assert.strictEqual(yield* subjectOf(yield* idp.authorize(request(idp))), "ada")
      const hinted = request(idp, { login_hint: "grace@example.com" })
      assert.strictEqual(yield* subjectOf(yield* idp.authorize(hinted)), "grace")
      assert.strictEqual(yield* subjectOf(yield* idp.authorize(hinted, { as: "eve" })), "eve")
      const back = yield* idp.authorize(request(idp, { state: "a state" }))
      assert.strictEqual(back.origin + back.pathname, redirectUri)
      assert.strictEqual(back.searchParams.get("state"), "a state")
      assert.strictEqual(back.searchParams.get("iss"), idp.issuer)
    })
  )

  it.gen("may decline, and is told apart from a request that is wrong", function* () {
    const idp = make()
    const declined = yield* idp.authorize(request(idp, { state: "s" }), { decline: "access_denied" })
    assert.strictEqual(declined.search, `?error=access_denied&state=s&iss=${encodeURIComponent(idp.issuer)}`)
    const errors = yield* Effect.forEach(
      [
        { response_type: "token" },
        { code_challenge: undefined },
        { code_challenge: "short" },
        { code_challenge_method: "plain" },
        { response_mode: "fragment" }
      ],
      (changes) => Effect.map(idp.authorize(request(idp, changes)), (back) => back.searchParams.get("error"))
    )
    assert.deepStrictEqual(errors, [
      "unsupported_response_type",
      "invalid_request",
      "invalid_request",
      "invalid_request",
      "invalid_request"
    ])
  })

  it.gen("is not sent to where the client is not registered, nor for an unknown client or person", function* () {
    const idp = make()
    const refusals = yield* Effect.forEach(
      [
        idp.authorize("no address"),
        idp.authorize("https://elsewhere.test/authorize"),
        idp.authorize(request(idp, { client_id: "unknown" })),
        idp.authorize(request(idp, { redirect_uri: "https://elsewhere.test/" })),
        idp.authorize(request(idp), { as: "nobody" })
      ],
      (attempt) => Effect.map(Effect.flip(attempt), ({ _tag, detail }) => `${_tag}: ${detail}`)
    )
    assert.deepStrictEqual(refusals, [
      "AuthorizationRefused: the authorization address is no absolute URL",
      "AuthorizationRefused: https://elsewhere.test/authorize is not authorized here",
      "AuthorizationRefused: no client has this client_id",
      "AuthorizationRefused: the redirect_uri is not registered for this client",
      "AuthorizationRefused: there is no such user"
    ])
    const page = yield* idp.client.get(request(idp, { redirect_uri: "https://elsewhere.test/" }))
    assert.strictEqual(page.status, 400)
    assert.isUndefined(page.headers["location"])
  })

  it.gen("can be added, changed and thrown out", function* () {
    const idp = make()
    yield* idp.setUser({ sub: "new", email: "new@example.com", roles: ["admin"] })
    const back = yield* idp.authorize(request(idp, { scope: "openid" }), { as: "new" })
    const { body } = yield* redeem(idp, back.searchParams.get("code") ?? "")
    // The scope does not cover the address.
    assert.deepStrictEqual((yield* userinfo(idp, body["access_token"])).body, { sub: "new", roles: ["admin"] } as never)
    yield* idp.revoke("new")
    assert.strictEqual((yield* userinfo(idp, body["access_token"])).status, 401)
    const renewal = yield* ask(idp, { grant_type: "refresh_token", refresh_token: body["refresh_token"] })
    assert.deepStrictEqual(renewal, { status: 400, body: { error: "invalid_grant" } })
  })
})

describe("a code", () => {
  it.gen("is redeemed once, and its tokens end when it comes again", function* () {
    const idp = make()
    const code = yield* codeOf(idp)
    const first = yield* redeem(idp, code)
    assert.strictEqual(first.status, 200)
    assert.strictEqual((yield* userinfo(idp, first.body["access_token"])).status, 200)
    assert.deepStrictEqual(yield* redeem(idp, code), { status: 400, body: { error: "invalid_grant" } })
    assert.strictEqual((yield* userinfo(idp, first.body["access_token"])).status, 401)
  })

  it.gen("is refused with another verifier, address or client, and after a minute", function* () {
    const idp = make()
    const refused = { status: 400, body: { error: "invalid_grant" } }
    const wrong: ReadonlyArray<Record<string, string | undefined>> = [
      { code_verifier: `${verifier}.` },
      { code_verifier: undefined },
      { code_verifier: challenge },
      { redirect_uri: "https://app.example/other" },
      { redirect_uri: undefined }
    ]
    for (const changes of wrong) {
      const code = yield* codeOf(idp)
      assert.deepStrictEqual(yield* redeem(idp, code, changes), refused)
      // The attempt has used it up.
      assert.deepStrictEqual(yield* redeem(idp, code), refused)
    }
    assert.deepStrictEqual(yield* redeem(idp, yield* codeOf(idp), { client_id: "public" }, {}), refused)
    const late = yield* codeOf(idp)
    yield* TestClock.adjust("60 seconds")
    assert.deepStrictEqual(yield* redeem(idp, late), refused)
    const timely = yield* codeOf(idp)
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual((yield* redeem(idp, timely)).status, 200)
  })

  it.gen("is redeemed by a client that proves itself", function* () {
    const idp = make()
    const status = Effect.fnUntraced(function* (changes: Record<string, string>, headers: Record<string, string>) {
      return (yield* redeem(idp, yield* codeOf(idp), changes, headers)).status
    })
    const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
    assert.strictEqual(yield* status({}, basic("strict", clientSecret)), 200)
    assert.strictEqual(yield* status({ client_id: "strict", client_secret: clientSecret }, {}), 200)
    assert.strictEqual(yield* status({}, basic("strict", "wrong")), 401)
    assert.strictEqual(yield* status({}, basic("unknown", clientSecret)), 401)
    assert.strictEqual(yield* status({}, { authorization: "Basic !" }), 401)
    assert.strictEqual(yield* status({ client_id: "strict", client_secret: "wrong" }, {}), 401)
    assert.strictEqual(yield* status({ client_id: "strict" }, {}), 401)
    assert.strictEqual(yield* status({}, {}), 401)
    assert.strictEqual(yield* status({ client_secret: clientSecret }, basic("strict", clientSecret)), 401)
  })
})

describe("tokens", () => {
  it.gen("are renewed, each refresh token once; one that comes again ends them all", function* () {
    const idp = make()
    const first = yield* redeem(idp, yield* codeOf(idp, { nonce: "n" }))
    const renew = (refresh: string | undefined) => ask(idp, { grant_type: "refresh_token", refresh_token: refresh })
    const second = yield* renew(first.body["refresh_token"])
    assert.strictEqual(second.status, 200)
    assert.notStrictEqual(second.body["access_token"], first.body["access_token"])
    const claims = atob((second.body["id_token"] ?? "").split(".")[1] ?? "")
    assert.notInclude(claims, "nonce")
    assert.strictEqual((yield* userinfo(idp, second.body["access_token"])).status, 200)
    assert.strictEqual((yield* renew(first.body["refresh_token"])).status, 400)
    assert.strictEqual((yield* renew(second.body["refresh_token"])).status, 400)
    assert.strictEqual((yield* userinfo(idp, second.body["access_token"])).status, 401)
  })

  it.gen("end after an hour and when the person signs out", function* () {
    const idp = make()
    const first = yield* redeem(idp, yield* codeOf(idp))
    yield* TestClock.adjust("3599 seconds")
    assert.strictEqual((yield* userinfo(idp, first.body["access_token"])).status, 200)
    yield* TestClock.adjust("1 seconds")
    assert.strictEqual((yield* userinfo(idp, first.body["access_token"])).status, 401)

    const second = yield* redeem(idp, yield* codeOf(idp))
    const logout = (parameters: Record<string, string>) =>
      Effect.map(idp.client.get(`${idp.issuer}/logout`, { urlParams: parameters }), ({ headers, status }) => ({
        status,
        location: headers["location"]
      }))
    const hint = second.body["id_token"] ?? ""
    const target = "https://app.example/bye"
    const refused = { status: 400, location: undefined }
    assert.deepStrictEqual(yield* logout({ id_token_hint: `${hint}a`, post_logout_redirect_uri: target }), refused)
    assert.deepStrictEqual(yield* logout({ post_logout_redirect_uri: target }), refused)
    assert.deepStrictEqual(
      yield* logout({ id_token_hint: hint, post_logout_redirect_uri: "https://elsewhere.test/" }),
      refused
    )
    assert.deepStrictEqual(
      yield* logout({ id_token_hint: hint, client_id: "public", post_logout_redirect_uri: target }),
      refused
    )
    assert.strictEqual((yield* userinfo(idp, second.body["access_token"])).status, 200)
    assert.deepStrictEqual(yield* logout({ id_token_hint: hint, post_logout_redirect_uri: target }), {
      status: 302,
      location: target
    })
    assert.strictEqual((yield* userinfo(idp, second.body["access_token"])).status, 401)
    assert.deepStrictEqual(yield* logout({ client_id: "strict", post_logout_redirect_uri: target, state: "s" }), {
      status: 302,
      location: `${target}?state=s`
    })
    assert.deepStrictEqual(yield* logout({}), { status: 200, location: undefined })
  })
})

describe("a request", () => {
  it.gen("says everything once, and in the form that was agreed", function* () {
    const idp = make()
    const address = request(idp)
    address.searchParams.append("code_challenge", challenge)
    assert.strictEqual((yield* idp.authorize(address)).searchParams.get("error"), "invalid_request")
    const send = (path: string, body: string, type = "application/x-www-form-urlencoded") =>
      Effect.map(idp.client.post(`${idp.issuer}${path}`, { body: HttpBody.text(body, type) }), ({ status }) => status)
    const fields = (code: string) =>
      new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: "strict",
        client_secret: clientSecret
      }).toString()
    assert.strictEqual(yield* send("/token", `${fields(yield* codeOf(idp))}&grant_type=authorization_code`), 400)
    assert.strictEqual(yield* send("/token", fields(yield* codeOf(idp)), "text/plain"), 400)
    assert.strictEqual(yield* send("/token", fields(yield* codeOf(idp)).replace("authorization_code", "password")), 400)
    assert.strictEqual(yield* send("/token", fields(yield* codeOf(idp))), 200)
    assert.strictEqual(yield* send("/logout", "client_id=strict"), 200)
    assert.strictEqual(yield* send("/logout", "client_id=strict&client_id=strict"), 400)
  })

  it.gen("speaks for the client that it comes from alone", function* () {
    const idp = make()
    const { body } = yield* redeem(idp, yield* codeOf(idp))
    const foreign = { grant_type: "refresh_token", refresh_token: body["refresh_token"], client_id: "public" }
    assert.strictEqual((yield* ask(idp, foreign, {})).status, 400)
    const own = yield* redeem(idp, yield* codeOf(idp))
    const other = yield* redeem(idp, yield* codeOf(idp, { client_id: "public" }), { client_id: "public" }, {})
    yield* idp.client.get(`${idp.issuer}/logout`, { urlParams: { id_token_hint: other.body["id_token"] } })
    assert.strictEqual((yield* userinfo(idp, other.body["access_token"])).status, 401)
    assert.strictEqual((yield* userinfo(idp, own.body["access_token"])).status, 200)
  })
})

describe("two providers", () => {
  it.gen("share nothing, not even with the same issuer and seed", function* () {
    const [one, other] = [make(), make()]
    const code = yield* codeOf(one)
    assert.strictEqual((yield* redeem(other, code)).status, 400)
    const { body } = yield* redeem(one, code)
    assert.strictEqual((yield* userinfo(other, body["access_token"])).status, 401)
    yield* one.setUser({ sub: "only-there" })
    assert.strictEqual(
      (yield* Effect.flip(other.authorize(request(other), { as: "only-there" })))._tag,
      "AuthorizationRefused"
    )
    yield* one.set("discoveryDown")
    const statuses = yield* Effect.forEach([one, other], (idp) =>
      Effect.map(idp.client.get(`${idp.issuer}/.well-known/openid-configuration`), ({ status }) => status)
    )
    assert.deepStrictEqual(statuses, [503, 200])
    assert.lengthOf(
      other.requests.filter(({ path }) => path === "/token"),
      1
    )
  })

  it.gen("answer side by side for one application", function* () {
    const one = IdentityProvider.make({ issuer: "https://one.test" })
    const other = IdentityProvider.make({ issuer: "https://other.test" })
    yield* Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      for (const { issuer } of [one, other]) {
        const response = yield* client.get(`${issuer}/.well-known/openid-configuration`)
        assert.strictEqual((yield* bodyOf(response)).body["issuer"], issuer)
      }
      const stray = yield* Effect.flip(client.get("https://third.test/"))
      assert.include(stray.message, "https://third.test/; only https://other.test answers here")
    }).pipe(Effect.provide(Layer.provide(one.layerBefore, other.layer)))
  })
})

describe("the ways in", () => {
  it.gen("answer other origins with a failure that names the address and nothing of its query", function* () {
    const idp = make()
    const failure: HttpClientError.HttpClientError = yield* Effect.flip(
      idp.client.get("https://elsewhere.test/path?token=secret")
    )
    assert.strictEqual(failure.reason._tag, "TransportError")
    assert.instanceOf(failure.cause, StrayRequest)
    assert.strictEqual(failure.cause.url, "https://elsewhere.test/path")
    assert.include(failure.message, "https://elsewhere.test/path; only https://idp.test answers here")
    assert.notInclude(failure.cause.message, "secret")
    assert.deepStrictEqual(paths(idp), ["GET /path undefined"])
    const rejected = yield* Effect.flip(Effect.tryPromise(() => idp.fetch("https://elsewhere.test/path")))
    assert.instanceOf(rejected.cause, StrayRequest)
    assert.strictEqual((yield* idp.client.get("https://idp.test/unknown")).status, 404)
    assert.strictEqual((yield* idp.client.get("https://idp.test/token")).status, 405)
  })

  it.gen("take the time from the clock that they are given, with fetch", function* () {
    const clock = yield* Clock.Clock
    const idp = IdentityProvider.make({ clock })
    const back = yield* idp.authorize(request(idp, { client_id: idp.provider().clientId }))
    const ask = () =>
      idp.fetch(`${idp.issuer}/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: back.searchParams.get("code") ?? "",
          redirect_uri: redirectUri,
          code_verifier: verifier,
          client_id: idp.provider().clientId ?? "",
          client_secret: idp.provider().clientSecret ?? ""
        })
      })
    yield* TestClock.adjust("59 seconds")
    const tokens = yield* Effect.promise(() =>
      ask().then((response) => response.json() as Promise<{ id_token: string }>)
    )
    assert.include(atob(tokens.id_token.split(".")[1] ?? ""), '"iat":59,')
  })

  it.gen("can be had as a layer, with a provider of its own for each time that it is built", function* () {
    const layer = IdentityProvider.layer({ clients: [strict] })
    const use = Effect.gen(function* () {
      const idp = yield* IdentityProvider
      const client = yield* HttpClient.HttpClient
      yield* client.get(`${idp.issuer}/keys`)
      return { idp, code: yield* codeOf(idp) }
    })
    const first = yield* Effect.provide(use, layer)
    const second = yield* Effect.provide(use, Layer.fresh(layer))
    assert.deepStrictEqual(paths(first.idp), ["GET /keys 200", "GET /authorize 302"])
    assert.notStrictEqual(first.idp, second.idp)
    assert.strictEqual(first.code, second.code)
    const bytes = Layer.provide(
      layer,
      Layer.succeed(
        SecureRandom.SecureRandom,
        SecureRandom.make((size) => new Uint8Array(size))
      )
    )
    assert.strictEqual((yield* Effect.provide(use, bytes)).code, `code-${"A".repeat(32)}`)
    const counted = yield* Effect.provide(use, Layer.provide(layer, countedBytes()))
    assert.notStrictEqual(counted.code, first.code)
    const seeded = IdentityProvider.make({ clients: [strict], seed: "another" })
    assert.notStrictEqual(yield* codeOf(seeded), first.code)
  })

  it.gen("are honest again when the program that set a fault ends, however it ends", function* () {
    const idp = make()
    const status = Effect.map(idp.client.get(`${idp.issuer}/keys`), (response) => response.status)
    assert.strictEqual(yield* idp.with("keysDown", "discoveryDown")(status), 503)
    assert.strictEqual(yield* status, 200)
    yield* Effect.exit(idp.with("keysDown")(Effect.die("broken")))
    assert.strictEqual(yield* status, 200)
    yield* idp.set("keysDown")
    yield* idp.with("keysDown")(Effect.void)
    assert.strictEqual(yield* status, 503)
    yield* idp.reset
    assert.strictEqual(yield* status, 200)
  })
})
