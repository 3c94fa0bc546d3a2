/**
 * Which signed tokens of a provider are read at all, and with which keys they are verified.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as jose from "jose"
import { connectionOf } from "../../src/oauth/Connection.ts"
import { isSymmetric, read, readClaims, verify, type Expectation } from "../../src/oauth/SignedToken.ts"
import type { Transport } from "../../src/oauth/Transport.ts"
import { buffered, oidc, reasonOf } from "./ScriptedProvider.ts"

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
const unsigned = (header: object, claims: object = {}): string => `${part(header)}.${part(claims)}.c2ln`

const expecting = (registered?: unknown, announced?: ReadonlyArray<string>): Expectation => ({
  what: "ID token",
  registered,
  announced
})

/** Why a text is refused, or the algorithm of the token that was read. */
const reading = (text: string, expected = expecting()): Effect.Effect<string> =>
  Effect.match(read(expected, text), {
    onFailure: ({ detail }) => reasonOf(detail),
    onSuccess: ({ algorithm }) => algorithm
  })

const families = ["RS", "PS", "ES"].flatMap((family) => ["256", "384", "512"].map((bits) => family + bits))
const asymmetric = [...families, "EdDSA", "Ed25519"]
const symmetric = ["HS256", "HS384", "HS512"]
const notAgreed = "the ID token is signed with an algorithm that was not agreed"

describe("the algorithm of a token", () => {
  for (const alg of [...asymmetric, ...symmetric]) {
    it.gen(`P050, P051 ${alg} counts when the client registered it, and no other one does`, function* () {
      assert.strictEqual(yield* reading(unsigned({ alg }), expecting(alg)), alg)
      for (const other of [...asymmetric, ...symmetric].filter((one) => one !== alg)) {
        assert.strictEqual(yield* reading(unsigned({ alg }), expecting(other, [alg])), notAgreed)
      }
      assert.strictEqual(isSymmetric(alg), symmetric.includes(alg))
    })

    it.gen(`P050 ${alg} that was announced counts when it is asymmetric`, function* () {
      const isGood = asymmetric.includes(alg)
      assert.strictEqual(yield* reading(unsigned({ alg }), expecting(undefined, [alg])), isGood ? alg : notAgreed)
      assert.strictEqual(yield* reading(unsigned({ alg }), expecting(undefined, [])), notAgreed)
      assert.strictEqual(yield* reading(unsigned({ alg })), alg === "RS256" ? alg : notAgreed)
    })
  }

  for (const alg of ["none", "RS1", "ES256K", "constructor", ""]) {
    it.gen(`P049, P050 "${alg}" counts neither registered nor announced`, function* () {
      assert.strictEqual(yield* reading(unsigned({ alg }), expecting(alg)), notAgreed)
      assert.strictEqual(yield* reading(unsigned({ alg }), expecting(undefined, [alg])), notAgreed)
      assert.isFalse(isSymmetric(alg))
    })
  }

  it.gen("P050 a token without an algorithm, or with one that is no text, is refused", function* () {
    assert.strictEqual(yield* reading(unsigned({})), notAgreed)
    assert.strictEqual(yield* reading(unsigned({ alg: 5 }), expecting(5)), notAgreed)
    assert.strictEqual(yield* reading(unsigned({ alg: ["RS256"] })), notAgreed)
  })
})

