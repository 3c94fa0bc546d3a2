/**
 * Conversions of a user's handle by scripts of pages. Some give the authenticator the text that stands in the options, and send
 * what the handle reads as when it comes back; a key that was made by one script signs in by another.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { handleOf, mayBelongTo, randomHandle } from "../../src/webauthn/UserHandle.ts"
import { at } from "../Browser.ts"
import { passkeys, person } from "./Person.ts"

const bytesOf = (text: string): Buffer => Buffer.from(text, "base64url")

/** The handle of the authenticator, and the returned one as read here; either is the text in the options or in the answer. */
const scripts = {
  "that reads the handle as base64url": {
    kept: (option: string): Buffer => bytesOf(option),
    sent: (kept: Buffer): string => kept.toString("base64url")
  },
  "that takes the handle for text": {
    kept: (option: string): Buffer => Buffer.from(new TextEncoder().encode(option)),
    sent: (kept: Buffer): string => new TextDecoder("utf-8").decode(kept)
  }
}

const ada = "ada@example.com"
const bob = "bob@example.com"

for (const [making, { kept }] of Object.entries(scripts)) {
  for (const [using, { sent }] of Object.entries(scripts)) {
    describe(`a key that was made by a script ${making}, at one ${using}`, () => {
      for (const added of [false, true]) {
        it.gen(`signs in${added ? ", made in one's own session" : ""}`, at(passkeys().options), function* () {
          const visitor = person()
          const first = yield* visitor.register(ada)
          const { credential } = added ? yield* visitor.add() : first
          yield* visitor.leave
          const userHandle = sent(kept(credential.userHandle))
          assert.isAtMost(kept(credential.userHandle).length, 64)
          const seen = yield* visitor.signIn(credential, { userHandle })
          assert.strictEqual(seen.failure, undefined)
          assert.strictEqual((yield* visitor.browser.session)?.user?.["email"], ada)
        })
      }

      it.gen("P191 is refused with the handle of another user", at(passkeys().options), function* () {
        const visitor = person()
        yield* visitor.register(bob)
        const { credential: ofBob } = yield* visitor.add()
        yield* visitor.leave
        yield* visitor.register(ada)
        const { credential } = yield* visitor.add()
        yield* visitor.leave
        const seen = yield* visitor.signIn(credential, { userHandle: sent(kept(ofBob.userHandle)) })
        assert.strictEqual(seen.failure?._tag, "WebAuthnVerificationError")
        assert.isUndefined((yield* visitor.browser.session)?.user)
      })
    })
  }
}

it.effect("is required of a key that the site did not ask for (WebAuthn Level 3, section 7.2, step 6)", () => {
  const visitor = person()
  return Effect.gen(function* () {
    const { credential } = yield* visitor.register(ada)
    yield* visitor.leave
    const seen = yield* visitor.signIn(credential, { userHandle: "" })
    assert.strictEqual(seen.failure?._tag, "WebAuthnVerificationError")
    assert.isUndefined((yield* visitor.browser.session)?.user)
    assert.strictEqual((yield* visitor.signIn(credential)).failure, undefined)
  }).pipe(at(passkeys().options))
})

describe("a handle", () => {
  const rpId = "example.com"
  const sent = Object.values(scripts).flatMap(({ kept }) =>
    Object.values(scripts).map(
      ({ sent }) =>
        (handle: Uint8Array) =>
          sent(kept(Buffer.from(handle).toString("base64url")))
    )
  )

  it("is its user's and no other's, in every form in which it is sent", () => {
    for (let user = 0; user < 50; user++) {
      for (const as of sent) {
        const handle = as(handleOf(rpId, String(user)))
        assert.isTrue(mayBelongTo(handle, rpId, String(user)))
        assert.isFalse(mayBelongTo(handle, rpId, String(user + 1)))
        assert.isFalse(mayBelongTo(handle, "example.org", String(user)))
      }
    }
  })

  it("is the same text to every script, and no longer than a handle may be", () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => (at * 37) % 256)
    for (const handle of [handleOf(rpId, "1"), randomHandle(bytes)]) {
      assert.match(Buffer.from(handle).toString(), /^[\w-]{32}$/)
      for (const as of sent) {
        assert.match(as(handle), /^[\w-]+$/)
        assert.isAtMost(as(handle).length, 86)
      }
    }
  })

  it("of a person who was no user yet, or of another library, may be any user's", () => {
    for (let first = 0; first < 256; first++) {
      const bytes = Uint8Array.from({ length: 32 }, (_, at) => (first + at * 37) % 256)
      for (const as of sent) assert.isTrue(mayBelongTo(as(randomHandle(bytes)), rpId, "1"))
      assert.isTrue(mayBelongTo(Buffer.from(bytes).toString("base64url"), rpId, "1"))
    }
    for (const as of sent) assert.isTrue(mayBelongTo(as(Buffer.from("0f".repeat(16))), rpId, "1"))
    for (const none of [undefined, null, ""]) assert.isTrue(mayBelongTo(none, rpId, "1"))
  })

  it("is no user's when it is longer than handles are, or no base64url", () => {
    for (const odd of ["A".repeat(87), "!"]) assert.isFalse(mayBelongTo(odd, rpId, "1"))
  })
})
