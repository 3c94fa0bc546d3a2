/**
 * Logout tokens of a provider (OpenID Connect Back-Channel Logout 1.0): section 2.6 as a table, and what they end.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import * as jose from "jose"
import { inspect } from "node:util"
import { removeUser } from "../../src/actions/UserData.ts"
import * as MemoryAdapter from "../../src/storage/MemoryAdapter.ts"
import { compile } from "../../src/config/Settings.ts"
import { UserId } from "../../src/models/Id.ts"
import { forgetUser, remember } from "../../src/session/ProviderSessions.ts"
import { ClientAddress } from "../../src/telemetry/AuditEmitter.ts"
import { type Browser, browser, type Log, start } from "../Browser.ts"
import { idpOrigin } from "../MemoryProvider.ts"
import {
  atSite,
  goodClaims,
  goodHeader,
  logoutEvent,
  logoutToken,
  post,
  providerWith,
  signedIn,
  siteWith,
  strategies,
  logoutSite
} from "./LogoutSite.ts"
import { makeStore } from "../StateStore.ts"
import { json, otherRsa, rsa, sign, signText } from "../oauth/ScriptedProvider.ts"

const on = { backchannelLogout: true }
const tokens = strategies["token sessions"]

/** Faults of a token, by the step of section 2.6 that refuses it. */
const refused: ReadonlyArray<readonly [name: string, claims: object, header?: object]> = [
  ["P104 step 2: no signature algorithm", {}, { alg: "none" }],
  ["P104 step 2: an algorithm that was not announced", {}, { alg: "PS256" }],
  ["P105 typ of an access token", {}, { typ: "at+jwt" }],
  ["P105 typ of another security event", {}, { typ: "secevent+jwt" }],
  ["P105 typ that is no text", {}, { typ: 7 }],
  ["a critical extension", {}, { crit: ["x"], x: 1 }],
  ["P106 step 3: iss of another issuer", { iss: "https://other.example" }],
  ["P106 step 3: iss with a slash", { iss: `${idpOrigin}/` }],
  ["P106 step 3: no iss", { iss: undefined }],
  ["P106 step 3: aud of another client", { aud: "client-2" }],
  ["P106 step 3: aud with a client that is not trusted", { aud: ["client-1", "client-2"] }],
  ["P106 step 3: no aud", { aud: undefined }],
  ["P106 step 3: azp of another client", { azp: "client-2" }],
  ["P106 step 3: no iat", { iat: undefined }],
  ["P106 step 3: iat that is text", { iat: "1800000000" }],
  ["P106 step 3: iat in the future", { iat: 1_800_000_061, exp: 1_800_000_120 }],
  ["P106 step 3: no exp", { exp: undefined }],
  ["P106 step 3: exp that is over", { iat: 1_799_999_800, exp: 1_799_999_939 }],
  ["P106 step 3: exp that is text", { exp: "1800000100" }],
  ["P111 an age of more than two minutes, whatever its end is", { iat: 1_799_999_819, exp: 1_800_003_600 }],
  ["P107 step 4: neither sub nor sid", { sub: undefined, sid: undefined }],
  ["step 4: sub that is empty", { sub: "" }],
  ["step 4: sub that is a number", { sub: 7 }],
  ["step 4: sid that is a list", { sid: ["provider-session-1"] }],
  ["step 4: sid with a line break", { sid: "provider\nsession" }],
  ["P117 step 5: no events, as in an ID token", { events: undefined }],
  ["step 5: events of another kind", { events: { "http://schemas.openid.net/event/other": {} } }],
  ["step 5: events that is text", { events: logoutEvent }],
  ["step 5: events whose member is no object", { events: { [logoutEvent]: true } }],
  ["step 5: events that is a list", { events: [logoutEvent] }],
  ["P109 step 6: a nonce", { nonce: "nonce-1" }],
  ["P109 step 6: a nonce that is null", { nonce: null }],
  ["P110 step 7: no jti", { jti: undefined }],
  ["P110 step 7: jti that is a number", { jti: 1 }],
  ["jti of 256 characters", { jti: "x".repeat(256) }],
  ["nbf in the future", { nbf: 1_800_000_100 }]
]

