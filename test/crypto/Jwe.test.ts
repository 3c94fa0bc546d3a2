import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { base64url as jose64, compactDecrypt, decodeProtectedHeader, EncryptJWT, jwtDecrypt } from "jose"
import type { CryptoEngine } from "../../src/crypto/CryptoEngine.ts"
import { webCrypto } from "../../src/crypto/CryptoEngine.ts"
import type { Opened, Reason, SealOptions } from "../../src/crypto/Jwe.ts"
import { open, seal } from "../../src/crypto/Jwe.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import golden from "../vectors/auth-core-0.41.3.json" with { type: "json" }
import { counting, engines, makeRandom, now, otherSecret, salt, secret } from "./Engines.ts"
import { forge, forgeGcm, kidOf, material } from "./Forge.ts"

const random = makeRandom()
const maxAge = 3600
const valid = { sub: "1", iat: now, exp: now + maxAge }

const reason = (opened: Opened): string | undefined => (opened.ok ? undefined : opened.reason)

const claimsOf = (opened: Opened): Record<string, unknown> => {
  assert(opened.ok, reason(opened))
  return { ...opened.claims }
}

const throughJson = (value: object): unknown => JSON.parse(JSON.stringify(value))

const joseOptions = {
  currentDate: new Date(now * 1000),
  clockTolerance: 15,
  keyManagementAlgorithms: ["dir"],
  contentEncryptionAlgorithms: ["A256CBC-HS512", "A256GCM"]
}

const joseSeal = (claims: Record<string, unknown>, enc: "A256CBC-HS512" | "A256GCM", ikm: string, kid: boolean) => {
  const length = enc === "A256GCM" ? 32 : 64
  return new EncryptJWT(claims)
    .setProtectedHeader({ alg: "dir", enc, ...(kid ? { kid: kidOf(length, ikm) } : {}) })
    .setIssuedAt(now)
    .setExpirationTime(now + maxAge)
    .encrypt(material(length, ikm))
}

const Claims = Schema.Record(Schema.String, Schema.Json)

const isUsable = (claims: object): boolean => !Object.hasOwn(claims, "__proto__") && !Object.hasOwn(claims, "nbf")

