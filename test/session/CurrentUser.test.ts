/** Initiator of a sign-in and owner of a form: the session of a request as actions read it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Jwe from "../../src/crypto/Jwe.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import { dateAt } from "../../src/internal/DateAt.ts"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import { skipCSRFCheck } from "../../src/index.ts"
import { asUserId } from "../../src/models/Id.ts"
import { omitReserved } from "../../src/Session.ts"
import { formToken, guard } from "../../src/session/CsrfGuard.ts"
import { currentUser, starter } from "../../src/session/CurrentUser.ts"
import { sessionSubject } from "../../src/session/SessionOwner.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { layer, options, secret, site } from "../Visitor.ts"

const token = "the-token-of-a-session"
const cookie = "__Host-authjs.session-token"

const signedIn = Effect.fnUntraced(function* () {
  yield* TestClock.setTime(1_800_000_000_000)
  const adapter = makeMemory()
  const userId = asUserId("ada")
  yield* adapter.createUser({ id: userId, email: "ada@example.com", emailVerified: null })
  yield* adapter.createSession({ sessionToken: token, userId, expires: dateAt(1_900_000_000_000) })
  return adapter
})

const within = (adapter: AdapterShape | undefined, more: Partial<Options> = {}) => {
  const store: Partial<Options> = adapter === undefined ? {} : { adapter, session: { strategy: "database" } }
  return Effect.provide(layer(options({ ...store, ...more })))
}

const asking = (value: string) => {
  const request = new Request(`${site}/auth/session`, value === "" ? {} : { headers: { cookie: `${cookie}=${value}` } })
  return Effect.provideServiceEffect(AuthRequest, fromWeb(request, "/auth"))
}

describe("who starts a sign-in", () => {
  it.gen("is the session of the request, by its name", function* () {
    const adapter = yield* signedIn()
    assert.strictEqual(yield* starter.pipe(asking(token), within(adapter)), sessionSubject(token))
    assert.isUndefined(yield* starter.pipe(asking("another-token"), within(adapter)))
    const user = yield* currentUser(adapter).pipe(asking(token), within(adapter))
    assert.strictEqual(user?.user.id, "ada")
  })

  it.gen("is no session where there is no store, and no store is asked without a cookie", function* () {
    const adapter = yield* signedIn()
    const silent: AdapterShape = { ...adapter, getSessionAndUser: () => Effect.die("the store is asked") }
    assert.isUndefined(yield* starter.pipe(asking(""), within(silent)))
    const random = (size: number) => new Uint8Array(size)
    const sealed = Jwe.seal(keyring([secret], cookie), { sub: "ada" }, { now: 1_800_000_000, maxAge: 60, random })
    assert.isUndefined(yield* starter.pipe(asking(String(sealed)), within(undefined)))
  })
})

describe("a form", () => {
  it.gen("has a token, without which it is refused", within(undefined), function* () {
    assert.isDefined(yield* formToken.pipe(asking("")))
    assert.strictEqual((yield* Effect.flip(guard().pipe(asking(""))))._tag, "MissingCsrf")
    const opened = { _tag: "Missing", names: [] } as never
    assert.strictEqual((yield* Effect.flip(guard(opened).pipe(asking(""))))._tag, "MissingCsrf")
  })

  it.gen("has none where the framework checks", within(undefined, { skipCSRFCheck }), function* () {
    assert.isUndefined(yield* formToken.pipe(asking("")))
    yield* guard().pipe(asking(""))
  })
})

describe("the changes that a client may ask for", () => {
  it("leave out what only the server sets, and are otherwise as they came", () => {
    assert.deepStrictEqual(omitReserved({ name: "Eve", sub: "eve", exp: 1, jti: "x" }), { name: "Eve" })
    for (const data of ["text", null, undefined, 7, [{ sub: "eve" }]]) assert.strictEqual(omitReserved(data), data)
  })
})