describe("a logout token that is refused: 400, and the session goes on", () => {
  for (const [name, claims, header = {}] of refused) {
    const provider = providerWith()
    it.gen(name, atSite(on, tokens(), provider), function* () {
      const person = yield* signedIn(provider)
      const good = yield* goodClaims
      const token = yield* Effect.promise(() =>
        Object.keys(header).length > 0
          ? signText(JSON.stringify({ ...goodHeader, ...header }), JSON.stringify({ ...good, ...claims }))
          : sign({ ...good, ...claims }, goodHeader, rsa.privateKey)
      )
      const seen = yield* post(token)
      assert.strictEqual(seen.status, 400)
      assert.strictEqual((JSON.parse(seen.body) as { error: string }).error, "invalid_request")
      assert.include(seen.headers.get("cache-control"), "no-store")
      assert.isNotNull(yield* person.session)
    })
  }

  it.play("P104, P283 a signature of another key, and one that was cut", logoutSite(on, tokens()), function* (scene) {
    const { provider } = scene
    const person = yield* signedIn(provider)
    const claims = yield* goodClaims
    const forged = yield* Effect.promise(() => sign(claims, goodHeader, otherRsa.privateKey))
    const good = yield* logoutToken()
    for (const token of [forged, good.slice(0, -4), `${good.split(".").slice(0, 2).join(".")}.`, "x", ""]) {
      assert.strictEqual((yield* post(token)).status, 400)
    }
    assert.isNotNull(yield* person.session)
  })

  it.effect("that names unknown keys, however many: a sign-in finds the new key of the provider at once", () => {
    const provider = providerWith()
    provider.script["/keys"] = () => json({ keys: [otherRsa.jwk] })
    return Effect.gen(function* () {
      for (const _ of [1, 2, 3]) {
        const unknown = yield* logoutToken({}, { kid: "unknown" })
        assert.strictEqual((yield* post(unknown)).status, 400)
      }
      assert.strictEqual(provider.count("/keys"), 2)
      provider.script["/keys"] = () => json({ keys: [rsa.jwk] })
      const person = yield* signedIn(provider)
      assert.isNotNull(yield* person.session)
      assert.strictEqual(provider.count("/keys"), 3)
    }).pipe(atSite(on, tokens(), provider))
  })

  it.play("P117 the ID token of the session", logoutSite(on, tokens()), function* ({ provider }) {
    const person = yield* signedIn(provider)
    assert.strictEqual((yield* post(provider.issued[0] ?? "")).status, 400)
    assert.isNotNull(yield* person.session)
  })

  it.effect("P105 one without a type, where only typed ones are accepted", () => {
    const provider = providerWith()
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      for (const typ of [undefined, "JWT"]) {
        assert.strictEqual((yield* post(yield* logoutToken({}, { typ }))).status, 400)
      }
      assert.isNotNull(yield* person.session)
      assert.strictEqual((yield* post(yield* logoutToken({}, { typ: "application/logout+jwt" }))).status, 200)
      assert.isNull(yield* person.session)
    }).pipe(atSite({ backchannelLogout: "strict" }, tokens(), provider))
  })

  it.effect(
    "P111 one that lives longer than two minutes, in strict mode; in the other one it counts for as long",
    () => {
      const provider = providerWith()
      const long = logoutToken({ exp: 1_800_003_600, jti: "long" })
      return Effect.gen(function* () {
        assert.strictEqual((yield* post(yield* logoutToken({ exp: 1_800_000_181 }))).status, 400)
        assert.strictEqual((yield* post(yield* logoutToken({ exp: 1_800_000_180 }))).status, 200)
      }).pipe(
        atSite({ backchannelLogout: "strict" }, tokens(), provider),
        Effect.andThen(
          Effect.gen(function* () {
            const token = yield* long
            yield* TestClock.adjust("180 seconds")
            assert.strictEqual((yield* post(token)).status, 200)
            const late = yield* logoutToken({ iat: 1_800_000_000, exp: 1_800_003_600, jti: "late" })
            yield* TestClock.adjust("1 second")
            assert.strictEqual((yield* post(late)).status, 400)
            assert.strictEqual((yield* post(token)).status, 400)
          }).pipe(atSite(on, tokens(), provider))
        )
      )
    }
  )

  it.effect("one without sid, where the client registered for it", () => {
    const provider = providerWith()
    const client = { backchannel_logout_session_required: true }
    return Effect.gen(function* () {
      assert.strictEqual((yield* post(yield* logoutToken({ sid: undefined }))).status, 400)
      assert.strictEqual((yield* post(yield* logoutToken())).status, 200)
    }).pipe(atSite({ ...on, client }, tokens(), provider))
  })

  it.gen("P103 one that is not encrypted, where ID tokens are", function* () {
    const provider = providerWith()
    const { privateKey, publicKey } = yield* Effect.promise(() => jose.generateKeyPair("RSA-OAEP"))
    yield* Effect.gen(function* () {
      const token = yield* logoutToken()
      assert.strictEqual((yield* post(token)).status, 400)
      const encrypted = yield* Effect.promise(() =>
        new jose.CompactEncrypt(new TextEncoder().encode(token))
          .setProtectedHeader({ alg: "RSA-OAEP", enc: "A128GCM" })
          .encrypt(publicKey)
      )
      assert.strictEqual((yield* post(encrypted)).status, 200)
    }).pipe(atSite({ ...on, idTokenDecryption: privateKey }, tokens(), provider))
  })

  it.play("another request than section 2.5 describes", logoutSite(on, tokens()), function* () {
    const token = yield* logoutToken()
    const path = "/auth/backchannel-logout/idp"
    const sent = (type: string, body: string) =>
      browser().send("POST", path, { headers: { "content-type": type }, body })
    assert.strictEqual((yield* sent("application/json", JSON.stringify({ logout_token: token }))).status, 400)
    assert.strictEqual((yield* sent("application/x-www-form-urlencoded", "token=1")).status, 400)
    assert.strictEqual(
      (yield* sent("application/x-www-form-urlencoded", "logout_token=1&logout_token=2").pipe(Effect.flip))._tag,
      "MalformedRequest"
    )
    const large = yield* Effect.flip(sent("application/x-www-form-urlencoded", `logout_token=${"x".repeat(70_000)}`))
    assert.strictEqual(large._tag, "PayloadTooLarge")
    const get = yield* browser().get(`${path}?logout_token=${token}`)
    assert.deepStrictEqual([get.status, get.headers.get("allow")], [405, "POST"])
    assert.strictEqual((yield* post(token)).status, 200)
  })
})

