/** Forms of answers and failures that published adapters have, one by one. */
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { createStorage } from "unstorage"
import { asUserId } from "../../src/models/Id.ts"
import { fromPromises, type PromiseAdapter } from "../../src/Adapter.ts"

const failing = (given: object) => () => Promise.reject(Object.assign(new Error("no"), given))

const absences: Readonly<Record<string, object>> = {
  Prisma: { code: "P2025" },
  "Azure Tables": { code: "ResourceNotFound", statusCode: 404 },
  PouchDB: { name: "not_found", status: 404 },
  "PouchDB without an id": { name: "missing_id", status: 412 },
  Kysely: { message: "no result", node: { kind: "UpdateQueryNode" } }
}

const nearly: ReadonlyArray<object> = [
  { code: "ResourceNotFound", statusCode: 500 },
  { name: "not_found", status: 500 },
  { message: "no result" },
  { message: "no result of this kind", node: { kind: "UpdateQueryNode" } }
]

const emailVerified = new Date(1000)
const session = { sessionToken: "s1", expires: new Date(1) }
const user = { id: asUserId("u1"), email: "ann@example.com", emailVerified: null, name: "Ann", image: null }

describe("storage over promises", () => {
  for (const [store, error] of Object.entries(absences)) {
    it.gen(`finds nothing where ${store} says that there is nothing`, function* () {
      const method = failing(error)
      const adapter = fromPromises({
        getUser: method,
        getSessionAndUser: method,
        updateSession: method,
        deleteSession: method
      })
      assert.isTrue(Option.isNone(yield* adapter.getUser(asUserId("u1"))))
      assert.isTrue(Option.isNone(yield* adapter.getSessionAndUser("s1")))
      assert.isTrue(Option.isNone(yield* adapter.updateSession(session)))
      assert.isTrue(Option.isNone(yield* adapter.deleteSession("s1")))
    })
  }

  it.gen("takes a fault that only looks alike for a fault", function* () {
    for (const error of nearly) {
      const failure = yield* Effect.flip(fromPromises({ deleteSession: failing(error) }).deleteSession("s1"))
      assert.strictEqual(failure.reason, "unavailable")
    }
  })

  it.gen("finds no user by an id that no row can have, and fails where it is no id that was asked for", function* () {
    const invalid = { name: "PrismaClientValidationError", message: "Argument `id`: Invalid value provided." }
    for (const error of [...["22P02", "22003", "P2007", "P2023"].map((code) => ({ code })), invalid]) {
      const method = failing(error)
      const adapter = fromPromises({ getUser: method, deleteUser: method, getUserByEmail: method })
      assert.isTrue(Option.isNone(yield* adapter.getUser(asUserId("not-a-uuid"))))
      yield* adapter.deleteUser(asUserId("not-a-uuid"))
      const failure = yield* Effect.flip(adapter.getUserByEmail("ann@example.com"))
      assert.strictEqual(failure.reason, "unavailable")
    }
  })

  it.gen("asks a strict store for a number, as long as no row has told which kind its ids are", function* () {
    const asked: Array<unknown> = []
    const wrong = { name: "PrismaClientValidationError", message: "Argument `id`: Invalid value provided." }
    const adapter: PromiseAdapter = {
      getUser: (id: unknown) => {
        asked.push(id)
        return typeof id === "number" ? (id === 7 ? { ...user, id } : null) : failing(wrong)()
      }
    }
    const store = fromPromises(adapter)
    assert.isTrue(Option.isNone(yield* store.getUser(asUserId("auth0|7"))))
    assert.isTrue(Option.isNone(yield* store.getUser(asUserId("8"))))
    assert.strictEqual(Option.getOrUndefined(yield* store.getUser(asUserId("7")))?.id, "7")
    assert.isTrue(Option.isNone(yield* store.getUser(asUserId("9"))))
    assert.isTrue(Option.isNone(yield* store.getUser(asUserId("auth0|7"))))
    assert.deepStrictEqual(asked, ["auth0|7", "8", 8, "7", 7, 9])
  })

  it.gen("looks at a user whose change was answered in part", function* () {
    const adapter: PromiseAdapter = {
      updateUser: (change) => change,
      getUser: (id) => ({ ...user, id, emailVerified })
    }
    const nulls: PromiseAdapter = { ...adapter, updateUser: (change) => ({ email: null, name: null, ...change }) }
    for (const partial of [adapter, nulls]) {
      const changed = yield* fromPromises(partial).updateUser({ id: asUserId("u1"), emailVerified })
      assert.deepStrictEqual(changed, { ...user, emailVerified })
    }
    const gone = fromPromises({ ...adapter, getUser: () => null })
    assert.strictEqual((yield* Effect.flip(gone.updateUser({ id: asUserId("u1"), emailVerified }))).reason, "missing")
    const whole = fromPromises({ updateUser: () => ({ ...user, emailVerified }), getUser: () => assert.fail("asked") })
    assert.deepStrictEqual(yield* whole.updateUser({ id: asUserId("u1"), emailVerified }), { ...user, emailVerified })
  })

  it.gen("knows a person by a name that reads as a date", function* () {
    const name = "2030-01-02T03:04:05.000Z"
    const store = fromPromises(UnstorageAdapter(createStorage()))
    const { id } = yield* store.createUser({ ...user, name })
    assert.strictEqual(Option.getOrUndefined(yield* store.getUser(id))?.name, name)
    assert.strictEqual(Option.getOrUndefined(yield* store.getUserByEmail(user.email))?.name, name)
  })

  it.gen("keeps of an instance what it is as plain data", function* () {
    class Instance {
      readonly dataValues = { ...user, role: "admin" }
      readonly isNewRecord = false
      get id() {
        return this.dataValues.id
      }
      get email() {
        return this.dataValues.email
      }
      toJSON() {
        return this.dataValues
      }
    }
    const found = yield* fromPromises({ getUser: () => new Instance() }).getUser(asUserId("u1"))
    const expected: unknown = { ...user, name: null, role: "admin" }
    assert.deepStrictEqual(Option.getOrUndefined(found), expected)
    const broken = fromPromises({ getUser: () => ({ ...user, toJSON: () => assert.fail("broken") }) })
    assert.strictEqual((yield* Effect.flip(broken.getUser(asUserId("u1")))).reason, "invalid")
  })
})