describe.each(engines)("Jwe on %s", (_, engine) => {
  const ring = (...secrets: ReadonlyArray<string>) => keyring(secrets, salt, engine)
  const openAt = async (token: string, at = now, secrets: ReadonlyArray<string> = [secret]): Promise<Opened> =>
    open(keyring(secrets, salt, engine), token, { now: at, acceptA256GCM: true })
  const sealAt = async (claims: Record<string, unknown>, at = now, secrets: ReadonlyArray<string> = [secret]) =>
    seal(keyring(secrets, salt, engine), claims, { now: at, maxAge, random })

  it.effect.prop(
    "P245 seals what jose opens and opens what jose seals, for any claims, size and secret",
    {
      claims: Claims,
      ikm: Schema.NonEmptyString,
      size: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8000 }))
    },
    Effect.fnUntraced(function* ({ claims: any, ikm, size }) {
      if (!isUsable(any)) return
      const claims = { ...any, filler: "\u00e9x".repeat(size / 2) }
      const ours = yield* Effect.promise(() => sealAt(claims, now, [ikm]))
      const read = yield* Effect.promise(() => jwtDecrypt(ours, material(64, ikm), joseOptions))
      const { jti } = read.payload
      assert.deepStrictEqual<unknown>(read.payload, throughJson({ ...claims, iat: now, exp: now + maxAge, jti }))
      assert.deepStrictEqual<unknown>(read.protectedHeader, { alg: "dir", enc: "A256CBC-HS512", kid: kidOf(64, ikm) })
      for (const enc of ["A256CBC-HS512", "A256GCM"] as const) {
        for (const kid of [true, false]) {
          const theirs = yield* Effect.promise(() => joseSeal(claims, enc, ikm, kid))
          const opened = yield* Effect.promise(() => openAt(theirs, now, [otherSecret, ikm]))
          assert.deepStrictEqual(claimsOf(opened), throughJson({ ...claims, iat: now, exp: now + maxAge }))
          assert(opened.ok && opened.keyIndex === (ikm === otherSecret ? 0 : 1) && !opened.current)
        }
      }
    }),
    { timeout: 240_000, arbitrary: { runs: 60 } }
  )

  it("opens A256GCM by option alone, and says so without looking at a key", async () => {
    const token = forgeGcm({ payload: valid })
    assert.isTrue((await openAt(token)).ok)
    for (const options of [{ now }, { now, acceptA256GCM: false }]) {
      assert.strictEqual(reason(await open(ring(secret), token, options)), "algorithm_refused")
    }
  })

  it("handles every length of plaintext around the block size", async () => {
    for (let size = 0; size < 40; size++) {
      const token = await sealAt({ f: "f".repeat(size) })
      assert.strictEqual(claimsOf(await openAt(token))["f"], "f".repeat(size))
      assert.strictEqual((await jwtDecrypt(token, material(64), joseOptions)).payload["f"], "f".repeat(size))
    }
  })

  it("P245 writes byte for byte what the golden vectors hold, and opens them", async () => {
    for (const vector of golden.vectors) {
      const vectorRing = keyring([vector.secret], vector.salt, engine)
      const opened = await open(vectorRing, vector.token, { now: vector.now })
      const claims = claimsOf(opened)
      assert.isTrue(opened.ok && opened.current)
      const { jti, ...rest } = claims
      assert(typeof jti === "string")
      assert.deepStrictEqual<unknown>(rest, { ...vector.claims, iat: vector.now, exp: vector.now + vector.maxAge })
      const iv = jose64.decode(vector.token.split(".")[2] ?? "")
      const options = { now: vector.now, maxAge: vector.maxAge, random: () => iv, jti }
      assert.strictEqual(await seal(vectorRing, vector.claims, options), vector.token)
    }
  })

  it("sets iat, exp and jti over claims of these names", async () => {
    const token = await sealAt({ iat: 1, exp: 2, jti: "mine", sub: "1" }, now + 0.9)
    const { exp, iat, jti, sub } = claimsOf(await openAt(token))
    assert.deepStrictEqual([iat, exp, sub], [now, now + maxAge, "1"])
    assert.match(String(jti), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const other = claimsOf(await openAt(await sealAt({})))
    assert.notStrictEqual(other["jti"], jti)
  })

  it("refuses to seal what could not be opened again", async () => {
    const options = { now, maxAge, random }
    const refused = (claims: Record<string, unknown>, options: SealOptions) =>
      assert.throws(() => void seal(ring(secret), claims, options), TypeError)
    refused({}, { ...options, maxAge: Number.NaN })
    refused({}, { ...options, now: Number.POSITIVE_INFINITY })
    refused({ big: 1n }, options)
    refused(Object.fromEntries([["__proto__", {}]]), options)
  })

  it("H051 refuses a token with any one character changed, removed, doubled or cut off after", async () => {
    const token = await sealAt({ sub: "1", name: "Ada" })
    assert.isTrue((await openAt(token)).ok)
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (let at = 0; at < token.length; at++) {
      const before = token.slice(0, at)
      const after = token.slice(at + 1)
      const value = alphabet.indexOf(token.charAt(at))
      // The lowest and the highest bit of the character, and characters that decoders like to skip.
      const others =
        value < 0 ? ["A", "", ".."] : [alphabet.charAt(value ^ 1), alphabet.charAt(value ^ 32), "", ".", "=", " "]
      for (const other of [...others, token.charAt(at).repeat(2)]) {
        const opened = await openAt(before + other + after)
        assert.isFalse(opened.ok, `position ${at}: ${JSON.stringify(other)}`)
      }
      assert.isFalse((await openAt(before)).ok, `cut at ${at}`)
    }
  })

  it("V9.1.1 refuses a token with any bit of vector, ciphertext or tag flipped, by its tag", async () => {
    for (const token of [await sealAt({ sub: "1" }), forgeGcm({ payload: valid })]) {
      const parts = token.split(".")
      for (const part of [2, 3, 4]) {
        const bytes = Buffer.from(parts[part] ?? "", "base64url")
        for (let at = 0; at < bytes.length; at++) {
          for (const bit of [1, 16, 128]) {
            const flipped = Buffer.from(bytes)
            flipped[at] = (flipped[at] ?? 0) ^ bit
            const changed = parts.with(part, flipped.toString("base64url")).join(".")
            assert.strictEqual(reason(await openAt(changed)), "not_authentic", `part ${part}, byte ${at}`)
          }
        }
      }
    }
  })

  it("P226 wants exactly five parts, the second of them empty", async () => {
    const [header, , iv, ciphertext, tag] = (await sealAt({})).split(".")
    for (const token of [
      "",
      ".",
      "....",
      "undefined",
      "a.b.c",
      `${header}.${iv}.${ciphertext}.${tag}`,
      `${header}..${iv}.${ciphertext}`,
      `${header}..${iv}.${ciphertext}.`,
      `${header}..${iv}..${tag}`,
      `${header}...${ciphertext}.${tag}`,
      `..${iv}.${ciphertext}.${tag}`,
      `${header}..${iv}.${ciphertext}.${tag}.`,
      `${header}..${iv}.${ciphertext}.${tag}.${tag}`,
      `.${header}..${iv}.${ciphertext}.${tag}`,
      `${header}.${iv}.${iv}.${ciphertext}.${tag}`
    ]) {
      assert.strictEqual(reason(await openAt(token)), "token_malformed", JSON.stringify(token))
    }
  })

  it("P233 refuses every other length of tag and of vector", async () => {
    for (const [token, whole] of [
      [forge({ payload: valid }), 32],
      [forgeGcm({ payload: valid }), 16]
    ] as const) {
      const parts = token.split(".")
      const tag = Buffer.from(parts[4] ?? "", "base64url")
      for (let length = 1; length <= 64; length++) {
        if (length === whole) continue
        const other = Buffer.alloc(length, tag).toString("base64url")
        assert.isFalse((await openAt(parts.with(4, other).join("."))).ok, `tag of ${length} bytes`)
      }
      const iv = Buffer.from(parts[2] ?? "", "base64url")
      for (const length of [1, 8, 11, 12, 13, 15, 16, 17, 32]) {
        if (length === iv.length) continue
        const other = Buffer.alloc(length, iv).toString("base64url")
        assert.isFalse((await openAt(parts.with(2, other).join("."))).ok, `vector of ${length} bytes`)
      }
    }
  })

  it("P235 refuses every other spelling of an authentic token", async () => {
    for (const token of [forge({ payload: valid }), forgeGcm({ payload: valid })]) {
      assert.isTrue((await openAt(token)).ok)
      const parts = token.split(".")
      for (const at of [0, 2, 3, 4]) {
        const part = parts[at] ?? ""
        const bytes = Buffer.from(part, "base64url")
        const spellings = [
          `${part}=`,
          `${part}==`,
          ` ${part}`,
          `${part}\n`,
          `${part}\t`,
          bytes.toString("base64"),
          `${part}\u0000`
        ]
        for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
          const other = part.slice(0, -1) + last
          if (Buffer.from(other, "base64url").equals(bytes)) spellings.push(other)
        }
        for (const spelling of spellings) {
          if (spelling === part) continue
          assert.isFalse(
            (await openAt(parts.with(at, spelling).join("."))).ok,
            `part ${at}: ${JSON.stringify(spelling)}`
          )
        }
      }
    }
  })

  it("P236 refuses authentic claims that are not one plain JSON object in UTF-8", async () => {
    const payloads: ReadonlyArray<string | Uint8Array> = [
      "",
      "null",
      "[]",
      '"text"',
      "{",
      `{"iat":${now},"exp":${now + 60},"exp":${now + 90}}`,
      `{"iat":${now},"exp":NaN}`,
      `{"iat":${now},"exp":${now + 60},"__proto__":{}}`,
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(valid))])
    ]
    for (const payload of payloads) {
      assert.strictEqual(reason(await openAt(forge({ payload }))), "claims_malformed", String(payload))
      assert.strictEqual(
        reason(await openAt(forgeGcm({ payload }))),
        payload === "" ? "token_malformed" : "claims_malformed"
      )
    }
    const latin1 = Buffer.from(JSON.stringify({ ...valid, name: "Zo\u00eb" }), "latin1")
    assert.isFalse((await openAt(forge({ payload: latin1 }))).ok)
    assert.isFalse((await openAt(forgeGcm({ payload: latin1 }))).ok)
  })

  it("P236 refuses authentic claims with padding that is not PKCS #7", async () => {
    const text = Buffer.from(JSON.stringify(valid))
    const missing = 16 - (text.length % 16)
    assert.isAbove(missing, 2)
    const filled = (padding: ReadonlyArray<number>) =>
      forge({ payload: Buffer.concat([text, Buffer.from(padding)]), padded: true })
    const right = Array.from({ length: missing }, () => missing)
    assert.isTrue((await openAt(filled(right))).ok)
    const wrong = [
      right.with(0, 1),
      right.with(missing - 2, 0),
      right.with(-1, 0),
      right.with(-1, 17),
      right.with(-1, 255)
    ]
    // A block too many, though all its bytes agree.
    wrong.push(Array.from({ length: missing + 16 }, () => missing + 16))
    for (const padding of wrong) assert.isFalse((await openAt(filled(padding))).ok, padding.join())
  })

  it("P242 holds only what it would seal itself today for current", async () => {
    const current = async (token: string) => Reflect.get(await openAt(token), "current")
    assert.isTrue(await current(forge({ payload: valid })))
    assert.isFalse(await current(forgeGcm({ payload: valid })))
    assert.isFalse(await current(forge({ header: { alg: "dir", enc: "A256CBC-HS512" }, payload: valid })))
  })

  it("H053, P237 refuses an authentic token without exp", async () => {
    assert.strictEqual(reason(await openAt(forge({ payload: { sub: "1", iat: now } }))), "exp_missing")
    assert.strictEqual(reason(await openAt(forgeGcm({ payload: { sub: "1", iat: now } }))), "exp_missing")
  })

  it("P238 refuses an authentic token without iat or from the future", async () => {
    assert.strictEqual(reason(await openAt(forge({ payload: { exp: now + 60 } }))), "iat_missing")
    assert.strictEqual(reason(await openAt(forge({ payload: { ...valid, iat: now + 301 } }))), "issued_in_future")
  })

  it("H052 refuses expired, early and foreign tokens", async () => {
    const token = await sealAt({ sub: "1" })
    assert.isTrue((await openAt(token, now + maxAge + 14)).ok)
    assert.strictEqual(reason(await openAt(token, now + maxAge + 15)), "expired")
    assert.strictEqual(reason(await openAt(token, now - 301)), "issued_in_future")
    assert.strictEqual(reason(await openAt(await sealAt({ nbf: now + 60 }))), "not_yet_valid")
    assert.strictEqual(reason(await openAt(token, now, [otherSecret])), "key_unknown")
    const wide = await open(ring(secret), token, { now: now + maxAge + 50, clockTolerance: 60 })
    assert.isTrue(wide.ok)
  })

  it("opens no token of the empty secret, which is the one behind the last", async () => {
    const header = { alg: "dir", enc: "A256CBC-HS512" }
    for (const token of [forge({ payload: valid, secret: "" }), forge({ header, payload: valid, secret: "" })])
      assert.isFalse((await openAt(token)).ok)
  })

  it("P239 refuses a token made for another purpose", async () => {
    for (const name of [`__Secure-${salt}`, "authjs.state", "authjs.pkce.code_verifier", "encodedState"]) {
      assert.strictEqual(reason(await openAt(forge({ payload: valid, salt: name }))), "key_unknown")
      const header = { alg: "dir", enc: "A256CBC-HS512" }
      assert.strictEqual(reason(await openAt(forge({ header, payload: valid, salt: name }))), "not_authentic")
      // The key id of the right key does not make another key right.
      const lying = { ...header, kid: kidOf(64) }
      assert.strictEqual(reason(await openAt(forge({ header: lying, payload: valid, salt: name }))), "not_authentic")
    }
  })

  it("P242 opens with an old secret, says so, and seals with the new one", async () => {
    const old = await sealAt({ sub: "1" }, now, [otherSecret])
    const opened = await openAt(old, now, [secret, otherSecret])
    assert(opened.ok)
    assert.deepStrictEqual([opened.keyIndex, opened.current], [1, false])
    const again = await sealAt({ ...opened.claims }, now, [secret, otherSecret])
    const renewed = await openAt(again, now, [secret])
    assert(renewed.ok)
    assert.deepStrictEqual([renewed.keyIndex, renewed.current, renewed.claims["sub"]], [0, true, "1"])
    assert.strictEqual(reason(await openAt(old, now, [secret])), "key_unknown")
  })

  it("P242 opens with any secret when the token names no key", async () => {
    for (const [index, ikm] of [secret, otherSecret, "third-secret-0123456789-abcdefghijklmnopqrst"].entries()) {
      const secrets = [secret, otherSecret, "third-secret-0123456789-abcdefghijklmnopqrst"]
      const header = { alg: "dir", enc: "A256CBC-HS512" }
      const opened = await openAt(forge({ header, payload: valid, secret: ikm }), now, secrets)
      assert(opened.ok)
      assert.deepStrictEqual([opened.keyIndex, opened.current], [index, false])
    }
  })

  it("refuses a token longer than 32 kB unread", async () => {
    const long = await sealAt({ filler: "f".repeat(25_000) })
    assert.isAbove(long.length, 32_768)
    assert.strictEqual(reason(await openAt(long)), "token_too_large")
    const within = await sealAt({ filler: "f".repeat(24_000) })
    assert.isBelow(within.length, 32_769)
    assert.isTrue((await openAt(within)).ok)
  })

  it.prop(
    "never throws, whatever the text",
    { text: Schema.String, dots: Schema.Array(Schema.String) },
    ({ dots, text }) => {
      for (const token of [text, dots.join("."), `${text}..${dots.join(".")}`]) {
        const opened = open(ring(secret), token, { now })
        assert.isFalse("ok" in opened && opened.ok)
      }
    }
  )

  it.effect.prop(
    "never rejects, whatever follows a good header",
    { iv: Schema.String, ciphertext: Schema.String, tag: Schema.String },
    Effect.fnUntraced(function* ({ ciphertext, iv, tag }) {
      const header = forge({ payload: valid }).split(".")[0]
      const opened = yield* Effect.promise(() => openAt(`${header}..${iv}.${ciphertext}.${tag}`))
      assert.isFalse(opened.ok)
    })
  )
})