for (const [kind, session] of Object.entries(strategies)) {
  describe(`a logout token ends, ${kind}`, () => {
    it.effect("P112, P118 the session of its sid, and no other: 200, empty, not to be stored", () => {
      const provider = providerWith()
      return Effect.gen(function* () {
        const one = yield* signedIn(provider)
        const other = yield* signedIn(provider, "provider-session-2")
        const seen = yield* post(yield* logoutToken())
        assert.deepStrictEqual([seen.status, seen.body], [200, ""])
        assert.include(seen.headers.get("cache-control"), "no-store")
        assert.isNull(yield* one.session)
        assert.isNotNull(yield* other.session)
      }).pipe(atSite(on, session(), provider))
    })

    it.effect("P113 all sessions of its sub, where it has no sid, and those of no other user", () => {
      const provider = providerWith()
      return Effect.gen(function* () {
        const one = yield* signedIn(provider)
        const two = yield* signedIn(provider, "provider-session-2")
        const stranger = yield* signedIn(provider, "provider-session-3", "person-2")
        assert.strictEqual((yield* post(yield* logoutToken({ sid: undefined }))).status, 200)
        assert.isNull(yield* one.session)
        assert.isNull(yield* two.session)
        assert.isNotNull(yield* stranger.session)
        const again = yield* signedIn(provider, "provider-session-4")
        assert.isNotNull(yield* again.session)
      }).pipe(atSite(on, session(), provider))
    })

    it.effect("the session of its sid alone, without sub; none where sub is of another person", () => {
      const provider = providerWith()
      return Effect.gen(function* () {
        const person = yield* signedIn(provider)
        assert.strictEqual((yield* post(yield* logoutToken({ sub: "person-2" }))).status, 200)
        assert.isNotNull(yield* person.session)
        assert.strictEqual((yield* post(yield* logoutToken({ sub: undefined, jti: "logout-2" }))).status, 200)
        assert.isNull(yield* person.session)
      }).pipe(atSite(on, session(), provider))
    })

    it.play("P110 nothing when it comes a second time", logoutSite(on, session()), function* ({ provider }) {
      yield* signedIn(provider)
      const token = yield* logoutToken({ sid: undefined })
      assert.strictEqual((yield* post(token)).status, 200)
      const again = yield* signedIn(provider)
      assert.strictEqual((yield* post(token)).status, 400)
      assert.isNotNull(yield* again.session)
      // Until nothing accepts it any more.
      yield* TestClock.adjust("179 seconds")
      assert.strictEqual((yield* post(token)).status, 400)
      assert.isNotNull(yield* again.session)
    })

    it.play("P115 the same when it comes twice at once", logoutSite(on, session()), function* ({ provider }) {
      const person = yield* signedIn(provider)
      const token = yield* logoutToken()
      const seen = yield* Effect.all([post(token), post(token)], { concurrency: "unbounded" })
      assert.isTrue(seen.some(({ status }) => status === 200))
      assert.isTrue(seen.every(({ status }) => status === 200 || status === 400))
      assert.isNull(yield* person.session)
    })

    it.play("each of seventy sessions of its sid, and of its sub", logoutSite(on, session()), function* ({ provider }) {
      const count = 70
      const signedInOften = Effect.forEach(Array.from({ length: count }), () => signedIn(provider))
      const over = (people: ReadonlyArray<Browser>) =>
        Effect.map(
          Effect.forEach(people, ({ session }) => session),
          (sessions) => sessions.filter((found) => found === null).length
        )
      const first = yield* signedInOften
      assert.strictEqual((yield* post(yield* logoutToken())).status, 200)
      assert.strictEqual(yield* over(first), count)
      const second = yield* signedInOften
      assert.strictEqual((yield* post(yield* logoutToken({ sid: undefined, jti: "logout-2" }))).status, 200)
      assert.strictEqual(yield* over(second), count)
    })

    const named: ReadonlyArray<readonly [string, object]> = [
      ["sid and sub", {}],
      ["sid", { sub: undefined }],
      ["sub", { sid: undefined }]
    ]
    for (const [name, claims] of named) {
      it.effect(`P112 the sign-in that is on its way, by ${name}, and not the next one`, () => {
        const provider = providerWith()
        return Effect.gen(function* () {
          const person = browser()
          const away = yield* person.leave()
          yield* TestClock.adjust(1)
          assert.strictEqual((yield* post(yield* logoutToken(claims))).status, 200)
          const seen = yield* person.get(provider.agree(away))
          assert.include(seen.location, "error=")
          assert.strictEqual(seen.failure?._tag, "OAuthCallbackError")
          assert.isNull(yield* person.session)
          const next = yield* signedIn(provider)
          assert.isNotNull(yield* next.session)
        }).pipe(atSite(on, session(), provider))
      })
    }

    it.effect("P112 no sign-in that is on its way of another session and another person", () => {
      const provider = providerWith()
      return Effect.gen(function* () {
        const person = browser()
        const away = yield* person.leave()
        yield* TestClock.adjust(1)
        for (const [index, claims] of [
          { sid: "other" },
          { sid: "other", sub: undefined },
          { sid: undefined, sub: "person-2" },
          { sub: "person-2" }
        ].entries())
          assert.strictEqual((yield* post(yield* logoutToken({ ...claims, jti: `logout-${index}` }))).status, 200)
        yield* person.get(provider.agree(away))
        assert.isNotNull(yield* person.session)
      }).pipe(atSite(on, session(), provider))
    })

    it.play("P121 for any cookies of the browser, and sets none", logoutSite(on, session()), function* ({ provider }) {
      const person = yield* signedIn(provider)
      const bystander = yield* signedIn(provider, "provider-session-2", "person-2")
      bystander.cookies.set("__Host-authjs.session-token.0", "stray")
      const seen = yield* post(yield* logoutToken(), bystander, { origin: "https://idp.example" })
      assert.deepStrictEqual([seen.status, seen.lines], [200, []])
      assert.isNull(yield* person.session)
    })
  })
}

