/**
 * Rows in the form that they are read to are not decoded: whatever a row holds, the answer is that of the Schemas.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stored from "../../src/models/Stored.ts"
import { makeIds, toSession, toUser } from "../../src/authjs/AdapterRow.ts"

const moment = new Date("2026-11-25T12:00:00.000Z")
const moments = [null, undefined, false, moment, new Date(Number.NaN), moment.toISOString(), moment.getTime(), "later"]
const texts = ["text", "", null, undefined, 5, moment]
const ids = ["1", "", 5, 5n, null, undefined]

const decodeUser = Schema.decodeUnknownOption(Stored.AdapterUser)
const decodeSession = Schema.decodeUnknownOption(Stored.AdapterSession)

describe("a row", () => {
  it("of a user is read as the Schema reads it", () => {
    let read = 0
    for (const id of ids)
      for (const email of texts)
        for (const emailVerified of moments)
          for (const name of texts)
            for (const image of texts) {
              const row = { id, email, emailVerified, name, image, role: "admin" }
              const expected = Option.getOrUndefined(decodeUser(row))
              assert.deepStrictEqual(toUser(row, makeIds()), expected)
              if (expected !== undefined) read++
            }
    assert.isAbove(read, 1000)
  })

  it("of a session is read as the Schema reads it", () => {
    for (const userId of ids)
      for (const sessionToken of texts.filter((text) => text !== null && text !== undefined))
        for (const expires of moments) {
          const row = { sessionToken, userId, expires, device: "phone" }
          assert.deepStrictEqual(toSession(row, makeIds()), Option.getOrUndefined(decodeSession(row)))
        }
  })

  it("shares no date with the store", () => {
    const session = toSession({ sessionToken: "token", userId: "1", expires: moment }, makeIds())
    const user = toUser({ id: "1", email: "", emailVerified: moment, name: null, image: null }, makeIds())
    assert.notStrictEqual(session?.expires, moment)
    assert.notStrictEqual(user?.emailVerified, moment)
  })
})