/** Headers that must be refused before any key is derived; each token is otherwise authentic. */
const good = { alg: "dir", enc: "A256CBC-HS512", kid: kidOf(64) }
const headers: ReadonlyArray<readonly [string, object | string | Uint8Array, Reason]> = [
  ["P227 alg none", { ...good, alg: "none" }, "algorithm_refused"],
  ["P227 alg A256KW", { ...good, alg: "A256KW" }, "algorithm_refused"],
  ["P227 alg RSA-OAEP-256", { ...good, alg: "RSA-OAEP-256" }, "algorithm_refused"],
  ["P227 alg PBES2", { ...good, alg: "PBES2-HS512+A256KW" }, "algorithm_refused"],
  ["P227 alg in other letters", { ...good, alg: "DIR" }, "algorithm_refused"],
  ["P227 no alg", { enc: good.enc, kid: good.kid }, "algorithm_refused"],
  ["P227 alg as a list", { ...good, alg: ["dir"] }, "algorithm_refused"],
  ["P227 enc A128CBC-HS256", { ...good, enc: "A128CBC-HS256" }, "algorithm_refused"],
  ["P227 enc A192CBC-HS384", { ...good, enc: "A192CBC-HS384" }, "algorithm_refused"],
  ["P227 enc A128GCM", { ...good, enc: "A128GCM" }, "algorithm_refused"],
  ["P227 enc none", { ...good, enc: "none" }, "algorithm_refused"],
  ["P227 no enc", { alg: "dir", kid: good.kid }, "algorithm_refused"],
  ["P229 zip", { ...good, zip: "DEF" }, "header_parameter_refused"],
  ["P230 crit of a known parameter", { ...good, crit: ["exp"], exp: now + 60 }, "header_parameter_refused"],
  ["P230 empty crit", { ...good, crit: [] }, "header_parameter_refused"],
  ["P230 crit b64", { ...good, crit: ["b64"], b64: true }, "header_parameter_refused"],
  ["P231 kid as a list", { ...good, kid: [good.kid] }, "header_malformed"],
  ["P231 kid as an object", { ...good, kid: { toString: good.kid } }, "header_malformed"],
  ["P231 kid null", { ...good, kid: null }, "header_malformed"],
  ["P231 kid twice", `{"alg":"dir","enc":"A256CBC-HS512","kid":"x","kid":"${good.kid}"}`, "header_malformed"],
  ["P231 kid of 1 MB", { ...good, kid: "k".repeat(1_000_000) }, "token_too_large"],
  ["P231 kid of 2 kB", { ...good, kid: "k".repeat(2000) }, "header_too_large"],
  ["P232 of more than 1 kB", { ...good, typ: "J".repeat(1024) }, "header_too_large"],
  ["P232 deep", `{"alg":${"[".repeat(400)}${"]".repeat(400)}}`, "algorithm_refused"],
  [
    "P232 with a member twice",
    `{"alg":"none","alg":"dir","enc":"A256CBC-HS512","kid":"${good.kid}"}`,
    "header_malformed"
  ],
  ["P232 as an array", JSON.stringify([good]), "header_malformed"],
  ["P232 as a text", JSON.stringify("dir"), "header_malformed"],
  ["P232 null", "null", "header_malformed"],
  ["P232 not JSON", "{alg:dir}", "header_malformed"],
  ["P232 with a byte order mark", `\ufeff${JSON.stringify(good)}`, "header_malformed"],
  ["P232 not UTF-8", Buffer.from(JSON.stringify({ ...good, typ: "\u00e9" }), "latin1"), "header_malformed"],
  ["P232 in UTF-16", Buffer.from(JSON.stringify(good), "utf16le"), "header_malformed"],
  ["P232 with a prototype", `{"__proto__":{"alg":"dir"},"enc":"A256CBC-HS512"}`, "header_parameter_refused"],
  ["P244 a nested JWT", { ...good, cty: "JWT" }, "header_parameter_refused"],
  ["P244 another typ", { ...good, typ: "at+jwt" }, "header_parameter_refused"],
  ["V9.1.3 jku", { ...good, jku: "https://evil.example/jwks" }, "header_parameter_refused"],
  ["V9.1.3 jwk", { ...good, jwk: { kty: "oct", k: "AAAA" } }, "header_parameter_refused"],
  ["V9.1.3 x5u", { ...good, x5u: "https://evil.example/x5u" }, "header_parameter_refused"],
  ["V9.1.3 x5c", { ...good, x5c: ["AAAA"] }, "header_parameter_refused"],
  ["V9.1.3 x5t", { ...good, x5t: "AAAA" }, "header_parameter_refused"],
  ["V9.1.3 epk", { ...good, epk: {} }, "header_parameter_refused"],
  ["V9.1.3 p2c", { ...good, p2c: 1e9, p2s: "AAAA" }, "header_parameter_refused"],
  ["V9.1.3 a parameter of nobody", { ...good, constructor: "x" }, "header_parameter_refused"]
]

