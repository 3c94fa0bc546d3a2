import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Claims as ReadClaims, readClaims } from "../../src/crypto/Jwe.ts"
import { readJsonObject } from "../../src/internal/JsonText.ts"
import { Claims } from "./ClaimsSchema.ts"
import { now } from "./Engines.ts"

const tolerance = 15

const decode = Schema.decodeUnknownOption(Claims)

/** What the Schema and the three times make of a text. */
const readBySchema = (text: string): typeof Claims.Type | undefined => {
  const claims = Option.getOrUndefined(decode(readJsonObject(text)))
  if (claims === undefined) return undefined
  const { exp, iat, nbf = now } = claims
  return exp > now - tolerance && iat <= now + 300 && nbf <= now + tolerance ? claims : undefined
}

const isRead = (claims: ReturnType<typeof readClaims>): claims is ReadClaims => typeof claims !== "string"

const agree = (text: string): void => {
  const byHand = readClaims(text, now, tolerance)
  assert.deepStrictEqual<unknown>(isRead(byHand) ? byHand : undefined, readBySchema(text), text)
}

/** Times beside the bounds, and values that are no times. */
const Time = Schema.Union([Schema.Literals([-301, -300, -16, -15, -14, 0, 14, 15, 16, 60, 300, 301]), Schema.Json])

const Case = Schema.Struct({
  exp: Schema.optionalKey(Time),
  iat: Schema.optionalKey(Time),
  nbf: Schema.optionalKey(Time),
  more: Schema.Record(Schema.Union([Schema.String, Schema.Literals(["sub", "name", "effect-doorman"])]), Schema.Json),
  sound: Schema.Literals(["none", "exp", "iat", "both", "both", "both"]),
  isPolluted: Schema.Literals([false, false, false, true])
})

const textOf = ({ isPolluted, more, sound, ...given }: typeof Case.Type): string => {
  const times = {
    ...given,
    ...(sound === "exp" || sound === "both" ? { exp: 60 } : {}),
    ...(sound === "iat" || sound === "both" ? { iat: 0 } : {})
  }
  const entries = Object.entries(times).map(([name, time]) => [name, typeof time === "number" ? now + time : time])
  const text = JSON.stringify({ ...more, ...Object.fromEntries(entries) })
  return isPolluted ? text.replace("{", text === "{}" ? '{"__proto__":null' : '{"__proto__":null,') : text
}

const Mutation = Schema.Struct({
  at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 })),
  put: Schema.Literals(["", "0", "9", "-", ".", "e", '"', ",", ":", "{", "}", "[", "]", "\\", " ", "\ufeff", "exp"]),
  drop: Schema.Literals([0, 0, 1, 2])
})

describe("Claims of a session token", () => {
  it.prop(
    "the decoder written by hand and the Schema accept the same and read the same",
    { claims: Case },
    ({ claims }) => agree(textOf(claims)),
    { arbitrary: { runs: 5000 } }
  )

  it.prop(
    "so they do with every text that is broken somewhere",
    { claims: Case, mutation: Mutation },
    ({ claims, mutation: { at, drop, put } }) => {
      const text = textOf({ ...claims, sound: "both", isPolluted: false })
      const place = at % (text.length + 1)
      agree(text.slice(0, place) + put + text.slice(place + drop))
    },
    { arbitrary: { runs: 5000 } }
  )

  it.effect("of the values many are accepted and many refused", () =>
    Effect.map(Arbitrary.sampleEffect(Arbitrary.schema(Case), { count: 1000, seed: 7 }), (cases) => {
      const accepted = cases.filter((one) => readBySchema(textOf(one)) !== undefined).length
      assert.isAbove(accepted, 50)
      assert.isBelow(accepted, 950)
    })
  )
})

const read = (claims: object | string) =>
  readClaims(typeof claims === "string" ? claims : JSON.stringify(claims), now, 15)

const valid = { iat: now, exp: now + 60 }

describe("Claims", () => {
  it.each([
    ["an array", "[]"],
    ["null", "null"],
    ["a text", '"claims"'],
    ["a number", "1"],
    ["nothing", ""],
    ["a byte order mark", `\ufeff${JSON.stringify(valid)}`],
    ["something behind", `${JSON.stringify(valid)},`],
    ["NaN", `{"iat":${now},"exp":NaN}`],
    ["a claim twice", `{"iat":${now},"exp":${now + 60},"sub":"a","sub":"b"}`],
    ["a member twice, deep inside", `{"iat":${now},"exp":${now + 60},"data":[{"id":1,"id":2}]}`],
    ["a claim twice, once escaped", `{"iat":${now},"exp":${now - 60},"e\\u0078p":${now + 60}}`],
    ["a prototype", `{"iat":${now},"exp":${now + 60},"__proto__":{"admin":true}}`],
    ["an escaped prototype", `{"iat":${now},"exp":${now + 60},"__pr\\u006fto__":null}`]
  ])("P236 refuses claims that are no plain object: %s", (_, text) => {
    assert.strictEqual(read(text), "claims_malformed")
  })

  it("P237 refuses an exp that is missing or no finite number", () => {
    const exps: ReadonlyArray<unknown> = [undefined, null, "", String(now + 60), true, [now + 60], {}]
    for (const exp of exps) assert.strictEqual(read({ iat: now, exp }), "exp_missing", String(exp))
    assert.strictEqual(read(`{"iat":${now},"exp":1e999}`), "exp_missing")
  })

  it("P238 refuses an iat that is missing, no finite number, or more than five minutes ahead", () => {
    const iats: ReadonlyArray<unknown> = [undefined, null, "", String(now), false, [now]]
    for (const iat of iats) assert.strictEqual(read({ exp: now + 60, iat }), "iat_missing", String(iat))
    assert.strictEqual(read({ ...valid, iat: now + 301 }), "issued_in_future")
    assert.deepStrictEqual<unknown>(read({ ...valid, iat: now + 300 }), { ...valid, iat: now + 300 })
  })

  it("H052 keeps to the times, with fifteen seconds of tolerance", () => {
    assert.strictEqual(read({ ...valid, exp: now - 15 }), "expired")
    assert.isObject(read({ ...valid, exp: now - 14 }))
    assert.strictEqual(read({ ...valid, nbf: now + 16 }), "not_yet_valid")
    assert.isObject(read({ ...valid, nbf: now + 15 }))
    for (const nbf of [null, "0", [], true]) {
      assert.strictEqual(readClaims(JSON.stringify({ ...valid, nbf }), now, 15), "nbf_malformed")
    }
  })
})
