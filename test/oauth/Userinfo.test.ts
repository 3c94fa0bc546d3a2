import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { withRefusal } from "../../src/Provider/internal/ClientKey.ts"
import type { OAuthProvider, OidcProvider } from "../../src/Provider/internal/Provider.ts"
import { settled } from "../Browser.ts"
import {
  against,
  answer,
  clientId,
  flow,
  issuer,
  issuing,
  json,
  metadata,
  oauth,
  oauthFlow,
  oidc,
  otherRsa,
  refusal,
  rsa,
  scripted,
  sign,
  signIn,
  start,
  tokenResponse
} from "./ScriptedProvider.ts"

const given = answer(undefined, oauthFlow)
const plainToken = { "/token": () => json(tokenResponse(undefined)) }
const saying = (response: () => Response) => scripted({ ...plainToken, "/userinfo": response })
const overUserinfo = oidc({ idToken: false })

describe("Userinfo", () => {
  it.gen("P259 the access token travels in the header", function* () {
    const idp = scripted(plainToken)
    yield* against(idp, signIn(oauth(), given))
    const sent = idp.sent.find((one) => one.path === "/userinfo")
    assert.strictEqual(sent?.method, "GET")
    assert.strictEqual(sent?.headers.get("authorization"), "Bearer access-1")
    assert.strictEqual(sent?.headers.get("accept"), "application/json, application/jwt")
    assert.strictEqual(sent?.url, `${issuer}/userinfo`)
  })

  const bad: ReadonlyArray<readonly [title: string, code: string, response: () => Response]> = [
    ["P076, H135 401 in JSON", "invalid_response", () => json({ id: "person-1" }, { status: 401 })],
    ["P076, H135 403 in JSON", "invalid_response", () => json({ id: "person-1" }, { status: 403 })],
    ["P076, H135 500 in JSON", "provider_unavailable", () => json({ id: "person-1" }, { status: 500 })],
    ["P076, H135 503 in HTML", "provider_unavailable", () => new Response("<h1>", { status: 503 })],
    ["P076 204", "invalid_response", () => new Response(null, { status: 204 })],
    ["P077 HTML", "invalid_response", () => json({ id: "person-1" }, { headers: { "content-type": "text/html" } })],
    ["P077 text", "invalid_response", () => json({ id: "person-1" }, { headers: { "content-type": "text/plain" } })],
    [
      "P077 an unexpected signed answer",
      "invalid_response",
      () => json("a.b.c", { headers: { "content-type": "application/jwt" } })
    ],
    ["P077 no content type", "invalid_response", () => new Response(new TextEncoder().encode(`{"id":"person-1"}`))],
    ["H136 a list", "invalid_response", () => json([])],
    ["H136 null", "invalid_response", () => json("null")],
    [
      "H140 a redirect to an internal address",
      "invalid_response",
      () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/latest" } })
    ],
    ["a member twice", "invalid_response", () => json('{"id":"person-1","id":"person-2"}')],
    ["a member twice, deep inside", "invalid_response", () => json('{"id":"person-1","a":[{"b":1,"b":2}]}')],
    ["H129 more than 512 kB", "invalid_response", () => json({ id: "person-1", filler: "x".repeat(600_000) })]
  ]
  for (const [title, code, response] of bad) {
    it.gen(`${title}: the sign-in fails`, function* () {
      const idp = saying(response)
      const failure = yield* against(idp, refusal(oauth(), given))
      assert.strictEqual(failure._tag, "OAuthCallbackError")
      assert.strictEqual(failure.code, code)
      assert.deepStrictEqual(
        idp.sent.map((one) => one.path),
        ["/token", "/userinfo"]
      )
    })
  }

  it.gen("has the platform's own error as the cause of another status, where its body is one", function* () {
    const seen: Array<unknown> = []
    const { profile: read } = oauth()
    // The function is marked: it must be one of this test.
    const own: typeof read = (...call) => read(...call)
    const profile = withRefusal(own, (answer) => {
      seen.push(answer)
      return "code" in Object(answer) ? new Error("of the platform") : undefined
    })
    const asked = (body: () => Response) => against(saying(body), refusal(oauth({ profile }), given))
    const known = yield* asked(() => json({ code: 7 }, { status: 403 }))
    assert.strictEqual(known.code, "invalid_response")
    assert.isTrue(known.cause instanceof Error && known.cause.message === "of the platform")
    const other = yield* asked(() => json({ id: 7 }, { status: 403 }))
    assert.isUndefined(other.cause)
    const none = yield* asked(() => new Response("<h1>", { status: 403 }))
    assert.strictEqual(none.code, "invalid_response")
    assert.isUndefined(none.cause)
    assert.deepStrictEqual(seen, [{ code: 7 }, { id: 7 }])
    const plain = yield* against(
      saying(() => json({ code: 7 }, { status: 403 })),
      refusal(oauth(), given)
    )
    assert.isUndefined(plain.cause)
  })

  it.gen("P074, P261, H122 userinfo about another person than the ID token is refused", function* () {
    const idp = scripted({ "/userinfo": () => json({ sub: "person-2", name: "Eve" }) })
    assert.strictEqual((yield* against(idp, refusal(overUserinfo))).code, "invalid_response")
  })

  for (const sub of [undefined, null, "", 1, ["person-1"], "PERSON-1"]) {
    it.gen(`P075 userinfo with the subject ${JSON.stringify(sub)} is refused`, function* () {
      const idp = scripted({ "/userinfo": () => json({ sub, name: "Ada" }) })
      assert.strictEqual((yield* against(idp, refusal(overUserinfo))).code, "invalid_response")
    })
  }

  it.gen("P079 userinfo replaces the claims, nothing is mixed", function* () {
    const idp = scripted({
      ...issuing({ email: "ada@example.com", email_verified: true }),
      "/userinfo": () => json({ sub: "person-1", email: "eve@example.com" })
    })
    const signedIn = yield* against(idp, signIn(overUserinfo))
    assert.deepStrictEqual(signedIn.profile, { sub: "person-1", email: "eve@example.com" })
    assert.strictEqual(signedIn.user.email, "eve@example.com")
    assert.isFalse(signedIn.emailVerified)
  })

  describe("signed answers", () => {
    const provider = oidc({ idToken: false, clientMetadata: { userinfo_signed_response_alg: "RS256" } })
    const signed = (claims: object, key = rsa) =>
      scripted({
        "/userinfo": () =>
          Effect.map(
            Effect.promise(() => sign(claims, { alg: "RS256", kid: "rsa-1" }, key.privateKey)),
            (token) => json(token, { headers: { "content-type": "application/jwt" } })
          )
      })

    it.gen("P262 a signed answer is verified when it is configured", function* () {
      const idp = signed({ sub: "person-1", name: "Ada", iss: issuer, aud: clientId })
      const signedIn = yield* against(idp, signIn(provider))
      assert.strictEqual(signedIn.user.name, "Ada")
      assert.strictEqual(idp.sent.find((one) => one.path === "/userinfo")?.headers.get("accept"), "application/jwt")
    })

    it.gen("P262 the signed answer of a provider of plain OAuth is verified by its issuer", function* () {
      // Its endpoints are those that the issuer announces.
      const { authorization, token, userinfo } = oidc()
      const clientMetadata = { userinfo_signed_response_alg: "RS256" }
      const plain = oauth({ issuer, authorization, token, userinfo, clientMetadata })
      const claims = { sub: "person-1", id: "person-1", aud: clientId }
      const asked = (more: object) => {
        const { endpoints } = signed({ ...claims, ...more })
        return scripted({ ...plainToken, "/userinfo": endpoints["/userinfo"] ?? (() => json({})) })
      }
      const ofIssuer = answer(undefined, { ...oauthFlow, issuer })
      assert.strictEqual((yield* against(asked({ iss: issuer }), signIn(plain, ofIssuer))).user.id, "person-1")
      const other = yield* against(asked({ iss: "https://evil.example" }), refusal(plain, ofIssuer))
      assert.strictEqual(other.code, "invalid_response")
    })

    it.gen("P262 a signed answer may end in a line break, and says what it is where it is refused", function* () {
      const spaced = (key = rsa) =>
        scripted({
          "/userinfo": () =>
            Effect.map(
              Effect.promise(() => sign({ sub: "person-1" }, { alg: "RS256", kid: "rsa-1" }, key.privateKey)),
              (token) => json(` ${token}\n`, { headers: { "content-type": "application/jwt" } })
            )
        })
      assert.strictEqual((yield* against(spaced(), signIn(provider))).user.id, "person-1")
      assert.include((yield* against(spaced(otherRsa), refusal(provider))).detail, "userinfo response")
      const unsigned = scripted({ "/userinfo": () => json({ sub: "person-1" }) })
      assert.include((yield* against(unsigned, refusal(provider))).detail, "is not signed")
      assert.include((yield* against(spaced(), refusal(overUserinfo))).detail, "is signed, which was not agreed")
      const elsewhere = signed({ sub: "person-1", iss: "https://evil.example" })
      assert.include((yield* against(elsewhere, refusal(provider))).detail, "the userinfo response")
    })

    it.gen("P262 a bad signature, another issuer, another client and an unsigned answer are refused", function* () {
      const claims = { sub: "person-1" }
      assert.strictEqual((yield* against(signed(claims, otherRsa), refusal(provider))).code, "invalid_token")
      assert.strictEqual(
        (yield* against(signed({ ...claims, iss: "https://evil.example" }), refusal(provider))).code,
        "invalid_response"
      )
      assert.strictEqual(
        (yield* against(signed({ ...claims, aud: ["client-2"] }), refusal(provider))).code,
        "invalid_response"
      )
      assert.strictEqual((yield* against(signed({ sub: "person-2" }), refusal(provider))).code, "invalid_response")
      const unsigned = scripted({ "/userinfo": () => json({ sub: "person-1" }) })
      assert.strictEqual((yield* against(unsigned, refusal(provider))).code, "invalid_response")
    })
  })

  describe("userinfo.request", () => {
    const asking = (request: NonNullable<OAuthProvider["userinfo"]["request"]>) =>
      oauth({ userinfo: { url: undefined, request } })
    const askingOidc = (request: NonNullable<OidcProvider["userinfo"]["request"]>) =>
      oidc({ userinfo: { url: undefined, request } })

    it.gen("P259 is given the tokens, the provider and a fetch with the limits of the library", function* () {
      const idp = scripted({ ...plainToken, "/me": () => json({ id: "person-9", name: "Ada" }) })
      const provider = asking(async ({ fetch, provider: source, tokens }) => {
        const response = await fetch(`${issuer}/me?x=1`, {
          headers: { authorization: `Bearer ${tokens.access_token}` }
        })
        assert.strictEqual(source["clientId"], clientId)
        return response.json()
      })
      const signedIn = yield* against(idp, signIn(provider, given))
      assert.strictEqual(signedIn.user.id, "person-9")
      const sent = idp.sent.find((one) => one.path === "/me")
      assert.strictEqual(sent?.headers.get("authorization"), "Bearer access-1")
      assert.strictEqual(sent?.url, `${issuer}/me?x=1`)
    })

    for (const made of [undefined, null, "person-1", [], 1]) {
      it.gen(`H136 that gives ${JSON.stringify(made)} signs no user in`, function* () {
        const failure = yield* against(
          scripted(plainToken),
          refusal(
            asking(() => made),
            given
          )
        )
        assert.strictEqual(failure._tag, "OAuthProfileParseError")
        assert.strictEqual(failure.code, "profile_invalid")
        assert.include(failure.detail, "userinfo.request of the provider gave no profile")
      })
    }

    it.gen("that fails is named, without the tokens that it was given", function* () {
      const provider = asking(({ tokens }) => assert.fail(`no profile for ${tokens.access_token}`))
      const long = { "/token": () => json({ ...tokenResponse(undefined), access_token: "access-token-of-a-person" }) }
      const failure = yield* against(scripted(long), refusal(provider, given))
      assert.include(failure.detail, "userinfo.request of the provider failed")
      assert.include(String(failure.cause), "no profile for")
      assert.notInclude(String(failure.cause), "access-token-of-a-person")
    })

    it.gen("that answers nothing in time is named", function* () {
      const provider = asking(() => new Promise(() => undefined))
      const fiber = yield* Effect.forkChild(against(scripted(plainToken), refusal(provider, given)))
      yield* Effect.repeat(settled, { times: 5 })
      yield* TestClock.adjust("31 seconds")
      assert.include(String((yield* Fiber.join(fiber)).cause), "userinfo.request did not answer")
    })

    it.gen("of plain OAuth gives the profile as it is", function* () {
      const signedIn = yield* against(
        scripted(plainToken),
        signIn(
          asking(() => ({ id: "person-9" })),
          given
        )
      )
      assert.deepStrictEqual(Object.keys(signedIn.profile), ["id"])
    })

    it.gen("H143 that throws, rejects or fails is a typed error with the cause", function* () {
      const cause = new Error("of the application")
      const functions = [() => assert.fail("of the application"), () => Promise.reject(cause), () => Effect.fail(cause)]
      for (const request of functions) {
        const failure = yield* against(scripted(plainToken), refusal(asking(request), given))
        assert.strictEqual(failure.code, "provider_error")
        assert.instanceOf(failure.cause, Error)
      }
    })

    it.gen("P074, H122 of an OpenID Connect provider must speak of the same person", function* () {
      const same = yield* against(scripted(), signIn(askingOidc(() => ({ name: "Ada L." }))))
      assert.deepInclude(same.user, { id: "person-1", name: "Ada L." })
      const other = yield* against(scripted(), refusal(askingOidc(() => ({ sub: "person-2" }))))
      assert.strictEqual(other.code, "invalid_response")
      assert.include(other.detail, "is about another person than the ID token")
    })
  })

  it.gen("P091 plain OAuth without any userinfo is a typed error", function* () {
    const provider = oauth({ userinfo: { url: undefined, request: undefined } })
    assert.strictEqual((yield* against(scripted(plainToken), refusal(provider, given))).code, "provider_error")
  })
})

