/**
 * Decoders written by hand against the Schema of the same shape: microseconds for one value.
 *
 *     node bench/decoders.mjs [--quick]
 *
 * Needs a Node.js that runs TypeScript. Rounds of both alternate; a figure is the median of the rounds.
 */
import { parseArgs } from "node:util"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readClaims } from "../src/crypto/Jwe.ts"
import { readJsonObject } from "../src/internal/JsonText.ts"
import { Claims } from "../test/crypto/ClaimsSchema.ts"

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false } } })

const rounds = options.quick ? 5 : 15
const values = options.quick ? 5000 : 20_000
const now = 1_800_000_000

const decodeClaims = Schema.decodeUnknownOption(Claims)

const decodeBySchema = (text) => Option.getOrUndefined(decodeClaims(readJsonObject(text)))

const claimsOf = (roles) =>
  JSON.stringify({
    name: "Ada Lovelace",
    email: "ada@example.com",
    picture: "https://example.com/ada.png",
    sub: "user-1",
    ...Object.fromEntries(Array.from({ length: roles }, (_, index) => [`claim-${index}`, `value ${index}`])),
    "effect-doorman": { v: 1, sid: "0123456789abcdefghijkl", gen: 3 },
    iat: now - 60,
    exp: now + 2_592_000,
    jti: "5f0c1d9e-7f2b-4c3e-9a61-2f3a4b5c6d7e"
  })

const shapes = [
  ["session token, 8 claims", claimsOf(0)],
  ["session token, 40 claims", claimsOf(32)]
]

let sink

const measure = (decode, text) => {
  const started = performance.now()
  for (let value = 0; value < values; value++) sink = decode(text)
  return ((performance.now() - started) * 1000) / values
}

const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]

const rows = shapes.map(([shape, text]) => {
  const hand = []
  const schema = []
  const json = []
  for (let round = 0; round < rounds; round++) {
    json.push(measure(readJsonObject, text))
    hand.push(measure((given) => readClaims(given, now, 15), text))
    schema.push(measure(decodeBySchema, text))
  }
  const figure = (list) => Number(median(list).toFixed(2))
  return { shape, "JSON alone": figure(json), "by hand": figure(hand), "by Schema": figure(schema) }
})

if (sink === undefined) throw new Error("A decoder refused the claims.")
console.table(rows)