describe("a logout token and the store", () => {
  it.effect("P116 is 503 while it is down, ends nothing, and the same token ends the session afterwards", () => {
    const provider = providerWith()
    const { faults, store } = makeStore()
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      const token = yield* logoutToken()
      faults.isDown = true
      const seen = yield* post(token)
      assert.strictEqual(seen.status, 503)
      assert.strictEqual((JSON.parse(seen.body) as { error: string }).error, "temporarily_unavailable")
      faults.isDown = false
      assert.isNotNull(yield* person.session)
      assert.strictEqual((yield* post(token)).status, 200)
      assert.isNull(yield* person.session)
    }).pipe(atSite(on, { ...tokens(), sharedState: store }, provider, log))
  })

  it.effect("refuses a sign-in whose session its provider could not end", () => {
    const provider = providerWith()
    const { faults, store } = makeStore()
    return Effect.gen(function* () {
      const person = browser()
      const away = yield* person.leave()
      faults.isDown = true
      const seen = yield* person.get(provider.agree(away))
      assert.include(seen.location, "error=")
      faults.isDown = false
      assert.isNull(yield* person.session)
    }).pipe(atSite(on, { ...tokens(), sharedState: store }, provider))
  })

  it.effect("holds no token of a session and no name beyond ASCII", () => {
    const provider = providerWith()
    const { store, values } = makeStore()
    const { methods, ...adapter } = MemoryAdapter.make()
    const without = { ...adapter, methods: new Set([...methods].filter((name) => name !== "endSession")) }
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      const token = person.cookies.get("__Host-authjs.session-token") ?? "-"
      const kept = [...values.values()].join("\n")
      assert.include(kept, "sealed")
      assert.notInclude(kept, token)
      assert.match(kept, /^[\x20-\x7e\n]*$/)
      assert.strictEqual((yield* post(yield* logoutToken())).status, 200)
      assert.isNull(yield* person.session)
    }).pipe(atSite(on, { adapter: without, sharedState: store }, provider))
  })

  it.effect("one session that cannot be ended does not keep the others: they end, and the answer is a failure", () => {
    const provider = providerWith()
    const { store, values } = makeStore()
    const { methods, ...adapter } = MemoryAdapter.make()
    const without = { ...adapter, methods: new Set([...methods].filter((name) => name !== "endSession")) }
    return Effect.gen(function* () {
      const broken = yield* signedIn(provider)
      const other = yield* signedIn(provider)
      for (const [key, value] of values)
        if (key.startsWith("value.provider-session:"))
          values.set(key, value.replace(/"sealed":"[^"]*"/, '"sealed":"of another secret"'))
      assert.isAtLeast((yield* post(yield* logoutToken())).status, 400)
      assert.isNotNull(yield* broken.session)
      assert.isNull(yield* other.session)
    }).pipe(atSite(on, { adapter: without, sharedState: store }, provider))
  })

  it.effect("holds no id of a user who was removed, and those of others", () => {
    const provider = providerWith()
    const { store, values } = makeStore()
    const adapter = MemoryAdapter.make()
    return Effect.gen(function* () {
      yield* Effect.forEach(Array.from({ length: 66 }), () => signedIn(provider))
      const other = yield* signedIn(provider, "provider-session-1", "person-2")
      const idOf = (sub: string) =>
        Effect.map(
          adapter.getUserByAccount({ provider: "idp", providerAccountId: sub }),
          (user) => Option.getOrThrow(user).id
        )
      const [one, two] = [yield* idOf("person-1"), yield* idOf("person-2")]
      const kept = () => [...values.values()].join("\n")
      assert.include(kept(), one)
      assert.isTrue(yield* removeUser(one))
      assert.notInclude(kept(), one)
      assert.notInclude(kept(), "person-1")
      assert.include(kept(), two)
      assert.strictEqual((yield* post(yield* logoutToken({ sub: undefined }))).status, 200)
      assert.isNull(yield* other.session)
    }).pipe(atSite(on, { adapter, sharedState: store }, provider))
  })

  it.effect("holds a hundred pages of older sessions, warns when it drops one, and looks for no page behind it", () => {
    const { calls, store, values } = makeStore()
    const log: Log = { entries: [] }
    const userId = UserId.make("user-1")
    const person = { provider: "idp", issuer: idpOrigin, sub: "person-1" }
    const isHeld = (session: number) =>
      [...values.values()].some((value) => value.includes(`"id":"session-${session}"`))
    const warnings = () =>
      log.entries.filter(({ message }) => String(message).includes("can no longer end the 64 oldest"))
    const rememberFrom = (first: number, end: number) =>
      Effect.forEach(
        Array.from({ length: end - first }, (_, index) => `session-${first + index}`),
        (id) => remember(person, { id, userId, token: undefined }, start)
      )
    return Effect.gen(function* () {
      // A page of 64 sessions, and one that goes on as the one after 99 pages would.
      yield* rememberFrom(0, 65)
      for (const [key, value] of values) values.set(key, value.replace('"older":1,', '"older":99,'))
      yield* rememberFrom(65, 129)
      assert.deepStrictEqual([isHeld(0), isHeld(64), warnings().length], [true, true, 0])
      yield* rememberFrom(129, 193)
      assert.deepStrictEqual([isHeld(0), isHeld(63), isHeld(64), isHeld(192)], [false, false, true, true])
      // The list of the person, and that of the user.
      assert.strictEqual(warnings().length, 2)
      Object.assign(calls, { get: 0, swap: 0 })
      yield* forgetUser(userId)
      assert.isBelow(calls.get + calls.swap, 50)
      assert.notInclude([...values.values()].join(), "session-")
    }).pipe(atSite(on, { ...tokens(), sharedState: store }, providerWith(), log))
  })

  it.effect("P119 ends the refresh token, unless the person agreed to access without a session", () => {
    const provider = providerWith()
    const adapter = MemoryAdapter.make()
    return Effect.gen(function* () {
      yield* signedIn(provider)
      const before = Option.getOrThrow(yield* adapter.getAccount("person-1", "idp"))
      assert.strictEqual(before.refresh_token, "refresh-token-1")
      yield* post(yield* logoutToken())
      const after = Option.getOrThrow(yield* adapter.getAccount("person-1", "idp"))
      assert.notStrictEqual(after.refresh_token, "refresh-token-1")

      yield* signedIn(provider)
      yield* adapter.updateAccount({ provider: "idp", providerAccountId: "person-1", scope: "openid offline_access" })
      yield* post(yield* logoutToken({ jti: "logout-2" }))
      const kept = Option.getOrThrow(yield* adapter.getAccount("person-1", "idp"))
      assert.strictEqual(kept.refresh_token, "refresh-token-1")
    }).pipe(Effect.orDie, atSite(on, { adapter }, provider))
  })
})

