/**
 * The site whose processes are killed while they refresh a token or sign a user out.
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { createAuth, type ServerAuth } from "../../src/index.ts"
import { asUserId } from "../../src/models/Id.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { rotating } from "../RotatingProvider.ts"
import { password } from "../Visitor.ts"
import { forFunctions } from "../ForFunctions.ts"
import { at } from "./Engine.ts"

const sessionToken = "session-of-ada-with-enough-letters"

export const siteOn = (adapter: AdapterShape, token = "http://127.0.0.1:9/token"): ServerAuth =>
  createAuth(
    forFunctions({
      secret: "a secret of the test of killed processes: 4fE9",
      trustHost: true,
      basePath: "/auth",
      adapter,
      session: { strategy: "database" },
      providers: [rotating({ token }), password()],
      logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
      env: {}
    })
  )

export const signedInRequest = new Request("http://localhost/page", {
  headers: { cookie: `authjs.session-token=${sessionToken}` }
})

/** Stores make ids of their own. */
export const idOfAda = (store: AdapterShape) =>
  Effect.map(store.getUserByEmail("ada@example.com"), (user) => Option.getOrThrow(user).id)

/** The access token of the user, or the name of the failure. */
export const refreshed = async (adapter: AdapterShape, token: string): Promise<string> => {
  const userId = await Effect.runPromise(idOfAda(adapter))
  return siteOn(adapter, token)
    .providerTokens.get({ userId, provider: "acme" })
    .then(
      ({ accessToken }) => accessToken,
      (failure: unknown) => String(Reflect.get(Object(failure), "_tag"))
    )
}

/** A user with a session, and with tokens of a provider that have ended. */
export const settleAda = Effect.fnUntraced(function* (store: AdapterShape) {
  const { id } = yield* store.createUser({
    id: asUserId("ada"),
    email: "ada@example.com",
    emailVerified: at(0),
    name: "Ada"
  })
  yield* store.linkAccount({
    userId: id,
    type: "oauth",
    provider: "acme",
    // Two sites of one process that have an account with the same refresh token refresh it together.
    providerAccountId: randomUUID(),
    access_token: "access-0",
    refresh_token: "refresh-0",
    expires_at: 1
  })
  yield* store.createSession({ sessionToken, userId: id, expires: at(4_102_444_800_000) })
  return id
})
