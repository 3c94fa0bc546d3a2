import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { at } from "./Browser.ts"
import { site } from "./Visitor.ts"
import { passkeys, person, sessionCookie } from "./webauthn/Person.ts"

describe("a key of one's own", () => {
  for (const strategy of ["database", "jwt"] as const) {
    for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
      it.effect(`is made (${algorithm}, ${strategy}), and signs in afterwards`, () => {
        const { options, store } = passkeys({ session: { strategy } })
        const ada = person()
        return Effect.gen(function* () {
          const { credential, seen } = yield* ada.register("ada@example.com", {}, algorithm)
          assert.strictEqual(seen.failure, undefined)
          assert.deepStrictEqual([seen.status, seen.location], [302, site])
          assert.strictEqual((yield* ada.browser.session)?.user?.["email"], "ada@example.com")
          const id = credential.id.toString("base64")
          const row = Option.getOrThrow(yield* store.getAuthenticator(id))
          const user = Option.getOrThrow(yield* store.getUserByEmail("ada@example.com"))
          assert.deepInclude(row, {
            userId: user.id,
            credentialID: id,
            providerAccountId: id,
            counter: 0,
            credentialDeviceType: "singleDevice",
            credentialBackedUp: false,
            transports: "internal,hybrid"
          })
          assert.strictEqual(user.emailVerified, null)
          yield* ada.leave
          assert.strictEqual(yield* ada.browser.session, null)
          const back = yield* ada.signIn(credential)
          assert.strictEqual(back.failure, undefined)
          assert.deepStrictEqual([back.status, back.location], [302, site])
          assert.strictEqual((yield* ada.browser.session)?.user?.["email"], "ada@example.com")
          assert.isTrue(ada.browser.cookies.has(sessionCookie))
          assert.strictEqual(Option.getOrThrow(yield* store.getAuthenticator(id)).counter, 1)
        }).pipe(at(options))
      })
    }
  }
})