describe("the header of a token", () => {
  const header = (members: object) => reading(unsigned({ alg: "RS256", ...members }))
  const cases: ReadonlyArray<readonly [string, object, string]> = [
    ["crit", { crit: ["exp"] }, "demands an extension that is not supported"],
    ["an empty crit", { crit: [] }, "demands an extension that is not supported"],
    ["b64", { b64: false }, "demands an extension that is not supported"],
    ["a kid that is a number", { kid: 1 }, "names its key in a malformed way (kid)"],
    ["a kid that is a list", { kid: ["a"] }, "names its key in a malformed way (kid)"],
    ["a kid of 1025 characters", { kid: "a".repeat(1025) }, "names its key in a malformed way (kid)"],
    ["a typ that is a number", { typ: 1 }, "is of another type (typ)"],
    ["the typ of an access token", { typ: "at+jwt" }, "is of another type (typ)"],
    ["the typ of a logout token in capitals", { typ: "LOGOUT+JWT" }, "is of another type (typ)"]
  ]
  for (const [name, members, reason] of cases) {
    it.gen(`P058 refuses ${name}`, function* () {
      assert.strictEqual(yield* header(members), `the ID token ${reason}`)
    })
  }

  it.gen("P057 takes a kid of 1024 characters, the typ JWT, and parameters that nothing reads", function* () {
    assert.strictEqual(yield* header({ kid: "a".repeat(1024), typ: "JWT", jku: "https://evil.example" }), "RS256")
  })
})

describe("the form of a token", () => {
  const good = unsigned({ alg: "RS256" })
  const longest = 65_536
  /** A token of so many characters; the header takes up what no base64url text can have. */
  const ofLength = (length: number): string => {
    const candidates = ["", "x", "xx", "xxx"].map((x) => {
      const start = `${part({ alg: "RS256", x })}.${part({})}.`
      return start + "A".repeat(length - start.length)
    })
    return candidates.find((text) => ((text.split(".")[2]?.length ?? 1) - 1) % 4 !== 0) ?? ""
  }
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["one part", "a", "is no signed token"],
    ["two parts", good.split(".").slice(0, 2).join("."), "is no signed token"],
    ["four parts", `${good}.x`, "is no signed token"],
    ["five parts", `${good}.x.y`, "is encrypted, which was not agreed"],
    ["six parts", `${good}.x.y.z`, "is no signed token"],
    ["a header that is no base64url", `*.${part({})}.c2ln`, "is malformed"],
    ["a header that is no JSON", `YQ.${part({})}.c2ln`, "is malformed"],
    ["claims that are no JSON", `${part({ alg: "RS256" })}.YQ.c2ln`, "is malformed"],
    ["claims that are a list", `${part({ alg: "RS256" })}.${part([])}.c2ln`, "is malformed"],
    ["a signature that is no base64url", `${part({ alg: "RS256" })}.${part({})}.*`, "is malformed"],
    ["more than 65,536 characters", ofLength(longest + 1), "is no signed token"]
  ]
  for (const [name, text, reason] of cases) {
    it.gen(`refuses ${name}`, function* () {
      assert.strictEqual(yield* reading(text), `the ID token ${reason}`)
    })
  }

  it.gen("takes 65,536 characters", function* () {
    assert.strictEqual(ofLength(longest).length, longest)
    assert.strictEqual(yield* reading(ofLength(longest)), "RS256")
  })

  it("reads unverified claims from three parts or more", () => {
    assert.deepStrictEqual(readClaims(unsigned({}, { sub: "7" })), { sub: "7" })
    assert.deepStrictEqual(readClaims(`x.${part({ sub: "7" })}.`), { sub: "7" })
    for (const text of ["", "a", `x.${part({})}`, `x.YQ.z`, `x.${part([])}.z`]) assert.isUndefined(readClaims(text))
    assert.isUndefined(readClaims(`x.${part({ sub: "7" })}.${"A".repeat(longest)}`))
    const prefix = `x.${part({ sub: "7" })}.`
    assert.deepStrictEqual(readClaims(prefix + "A".repeat(longest - prefix.length)), { sub: "7" })
  })
})

