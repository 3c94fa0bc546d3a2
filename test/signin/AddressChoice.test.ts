/** The cookie of a proven address, and the one use of what it holds. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makeMemory } from "../../src/Adapter.ts"
import { Seal } from "../../src/browser/Seal.ts"
import { Settings } from "../../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import { asUserId } from "../../src/models/Id.ts"
import {
  type AddressProof,
  forgetProof,
  heldProof,
  holdProof,
  isProofOf,
  mayMark,
  useProof
} from "../../src/signin/AddressChoice.ts"
import { dateAt } from "../../src/internal/DateAt.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { layer, options, site } from "../Visitor.ts"

const start = 1_800_000_000_000
const chosen = { provider: "email", email: "ada@example.com", holder: "ada", target: "/notes" }
const proof: AddressProof = { ...chosen, id: "proof-1", until: start / 1000 + 600 }

const withServices = Effect.provide(layer(options()))

const requestWith = (cookies: string) =>
  fromWeb(new Request(`${site}/auth/session`, { headers: { cookie: cookies } }), "/auth")

/** The proof that a browser with these cookies holds. */
const heldBy = Effect.fnUntraced(function* (cookies: string) {
  return yield* heldProof(yield* Settings, yield* requestWith(cookies))
})

const hold = Effect.fnUntraced(function* (given: Parameters<typeof holdProof>[0]) {
  yield* TestClock.setTime(start + 999)
  return yield* Effect.provideService(holdProof(given), AuthRequest, yield* requestWith(""))
})

/** A store that notes what is used once. */
const noting = (remembersUses: boolean) => {
  const memory = makeMemory()
  const uses: Array<readonly [key: string, until: number]> = []
  const store: AdapterShape = {
    ...memory,
    methods: new Set([...memory.methods].filter((method) => remembersUses || method !== "useOnce")),
    useOnce: (key, until) => {
      uses.push([key, until.getTime()])
      return memory.useOnce(key, until)
    }
  }
  return { store, uses }
}

describe("the cookie of a proof", () => {
  it.gen("holds it for ten minutes, with an id of its own", withServices, function* () {
    const cookie = yield* hold(chosen)
    const { id: other } = (yield* heldBy(`${cookie.name}=${(yield* hold(chosen)).value}`)) ?? { id: "" }
    assert.strictEqual(cookie.options.maxAge, 600)
    const browser = heldBy(`${cookie.name}=${cookie.value}`)
    const { id, ...rest } = (yield* browser) ?? { id: "" }
    assert.deepStrictEqual(rest, { ...chosen, until: start / 1000 + 600 })
    assert.match(id, /^[\w-]{22}$/)
    assert.notStrictEqual(id, other)
    yield* TestClock.setTime(start + 600_000 - 1)
    assert.strictEqual((yield* browser)?.id, id)
    yield* TestClock.setTime(start + 600_000)
    assert.isUndefined(yield* browser)
  })

  it.gen("keeps the id and the end of a proof that is held again", withServices, function* () {
    const cookie = yield* hold({ ...proof, until: start / 1000 + 60, startsAnew: true })
    assert.strictEqual(cookie.options.maxAge, 60)
    assert.deepStrictEqual(yield* heldBy(`${cookie.name}=${cookie.value}`), {
      ...proof,
      until: start / 1000 + 60,
      startsAnew: true
    })
  })

  it.gen("is sealed for no longer than the proof counts", withServices, function* () {
    const cookie = yield* hold({ ...proof, until: start / 1000 + 60 })
    const { open } = yield* Seal
    assert.isTrue((yield* open(cookie.name, cookie.value)).ok)
    yield* TestClock.setTime(start + 100_000)
    assert.isFalse((yield* open(cookie.name, cookie.value)).ok)
  })

  it.effect("holds nothing where it is empty, of another purpose, or came twice with different values", () =>
    Effect.gen(function* () {
      const { name, value } = yield* hold(chosen)
      const { value: second } = yield* hold(chosen)
      const { seal } = yield* Seal
      const incomplete = yield* seal(name, { email: chosen.email }, 600)
      const foreign = yield* seal("another purpose", { ...proof }, 600)
      for (const text of ["", `${name}=`, `${name}=x`, `${name}=${incomplete}`, `${name}=${foreign}`]) {
        assert.isUndefined(yield* heldBy(text), text.slice(0, 40))
      }
      assert.isUndefined(yield* heldBy(`${name}=${value}; ${name}=${second}`))
      assert.isDefined(yield* heldBy(`${name}=${value}`))
    }).pipe(withServices)
  )

  it.gen("is removed where the browser has it", withServices, function* () {
    const settings = yield* Settings
    const { name } = yield* hold(chosen)
    const removed = forgetProof(settings, yield* requestWith(`${name}=x`))
    assert.deepStrictEqual(
      removed.map((cookie) => [cookie.name, cookie.value, cookie.options.maxAge]),
      [[name, "", 0]]
    )
    assert.deepStrictEqual(forgetProof(settings, yield* requestWith("other=x")), [])
  })
})

describe("a proof", () => {
  for (const remembersUses of [true, false]) {
    it.effect(`is used once, where the store ${remembersUses ? "remembers uses" : "remembers none"}`, () => {
      const { store, uses } = noting(remembersUses)
      return Effect.gen(function* () {
        yield* TestClock.setTime(start)
        yield* useProof(store, proof)
        const failure = yield* Effect.flip(useProof(store, proof))
        assert.strictEqual(failure._tag, "Verification")
        assert.strictEqual(Reflect.get(failure, "provider"), "email")
        yield* useProof(store, { ...proof, id: "proof-2" })
        if (remembersUses) assert.deepStrictEqual(uses[0], ["address proof proof-1", start + 601_000])
        else assert.deepStrictEqual(uses, [])
      }).pipe(withServices)
    })
  }

  it.effect("marks an address once where the store remembers uses, and leaves it to the mark where it does not", () =>
    Effect.gen(function* () {
      const remembering = noting(true).store
      assert.isTrue(yield* mayMark(remembering, proof))
      assert.isFalse(yield* mayMark(remembering, proof))
      const { store } = noting(false)
      assert.isTrue(yield* mayMark(store, proof))
      assert.isTrue(yield* mayMark(store, proof))
    }).pipe(withServices)
  )

  it("is that of one user with one address", () => {
    const user = { id: asUserId("ada"), email: "Ada@Example.com" }
    assert.isTrue(isProofOf(proof, user))
    assert.isFalse(isProofOf({ ...proof, holder: "eve" }, user))
    assert.isFalse(isProofOf({ ...proof, email: "eve@example.com" }, user))
    assert.isFalse(isProofOf(undefined, user))
  })

  it("is marked at an instant", () => assert.strictEqual(dateAt(5).getTime(), 5))
})
