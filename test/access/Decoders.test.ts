/** The plain decoders of a session decode as the schemas do, whatever `callbacks.session` returned. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { SessionUser } from "../../src/access/CurrentSession.ts"
import { decoderOf, noClaims } from "../../src/access/Decoders.ts"
import { isUserId, UserId } from "../../src/models/Id.ts"

const absent = Symbol("absent")
const members = [absent, undefined, null, "", "a", 1, true, {}, ["a"]]
const others = [undefined, null, "", "a", 1, true, [], ["a"], { 0: "a" }, () => undefined]

/** Every user whose members have one of these values each. */
const users = members.flatMap((id) =>
  members.flatMap((name) =>
    members.flatMap((email) =>
      members.map((image) =>
        Object.fromEntries(Object.entries({ id, name, email, image }).filter(([, value]) => value !== absent))
      )
    )
  )
)

/** The decoded value, or what the schema says of one that does not fit. */
const outcome = <A>(decode: (value: unknown) => Effect.Effect<A, Schema.SchemaError>, value: unknown) =>
  Effect.runSync(
    Effect.match(decode(value), {
      onFailure: ({ message }) => ({ message }),
      onSuccess: (decoded) => ({ decoded })
    })
  )

const compare = (schema: Schema.ConstraintDecoder<unknown>, values: ReadonlyArray<unknown>) => {
  const plain = decoderOf(schema)
  const bySchema = Schema.decodeUnknownEffect(schema)
  for (const value of values) expect(outcome(plain, value)).toStrictEqual(outcome(bySchema, value))
}

describe("the user of the library", () => {
  it("decodes each combination of members", () => {
    compare(SessionUser, users)
  })
  it("decodes what has further members, inherited ones, or none", () => {
    const user = { id: "7", name: "Ada" }
    compare(SessionUser, [...others, { ...user, role: "admin" }, Object.create(user), Object.assign([], user)])
  })
  it("makes a user of its own", () => {
    const user = { id: "7", name: null, email: null, image: null }
    const decoded = Effect.runSync(decoderOf(SessionUser)(user))
    expect(decoded).toStrictEqual(user)
    expect(decoded).not.toBe(user)
  })
})

describe("a session without claims", () => {
  it("decodes each value", () => {
    compare(noClaims, [...others, { user: { id: "7" }, expires: "2026-01-01T00:00:00.000Z" }])
  })
})

describe("a schema of the application", () => {
  it("decodes by the schema", () => {
    compare(Schema.Struct({ id: Schema.NumberFromString }), [{ id: "7" }, { id: 7 }, {}, ...others])
  })
})

describe("the id of a user", () => {
  it("is what the schema says", () => {
    for (const id of [...others, ...members]) expect(isUserId(id)).toBe(Schema.is(UserId)(id))
  })
})