describe("Claims that the ID token leaves to userinfo (OpenID Connect Core section 5.4)", () => {
  const completing = oidc({ idToken: undefined })
  const none = { name: undefined, picture: undefined, email: undefined, email_verified: undefined }
  const inUserinfo = {
    sub: "person-1",
    name: "Grace",
    picture: "https://idp.example/grace.png",
    email: "grace@example.com",
    email_verified: true
  }
  const leaving = (claims: object, userinfo: unknown = inUserinfo) =>
    scripted({ ...issuing({ ...none, ...claims }), "/userinfo": () => json(userinfo) })
  const scopes = (scope: string) => oidc({ idToken: undefined, authorizationParameters: [["scope", scope]] })

  it.gen("come from there, with the tokens and the proof of the address", function* () {
    const idp = leaving({})
    const { emailVerified, user } = yield* against(idp, signIn(completing))
    assert.deepStrictEqual(user, {
      id: "person-1",
      name: "Grace",
      email: "grace@example.com",
      image: "https://idp.example/grace.png"
    })
    assert.isTrue(emailVerified)
    assert.strictEqual(
      idp.sent.find(({ path }) => path === "/userinfo")?.headers.get("authorization"),
      "Bearer access-1"
    )
  })

  const asked: ReadonlyArray<readonly [title: string, claims: object, provider: OidcProvider, times: number]> = [
    ["no claim of either scope", {}, completing, 1],
    ["a name and no address", { name: "Ada" }, completing, 1],
    ["an address and no other claim", { email: "ada@example.com" }, completing, 1],
    ["null for a name", { name: null, email: "ada@example.com" }, completing, 1],
    ["a claim of each scope", { locale: "en", email: "ada@example.com" }, completing, 0],
    ["no address, which was not asked for", { name: "Ada" }, scopes("openid profile"), 0],
    ["no name, which was not asked for", { email: "ada@example.com" }, scopes("openid email"), 0],
    ["nothing but the subject, which was all", {}, scopes("openid"), 0],
    ["no claim, and idToken: true", {}, oidc({ idToken: true }), 0]
  ]
  for (const [title, claims, provider, times] of asked) {
    it.gen(`an ID token with ${title} asks ${times === 0 ? "nothing" : "once"}`, function* () {
      const idp = leaving(claims)
      yield* against(idp, signIn(provider))
      assert.strictEqual(idp.count("/userinfo"), times)
    })
  }
  for (const [scope, times] of [
    ["openid", 0],
    ["openid email", 1]
  ] as const) {
    it.gen(`a sign-in that asked for ${scope} by itself goes by this scope`, function* () {
      const idp = leaving({})
      const { requested } = yield* against(idp, start(completing, [["scope", scope]], true))
      yield* against(idp, signIn(completing, answer(undefined, { ...flow, requested })))
      assert.strictEqual(idp.count("/userinfo"), times)
    })
  }

  it.gen("an issuer that announces no endpoint is not asked", function* () {
    const { userinfo_endpoint: _, ...announced } = metadata
    const idp = scripted({ ...issuing(none), "/.well-known/openid-configuration": () => json(announced) })
    assert.deepStrictEqual((yield* against(idp, signIn(completing))).user.id, "person-1")
    assert.strictEqual(idp.count("/userinfo"), 0)
  })

  it.gen("do not replace those of the ID token", function* () {
    const { profile, user } = yield* against(
      leaving({ name: "Ada", acr: "high" }, { ...inUserinfo, acr: "low" }),
      signIn(completing)
    )
    assert.deepStrictEqual([user.name, user.email, profile["acr"]], ["Ada", "grace@example.com", "high"])
  })

  it.gen("replace null in the ID token", function* () {
    const withAddress = yield* against(leaving({ name: null, email: "ada@example.com" }), signIn(completing))
    assert.deepStrictEqual([withAddress.user.name, withAddress.user.email], ["Grace", "ada@example.com"])
    const without = yield* against(leaving({ name: null, email: null }), signIn(completing))
    assert.deepStrictEqual([without.user.name, without.user.email], ["Grace", "grace@example.com"])
  })
  const mixed: ReadonlyArray<readonly [title: string, idToken: object, userinfo: object, email: string]> = [
    [
      "the address of the ID token, verified in userinfo",
      { email: "ada@example.com" },
      { email_verified: true },
      "ada@example.com"
    ],
    [
      "the address of userinfo, verified in the ID token",
      { email_verified: true },
      { email: "eve@example.com" },
      "eve@example.com"
    ]
  ]
  for (const [title, idToken, userinfo, email] of mixed) {
    it.gen(`P079 G129 ${title}, is not verified`, function* () {
      const signedIn = yield* against(leaving(idToken, { sub: "person-1", ...userinfo }), signIn(completing))
      assert.deepStrictEqual([signedIn.user.email, signedIn.emailVerified], [email, false])
      assert.notProperty(signedIn.profile, "email_verified")
    })
  }

  const hostile: ReadonlyArray<readonly [title: string, userinfo: unknown]> = [
    ["P074 another subject", { ...inUserinfo, sub: "person-2" }],
    ["P074 a subject in other case", { ...inUserinfo, sub: "Person-1" }]
  ]
  for (const [title, userinfo] of hostile) {
    it.gen(`${title} ends the sign-in`, function* () {
      const failure = yield* against(leaving({}, userinfo), refusal(completing))
      assert.deepStrictEqual([failure._tag, failure.code], ["OAuthCallbackError", "invalid_response"])
      assert.include(failure.message, "another person")
    })
  }

  const failing: ReadonlyArray<readonly [title: string, response: () => Response, reason: string]> = [
    ["500", () => json({}, { status: 500 }), "answered with status 500"],
    ["401", () => json({ error: "invalid_token" }, { status: 401 }), "answered with status 401"],
    [
      "P075 no subject",
      () => json({ ...inUserinfo, sub: undefined }),
      "has no good sub: it must be a string, got nothing"
    ],
    [
      "P075 a subject that is a number",
      () => json({ ...inUserinfo, sub: 1 }),
      "has no good sub: it must be a string, got a number"
    ],
    ["P077 a page", () => new Response("<h1>", { headers: { "content-type": "text/html" } }), "is not marked as JSON"],
    ["H129 more than 512 kB", () => json({ ...inUserinfo, filler: "x".repeat(600_000) }), "larger than 512 kB"],
    [
      "H140 a redirect",
      () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }),
      "redirect"
    ]
  ]
  for (const [title, response, reason] of failing) {
    it.gen(`${title} is a warning, and the person is signed in without them`, function* () {
      const warnings: Array<string> = []
      const { user } = yield* against(
        scripted({ ...issuing(none), "/userinfo": response }),
        signIn(completing).pipe(Effect.provide(collecting(warnings)))
      )
      assert.deepStrictEqual([user.id, user.name, user.email], ["person-1", undefined, undefined])
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], reason)
      assert.match(
        warnings[0] ?? "",
        /^The ID token of idp has no claim of the scope profile and email, .+ Set idToken: true/
      )
    })
  }

  for (const [seconds, name] of [
    [2, "Grace"],
    [4, undefined]
  ] as const) {
    it.gen(
      `an answer after ${seconds} seconds is ${name === undefined ? "not " : ""}waited for, whatever may be interrupted`,
      function* () {
        const warnings: Array<string> = []
        const slow = scripted({
          ...issuing(none),
          "/userinfo": () =>
            Effect.delay(
              Effect.sync(() => json(inUserinfo)),
              `${seconds} seconds`
            )
        })
        const exchange = Effect.uninterruptible(signIn(completing)).pipe(Effect.provide(collecting(warnings)))
        const fiber = yield* Effect.forkChild(against(slow, exchange))
        while (slow.count("/userinfo") === 0) yield* settled
        yield* TestClock.adjust("2 seconds")
        yield* settled
        yield* TestClock.adjust("1 second")
        const { user } = yield* Fiber.join(fiber)
        assert.strictEqual(user.name, name)
        assert.deepStrictEqual(
          warnings.map((text) => text.includes("within three seconds")),
          name === undefined ? [true] : []
        )
      }
    )
  }
})

/** Collects the texts of warnings. */
const collecting = (warnings: Array<string>) =>
  Logger.layer([
    Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") warnings.push(String(Array.isArray(message) ? message[0] : message))
    })
  ])