describe("the keys of a token", () => {
  const publishing = (...keys: ReadonlyArray<object>): Transport => ({
    send: () => Effect.succeed(buffered({ keys })),
    owner: {},
    scope: ""
  })
  const jwksUri = "https://idp.example/keys"
  /** Why a token is not verified, or "good". */
  const verifying = (
    token: string,
    algorithm: string,
    trust: Partial<Expectation>,
    { keys = [], secret }: { readonly keys?: ReadonlyArray<object>; readonly secret?: string } = {}
  ): Effect.Effect<string> => {
    const expected = { ...expecting(algorithm), ...trust }
    const provider = oidc({ clientSecret: secret === undefined ? undefined : Redacted.make(secret) })
    return Effect.flatMap(read(expected, token), (unverified) =>
      verify(connectionOf(publishing(...keys), provider), unverified)
    ).pipe(Effect.match({ onFailure: ({ detail }) => reasonOf(detail), onSuccess: () => "good" }))
  }
  const byHmac = (secret: string, claims: object = {}) =>
    Effect.promise(() =>
      new jose.CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(secret))
    )

  for (const [length, answer] of [
    [32, "good"],
    [33, "good"],
    [31, "the client secret is too short for the registered signature algorithm"]
  ] as const) {
    it.gen(`P052, P257 a client secret of ${length} bytes: ${answer}`, function* () {
      const secret = "s".repeat(length)
      assert.strictEqual(yield* verifying(yield* byHmac(secret), "HS256", { jwksUri: undefined }, { secret }), answer)
    })
  }

  it.gen("P052, P257 without a client secret nothing is verified by one", function* () {
    assert.strictEqual(
      yield* verifying(yield* byHmac("Stryker was here!".repeat(2)), "HS256", { jwksUri }),
      "the client secret is too short for the registered signature algorithm"
    )
    assert.strictEqual(
      yield* verifying(yield* byHmac("a".repeat(32)), "HS256", { jwksUri }, { secret: "b".repeat(32) }),
      "the ID token has a signature that is not good"
    )
  })

  it.gen("P253 an issuer without jwks_uri, no key, a key that is not allowed, the second of two keys", function* () {
    const [first, second] = yield* Effect.promise(() =>
      Promise.all([jose.generateKeyPair("RS256"), jose.generateKeyPair("RS256")])
    )
    const token = yield* Effect.promise(() =>
      new jose.CompactSign(new TextEncoder().encode("{}")).setProtectedHeader({ alg: "RS256" }).sign(second.privateKey)
    )
    const keys = yield* Effect.promise(() =>
      Promise.all([first, second].map(({ publicKey }) => jose.exportJWK(publicKey)))
    )
    const [wrong = {}, right = {}] = keys
    assert.strictEqual(
      yield* verifying(token, "RS256", { jwksUri: undefined }, { keys }),
      "the issuer announces no jwks_uri, so nothing it signs can be checked"
    )
    assert.strictEqual(yield* verifying(token, "RS256", { jwksUri }, { keys }), "good")
    assert.strictEqual(yield* verifying(token, "RS256", { jwksUri }, { keys: [right, wrong] }), "good")
    assert.strictEqual(
      yield* verifying(token, "RS256", { jwksUri }, { keys: [wrong] }),
      "the ID token has a signature that is not good"
    )
    const noKey = yield* verifying(token, "RS256", { jwksUri }, { keys: [] })
    assert.match(noKey, /^the ID token .*key/)
    assert.notInclude(noKey, "signature that is not good")
    assert.strictEqual(yield* verifying(token, "RS256", { jwksUri, isKeyAllowed: () => false }, { keys }), noKey)
    assert.strictEqual(yield* verifying(token, "RS256", { jwksUri, isKeyAllowed: () => true }, { keys }), "good")
  })

  it.gen("times count with a minute between two clocks", function* () {
    yield* TestClock.setTime(1_000_000_000)
    const secret = "s".repeat(32)
    const at = (claims: object) =>
      Effect.flatMap(byHmac(secret, claims), (token) => verifying(token, "HS256", { jwksUri }, { secret }))
    assert.strictEqual(yield* at({ exp: 1_000_000 - 59 }), "good")
    assert.notStrictEqual(yield* at({ exp: 1_000_000 - 60 }), "good")
    assert.strictEqual(yield* at({ nbf: 1_000_000 + 60 }), "good")
    assert.notStrictEqual(yield* at({ nbf: 1_000_000 + 61 }), "good")
  })
})
