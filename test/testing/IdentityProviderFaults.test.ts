import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import {
  type FaultName,
  faults,
  IdentityProvider,
  type Place,
  type TestProvider
} from "../../src/testing/IdentityProvider.ts"
import { hasSession, signIn, siteWith, userOf } from "./SignInAt.ts"

const names = Object.keys(faults) as Array<FaultName>

const paths: Partial<Record<Place, string>> = {
  discovery: "/.well-known/openid-configuration",
  keys: "/keys",
  token: "/token",
  userinfo: "/userinfo"
}

/** Lets the time pass that a slow answer takes, once it is waited for. */
const passTime = Effect.fnUntraced(function* (idp: TestProvider, fault: FaultName) {
  const wanted = fault.endsWith("Slow") ? "10 seconds" : fault.endsWith("Leisurely") ? "5 seconds" : undefined
  if (wanted === undefined) return
  const path = paths[faults[fault].place]
  yield* Effect.promise(async () => {
    while (!idp.requests.some((one) => one.path === path && one.status === undefined)) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    await new Promise((resolve) => setImmediate(resolve))
  })
  yield* TestClock.adjust(wanted)
})

const isLate = (fault: FaultName) => fault.endsWith("Slow") || fault.endsWith("Leisurely")

/** Lets everything happen that waits for nothing but its turn. */
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/** A client's view of a provider from the metadata to the profile, at its own pace. */
const transcript = Effect.fnUntraced(function* (idp: TestProvider) {
  const seen: Array<string> = []
  const send = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    const response = yield* idp.client.execute(request)
    const text = yield* response.text
    seen.push(`${response.status} ${text}`)
    return text
  })
  yield* send(HttpClientRequest.get(`${idp.issuer}/.well-known/openid-configuration`))
  yield* send(HttpClientRequest.get(`${idp.issuer}/keys`))
  const address = new URL(`${idp.issuer}/authorize`)
  address.search = new URLSearchParams({
    client_id: String(idp.provider().clientId),
    response_type: "code",
    redirect_uri: "https://app.example/callback",
    scope: "openid profile email",
    code_challenge: createHash("sha256").update("verifier").digest("base64url"),
    code_challenge_method: "S256"
  }).toString()
  const back = yield* idp.authorize(address)
  seen.push(back.href)
  const tokens = yield* send(
    HttpClientRequest.post(`${idp.issuer}/token`).pipe(
      HttpClientRequest.bodyUrlParams({
        grant_type: "authorization_code",
        code: back.searchParams.get("code") ?? "",
        redirect_uri: "https://app.example/callback",
        code_verifier: "verifier",
        client_id: String(idp.provider().clientId),
        client_secret: String(idp.provider().clientSecret)
      })
    )
  )
  const [, access = "none"] = /"access_token":"([^"]+)"/.exec(tokens) ?? []
  yield* send(HttpClientRequest.get(`${idp.issuer}/userinfo`).pipe(HttpClientRequest.bearerToken(access)))
  return seen
})

describe("the faults of the provider", () => {
  it("are many, each with one sentence of its own", () => {
    assert.isAtLeast(names.length, 25)
    assert.strictEqual(new Set(names.map((fault) => faults[fault].what)).size, names.length)
    for (const fault of names) assert.match(faults[fault].what, /^[A-Z][^.]*\.$|^[A-Z].*\(.*\)\.$/)
  })

  it("stand in the documentation by their outcome", () => {
    const page = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8")
    const documented = [...page.matchAll(/^\| ([^|]+) \| (`\w+`(?:, `\w+`)*) \|$/gm)].flatMap(
      ([, outcome = "", list = ""]) => list.split(", ").map((name) => `${name.slice(1, -1)}: ${outcome}`)
    )
    const outcomes = names.map((fault) => {
      const facts = faults[fault]
      const outcome =
        facts.outcome === "accepted"
          ? "a session"
          : `\`${facts.failure}\`, \`${facts.code}\`${facts.retryable ? ", retryable" : ""}`
      return `${fault}: ${outcome}`
    })
    assert.includeMembers(documented, outcomes)
  })

  it.gen("are off at first: two providers answer the same, byte for byte", function* () {
    const honest = yield* transcript(IdentityProvider.make())
    assert.deepStrictEqual(yield* transcript(IdentityProvider.make()), honest)
    assert.deepStrictEqual(
      honest.map((line) => line.slice(0, 3)),
      ["200", "200", "htt", "200", "200"]
    )
  })

  for (const fault of names.filter((name) => faults[name].outcome === "accepted" && !isLate(name))) {
    it.gen(`${fault} changes what a client gets to see`, function* () {
      const honest = yield* transcript(IdentityProvider.make())
      const idp = IdentityProvider.make()
      assert.notDeepEqual(yield* idp.with(fault)(transcript(idp)), honest)
    })
  }

  for (const fault of names.filter(isLate)) {
    it.gen(`${fault} keeps a client waiting`, function* () {
      const idp = IdentityProvider.make()
      yield* idp.set(fault)
      const { place } = faults[fault]
      const url = `${idp.issuer}${paths[place]}`
      const answer = yield* Effect.forkChild(place === "token" ? idp.client.post(url) : idp.client.get(url))
      yield* settle
      assert.isUndefined(idp.requests[0]?.status)
      yield* TestClock.adjust(fault.endsWith("Slow") ? "59 seconds" : "4 seconds")
      yield* settle
      assert.isUndefined(idp.requests[0]?.status)
      yield* TestClock.adjust("1 second")
      const { status } = yield* Fiber.join(answer)
      assert.strictEqual(status, { token: 400, userinfo: 401 }[place as string] ?? 200)
    })
  }

  for (const fault of names) {
    const facts = faults[fault]
    it.gen(`${fault}: ${facts.what}`, function* () {
      yield* TestClock.setTime(1_800_000_000_000)
      const idp = IdentityProvider.make()
      const more = facts.place === "userinfo" ? { idToken: false } : {}
      yield* Effect.gen(function* () {
        const attempt = yield* Effect.forkChild(idp.with(fault)(signIn(idp)))
        yield* passTime(idp, fault)
        const { failure, response } = yield* Fiber.join(attempt)
        if (facts.outcome === "accepted") {
          assert.isUndefined(failure)
          assert.isTrue(hasSession(response))
          assert.strictEqual((yield* userOf(response))?.["email"], "ada@example.com")
        } else {
          assert.deepStrictEqual(
            { failure: failure?._tag, code: failure?.code, retryable: failure?.retryable ?? false },
            { failure: facts.failure, code: facts.code, retryable: facts.retryable }
          )
          assert.isFalse(hasSession(response))
        }
      }).pipe(Effect.provide(siteWith(idp, more)))
    })
  }
})
