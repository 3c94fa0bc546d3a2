/**
 * Somebody comes back from a link: the link is used up, then user, account and session are made as one unit.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asUserId } from "../../src/models/Id.ts"
import { at } from "./Engine.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"

export const address = "ada@example.com"

export const signIn = Effect.fnUntraced(function* (store: AdapterShape, link: string) {
  const used = yield* store.useVerificationToken({ identifier: address, token: link })
  if (Option.isNone(used)) return false
  yield* store.transaction(
    Effect.gen(function* () {
      const known = yield* store.getUserByEmail(address)
      const user = Option.isSome(known)
        ? known.value
        : yield* store.createUser({ id: asUserId(""), email: address, emailVerified: at(0) })
      if (Option.isNone(known)) {
        yield* store.linkAccount({ userId: user.id, type: "oidc", provider: "idp", providerAccountId: "1" })
      }
      yield* store.createSession({
        sessionToken: `session of ${link}`,
        userId: user.id,
        expires: at(4_102_444_800_000)
      })
    })
  )
  return true
})