describe("the budget of logout tokens", () => {
  const from = (address: string) => Effect.provideService(ClientAddress, address)
  const garbage = logoutToken({ aud: "client-2" })

  it.effect("refuses the tokens of a client that sends garbage, with Retry-After, and of no other client", () => {
    const provider = providerWith()
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      const [bad, good] = [yield* garbage, yield* logoutToken()]
      for (let sent = 0; sent < 1000; sent++) {
        const { status } = yield* from("192.0.2.1")(post(bad))
        if (status !== 400) assert.strictEqual(status, 400, `token ${sent}`)
      }
      const refused = yield* from("192.0.2.1")(post(good))
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "1"])
      assert.include(refused.headers.get("ratelimit"), `"logout"`)
      assert.isNotNull(yield* person.session)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* from("198.51.100.1")(post(good))).status, 200)
      assert.isNull(yield* person.session)
    }).pipe(atSite(on, tokens(), provider))
  })

  it.effect("of all clients leaves the provider alone, from an address that has sent nothing before", () => {
    const provider = providerWith()
    return Effect.gen(function* () {
      const bad = yield* garbage
      const statuses: Array<number> = []
      for (let sent = 0; sent < 1010; sent++) statuses.push((yield* from(`192.0.2.${sent % 200}`)(post(bad))).status)
      assert.deepStrictEqual([statuses[999], statuses[1009]], [400, 429])
      const person = yield* signedIn(provider)
      assert.strictEqual((yield* from("198.51.100.1")(post(yield* logoutToken()))).status, 200)
      assert.isNull(yield* person.session)
    }).pipe(atSite(on, tokens(), provider))
  })

  it.effect("counts no token that verifies, and none is refused where no address of a client is known", () => {
    const provider = providerWith()
    return Effect.gen(function* () {
      for (let sent = 0; sent < 1100; sent++) yield* post(yield* garbage)
      assert.strictEqual((yield* post(yield* garbage)).status, 429)
      for (let sent = 0; sent < 1100; sent++) {
        const { status } = yield* post(yield* logoutToken({ jti: `logout-${sent}` }))
        if (status !== 200) assert.strictEqual(status, 200)
      }
    }).pipe(atSite(on, tokens(), provider))
  })
})