/** Unknown keys: one derivation for each secret at most, then none. */
const kids: ReadonlyArray<readonly [string, string]> = [
  ["P231 an unknown kid", "unknown"],
  ["P231 an empty kid", ""],
  ["P231 a kid called __proto__", "__proto__"],
  ["P231 a kid that is a path", "../../../../dev/null"],
  ["P231 a kid that is SQL", "' OR 1=1 --"],
  ["P231 a kid in other letters", kidOf(64).toLowerCase()],
  ["P231 the kid of the key for the other encryption", kidOf(32)]
]

describe("Jwe before and after cryptography", () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const untouched = (calls: ReadonlyMap<string, number>) => assert.deepStrictEqual([...calls], [])

  const spySubtle = () => {
    const { subtle } = globalThis.crypto
    return [
      vi.spyOn(subtle, "encrypt"),
      vi.spyOn(subtle, "decrypt"),
      vi.spyOn(subtle, "sign"),
      vi.spyOn(subtle, "verify"),
      vi.spyOn(subtle, "digest"),
      vi.spyOn(subtle, "importKey"),
      vi.spyOn(subtle, "deriveBits"),
      vi.spyOn(subtle, "deriveKey")
    ] as const
  }
  const subtleCalls = (spies: ReturnType<typeof spySubtle>): number =>
    spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)

  it.each(headers)("%s is refused before any cryptography", async (_, header, expected) => {
    const token = forge({ header, payload: valid })
    const { calls, engine } = counting()
    assert.deepStrictEqual(open(keyring([secret], salt, engine), token, { now }), { ok: false, reason: expected })
    untouched(calls)
    const spies = spySubtle()
    assert.strictEqual(reason(await open(keyring([secret], salt, webCrypto), token, { now })), expected)
    assert.strictEqual(subtleCalls(spies), 0)
  })

  it("accepts the same header when nothing is wrong with it, in any order and with white space", async () => {
    for (const [, engine] of engines) {
      for (const header of [
        good,
        { ...good, typ: "JWT" },
        { kid: good.kid, enc: good.enc, alg: good.alg },
        JSON.stringify(good, null, 2)
      ]) {
        const opened = await open(keyring([secret], salt, engine), forge({ header, payload: valid }), { now })
        assert.isTrue(opened.ok, reason(opened))
      }
    }
  })

  it.each(kids)("%s costs one derivation for each secret, once", (_, kid) => {
    const { calls, engine } = counting()
    const ring = keyring([secret, otherSecret], salt, engine)
    const token = forge({ header: { ...good, kid }, payload: valid })
    for (let i = 0; i < 20; i++) {
      assert.deepStrictEqual(open(ring, token, { now }), { ok: false, reason: "key_unknown" })
    }
    assert.strictEqual(calls.get("hkdf"), 2)
    assert.strictEqual(calls.get("digest"), undefined)
    assert.strictEqual(calls.get("decipher"), undefined)
  })

  it("H075 a thousand invalid tokens derive no key after the first", () => {
    const { calls, engine } = counting()
    const ring = keyring([secret, otherSecret], salt, engine)
    const tokens = [
      forge({
        header: { alg: "dir", enc: "A256CBC-HS512" },
        payload: valid,
        secret: "someone-else-0123456789-0123456789"
      }),
      forge({ payload: valid, secret: "someone-else-0123456789-0123456789" }),
      "garbage"
    ]
    for (let i = 0; i < 1000; i++) {
      for (const token of tokens) assert.isFalse(Reflect.get(open(ring, token, { now }), "ok"))
    }
    assert.strictEqual(calls.get("hkdf"), 2)
  })

  it("refuses the token of RFC 7520 section 5.6, which jose opens: its encryption is not ours", async () => {
    const token = [
      "eyJhbGciOiJkaXIiLCJraWQiOiI3N2M3ZTJiOC02ZTEzLTQ1Y2YtODY3Mi02MTdiNWI0NTI0M2EiLCJlbmMiOiJBMTI4R0NNIn0",
      "",
      "refa467QzzKx6QAB",
      "JW_i_f52hww_ELQPGaYyeAB6HYGcR559l9TYnSovc23XJoBcW29rHP8yZOZG7YhLpT1bjFuvZPjQS-m0IFtVcXkZXdH_lr_FrdYt9HRUYkshtrMmIUAyGmUnd9zMDB2n0cRDIHAzFVeJUDxkUwVAE7_YGRPdcqMyiBoCO-FBdE-Nceb4h3-FtBP-c_BIwCPTjb9o0SbdcdREEMJMyZBH8ySWMVi1gPD9yxi-aQpGbSv_F9N4IZAxscj5g-NJsUPbjk29-s7LJAGb15wEBtXphVCgyy53CoIKLHHeJHXex45Uz9aKZSRSInZI-wjsY0yu3cT4_aQ3i1o-tiE-F8Ios61EKgyIQ4CWao8PFMj8TTnp",
      "vbb32Xvllea2OtmHAdccRQ"
    ].join(".")
    assert.strictEqual(decodeProtectedHeader(token).enc, "A128GCM")
    const { plaintext } = await compactDecrypt(token, jose64.decode("XctOhJAkA-pD9Lh7ZgW_2A"))
    assert.match(new TextDecoder().decode(plaintext), /^You can trust us to stick with you/)
    const opened = await open(keyring([secret], salt), token, { now })
    assert.strictEqual(reason(opened), "algorithm_refused")
  })

  it("P244 refuses a signed token in place of an encrypted one", async () => {
    const signed = `${Buffer.from('{"alg":"HS256"}').toString("base64url")}.e30.AAAA`
    assert.strictEqual(reason(await open(keyring([secret], salt), signed, { now })), "token_malformed")
  })

  it("P244 draws vector and identifier from the randomness given, anew for each token", () => {
    const drawn: Array<number> = []
    const source = makeRandom(7)
    const random = (bytes: number) => {
      drawn.push(bytes)
      return source(bytes)
    }
    const { engine } = counting()
    const ring = keyring([secret], salt, engine)
    const tokens = Array.from({ length: 50 }, () => seal(ring, {}, { now, maxAge, random }))
    assert.deepStrictEqual(
      drawn,
      Array.from({ length: 50 }, () => 32)
    )
    assert.strictEqual(new Set(tokens.map((token) => String(token).split(".")[2])).size, 50)
  })

  it("works on node:crypto with two ciphers a key and two digests each, synchronously, and no other call", () => {
    const { calls, engine } = counting()
    const ring = keyring([secret], salt, engine)
    const first = seal(ring, {}, { now, maxAge, random })
    assert(typeof first === "string")
    assert.isTrue(Reflect.get(open(ring, first, { now }), "ok"))
    assert.strictEqual(calls.get("cipher"), 1)
    assert.strictEqual(calls.get("decipher"), 1)
    calls.clear()
    const spies = spySubtle()
    for (let i = 0; i < 10; i++) {
      const token = seal(ring, { sub: "1" }, { now, maxAge, random })
      assert(typeof token === "string")
      assert.isTrue(Reflect.get(open(ring, token, { now }), "ok"))
    }
    assert.deepStrictEqual(Object.fromEntries(calls), { hash: 40 })
    assert.strictEqual(subtleCalls(spies), 0)
  })

  it("works on WebCrypto with two calls a token once the key is there", async () => {
    const ring = keyring([secret], salt, webCrypto)
    await seal(ring, {}, { now, maxAge, random })
    const spies = spySubtle()
    const token = await seal(ring, { sub: "1" }, { now, maxAge, random })
    assert.strictEqual(subtleCalls(spies), 2)
    assert.isTrue((await open(ring, token, { now })).ok)
    assert.strictEqual(subtleCalls(spies), 4)
    // Not authentic: one call, and nothing decrypted.
    const [header, key, iv, , tag] = token.split(".")
    const other = [header, key, iv, Buffer.alloc(32).toString("base64url"), tag].join(".")
    assert.strictEqual(reason(await open(ring, other, { now })), "not_authentic")
    assert.strictEqual(subtleCalls(spies), 5)
    const [, decrypt] = spies
    assert.strictEqual(decrypt.mock.calls.length, 1)
  })

  it("reads and writes the same bytes on both engines", async () => {
    const sealOn = async (engine: CryptoEngine) =>
      seal(keyring([secret], salt, engine), { name: "Zo\u00eb" }, { now, maxAge, random: makeRandom(3) })
    const [one, two] = await Promise.all(engines.map(([, engine]) => sealOn(engine)))
    assert.strictEqual(one, two)
  })
})

describe("a token at its bounds", () => {
  const ring = keyring([secret], salt)

  it.each([
    ["a token of the most characters", "a".repeat(32_768), "token_malformed"],
    ["a token of more", "a".repeat(32_769), "token_too_large"],
    ["a header of one character", "a..b.c.d", "header_malformed"],
    ["a header of the most characters", `${"a".repeat(1366)}..b.c.d`, "header_malformed"],
    ["a header of more", `${"a".repeat(1367)}..b.c.d`, "header_too_large"],
    ["no header", "..b.c.d", "token_malformed"]
  ])("refuses %s for what it is", async (_, token, expected) => {
    assert.strictEqual(reason(await open(ring, token, { now, acceptA256GCM: false })), expected)
  })

  it("names itself by a UUID of version 4 of the random bytes behind the initialization vector", async () => {
    const counted = (size: number) => Uint8Array.from({ length: size }, (_, index) => index % 16)
    const token = await seal(ring, { sub: "1" }, { now, maxAge, random: counted })
    const opened = claimsOf(await open(ring, token, { now, acceptA256GCM: false }))
    assert.strictEqual(opened["jti"], "00010203-0405-4607-8809-0a0b0c0d0e0f")
  })
})
