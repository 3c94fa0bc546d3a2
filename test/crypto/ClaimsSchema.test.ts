import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Claims as ReadClaims, readClaims } from "../../src/crypto/Claims.ts"
import { readJsonObject } from "../../src/internal/JsonText.ts"
import { Claims } from "../../src/models/Claims.ts"
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