describe("what is logged of a logout", () => {
  /** All that was said, whole: messages, causes and members that do not print. */
  const said = (log: Log): string => inspect(log.entries, { depth: 12, showHidden: true, maxStringLength: null })

  it.effect(
    "H277 holds no logout token, ID token, refresh token or name of a session or person at the provider",
    () => {
      const provider = providerWith()
      const log: Log = { entries: [] }
      return Effect.gen(function* () {
        const sid = "canary-session-at-the-provider"
        const sub = "canary-person-at-the-provider"
        const bodies: Array<string> = []
        const person = yield* signedIn(provider, sid, sub)
        const good = yield* logoutToken({ sid, sub })
        const bad = yield* logoutToken({ sid, sub, jti: "canary-jti", aud: "canary-audience" })
        const forged = `${good.slice(0, -6)}AAAAAA`
        for (const token of [bad, forged, good, good]) bodies.push((yield* post(token)).body)
        const other = yield* signedIn(provider, sid, sub)
        yield* other.submit("/auth/signout", { callbackUrl: "/" })
        assert.isNull(yield* person.session)
        const all = said(log) + bodies.join("\n")
        assert.isAbove(log.entries.length, 2)
        const secrets = [sid, sub, "canary-jti", provider.tokens.refresh]
        const parts = [good, bad, ...provider.issued].flatMap((token) => token.split(".").slice(1))
        for (const secret of [...secrets, ...parts]) assert.notInclude(all, secret)
      }).pipe(atSite({ ...on, logout: "provider" }, { ...tokens(), debug: true }, provider, log))
    }
  )
})

describe("a logout in a frame", () => {
  it.play("P130 ends no session: the path is no endpoint", logoutSite(on, tokens()), function* ({ provider }) {
    const person = yield* signedIn(provider)
    const query = new URLSearchParams({ iss: idpOrigin, sid: "provider-session-1" })
    const refused = yield* Effect.flip(browser().get(`/auth/frontchannel-logout/idp?${query}`))
    assert.strictEqual(refused._tag, "UnknownAction")
    assert.isNotNull(yield* person.session)
  })

  it.play("P131 no page and no endpoint may be framed", logoutSite(on, tokens()), function* () {
    for (const path of ["signin", "signout", "error", "verify-request", "session", "csrf", "providers"]) {
      const { headers } = yield* browser().get(`/auth/${path}`)
      const isPage = headers.get("content-type")?.startsWith("text/html") === true
      if (isPage) assert.include(headers.get("content-security-policy"), "frame-ancestors 'none'", path)
    }
  })
})

describe("the options of a provider", () => {
  const problemsOf = (options: object, session: object = {}, more: object = {}) =>
    compile(siteWith({ ...options, ...more }, { session }))
      .problems()
      .map(({ error }) => error.field)

  it("need revocation for sessions that are tokens", () => {
    assert.include(problemsOf(on), "providers.idp.backchannelLogout")
    assert.notInclude(problemsOf(on, { revocation: true }), "providers.idp.backchannelLogout")
    assert.notInclude(problemsOf({ logout: "provider" }), "providers.idp.logout")
  })

  it("need OpenID Connect", () => {
    const oauth = {
      type: "oauth",
      authorization: "https://idp.example/a",
      token: "https://idp.example/t",
      userinfo: "https://idp.example/u"
    }
    for (const options of [{ logout: "provider" }, on]) {
      assert.include(problemsOf(options, { revocation: true }, oauth), `providers.idp.${Object.keys(options)[0]}`)
    }
  })

  it("are decoded: another word or type disables the provider", () => {
    for (const options of [{ logout: "global" }, { logout: true }, { backchannelLogout: "loose" }]) {
      assert.include(problemsOf(options, { revocation: true }), "providers.idp", JSON.stringify(options))
    }
    assert.include(problemsOf({ backchanelLogout: true }, { revocation: true }), "providers.idp.backchanelLogout")
  })
})
