/**
 * A store answers another row than it was asked for: the row counts for nothing, and the log says so once, without values.
 */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import { inspect } from "node:util"
import { asUserId } from "../../src/models/Id.ts"
import { type AdapterShape, fromPromises, makeMemory, type PromiseAdapter } from "../../src/Adapter.ts"
import { adapterOf } from "../../src/config/Bindings.ts"
import type { AdapterError } from "../../src/Errors.ts"
import { userByEmail } from "../../src/storage/UserByEmail.ts"
import { facade, listener, ownSite, visitor } from "../Visitor.ts"

const expires = new Date("2030-01-02T03:04:05Z")
const ann = { id: "u1", email: "ann@example.com", emailVerified: null, name: "Ann" }
const eve = { id: "u2", email: "eve@example.com", emailVerified: null, name: "Eve" }
const session = { sessionToken: "token-of-ann", userId: asUserId("u1"), expires }
const account = { userId: "u1", type: "oidc", provider: "p", providerAccountId: "a1" } as const
const authenticator = {
  userId: "u1",
  credentialID: "c1",
  providerAccountId: "c1",
  credentialPublicKey: "key",
  counter: 1,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false
}
const link = { identifier: "ann@example.com", token: "token-of-link", expires }

interface Case {
  readonly method: keyof PromiseAdapter
  readonly ask: (store: AdapterShape) => Effect.Effect<unknown, AdapterError>
  readonly right: unknown
  readonly wrong: ReadonlyArray<unknown>
  /** The caller's result for a wrong answer. */
  readonly as: "nothing" | "invalid" | "empty"
}

const cases: ReadonlyArray<Case> = [
  {
    method: "getUser",
    ask: (store) => store.getUser(asUserId("u1")),
    right: ann,
    wrong: [eve, { ...ann, id: "U1" }],
    as: "nothing"
  },
  {
    method: "getUserByEmail",
    ask: (store) => userByEmail(store, "ann@example.com"),
    right: { ...ann, email: " Ann@Example.com " },
    wrong: [eve, { ...ann, email: "\u00e1nn@example.com" }, { ...ann, email: null }],
    as: "nothing"
  },
  {
    method: "getSessionAndUser",
    ask: (store) => store.getSessionAndUser("token-of-ann"),
    right: { session, user: ann },
    wrong: [
      { session: { ...session, userId: "u2", sessionToken: "token-of-eve" }, user: eve },
      { session: { ...session, sessionToken: "TOKEN-of-ann" }, user: ann }
    ],
    as: "nothing"
  },
  {
    method: "getSessionAndUser",
    ask: (store) => store.getSessionAndUser("token-of-ann"),
    right: { session: { userId: asUserId("u1"), expires }, user: ann },
    wrong: [
      { session, user: eve },
      { session: { ...session, userId: "u2" }, user: ann }
    ],
    as: "invalid"
  },
  {
    method: "getAccount",
    ask: (store) => store.getAccount("a1", "p"),
    right: account,
    wrong: [
      { ...account, providerAccountId: "A1" },
      { ...account, provider: "q" }
    ],
    as: "nothing"
  },
  {
    method: "getAuthenticator",
    ask: (store) => store.getAuthenticator("c1"),
    right: authenticator,
    wrong: [{ ...authenticator, credentialID: "C1" }],
    as: "nothing"
  },
  {
    method: "useVerificationToken",
    ask: (store) => store.useVerificationToken({ identifier: link.identifier, token: link.token }),
    right: link,
    wrong: [
      { ...link, identifier: "eve@example.com" },
      { ...link, token: "token-of-another-link" }
    ],
    as: "nothing"
  },
  {
    method: "createSession",
    ask: (store) => store.createSession(session),
    right: { ...session, sessionToken: "a token of the application" },
    wrong: [{ ...session, userId: "u2" }],
    as: "invalid"
  },
  {
    method: "updateUser",
    ask: (store) => store.updateUser({ id: asUserId("u1"), name: "Anne" }),
    right: ann,
    wrong: [eve],
    as: "invalid"
  },
  {
    method: "updateAuthenticatorCounter",
    ask: (store) => store.updateAuthenticatorCounter("c1", 2),
    right: authenticator,
    wrong: [{ ...authenticator, credentialID: "c2" }],
    as: "invalid"
  },
  {
    method: "listAccounts",
    ask: (store) => store.listAccounts(asUserId("u1")),
    right: [account],
    wrong: [[{ ...account, userId: "u2" }]],
    as: "empty"
  },
  {
    method: "listAuthenticatorsByUserId",
    ask: (store) => store.listAuthenticatorsByUserId(asUserId("u1")),
    right: [authenticator],
    wrong: [[{ ...authenticator, userId: "u2" }]],
    as: "empty"
  }
]

/** A store of Effects whose method answers this, as an application gives it to the configuration. */
const ofEffects = (method: keyof AdapterShape, answer: unknown): AdapterShape => {
  const row = Array.isArray(answer) || /^(?:create|update)/.test(method) ? answer : Option.some(answer)
  const read = adapterOf({ ...makeMemory(), [method]: () => Effect.succeed(row) })
  if (read._tag === "Failure" || read.success === undefined) return assert.fail("no adapter")
  return read.success
}

/** Answers, and lines of the error log. */
const watched = <A, E>(program: Effect.Effect<A, E>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel === "Error") lines.push(inspect(message))
  })
  return Effect.map(Effect.provide(Effect.result(program), Layer.fresh(Logger.layer([logger]))), (result) => ({
    result,
    lines
  }))
}

const secrets = ["ann@example", "eve@example", "token-of", "TOKEN-of", "u1", "u2", "a1", "c1"]

describe("a row that was not asked for", () => {
  for (const { as, ask, method, right, wrong } of cases) {
    it.gen(`of ${method} is ${as}, and the log says so`, function* () {
      const kept = yield* watched(ask(fromPromises({ [method]: () => right })))
      assert.strictEqual(kept.result._tag, "Success")
      assert.notDeepEqual(kept.result, (yield* watched(ask(fromPromises({ [method]: () => null })))).result)
      assert.deepStrictEqual(kept.lines, [])
      for (const answer of wrong) {
        const stores = [
          fromPromises({ [method]: () => answer }),
          ...(method === "getUserByEmail" ? [] : [ofEffects(method, answer)])
        ]
        for (const store of stores) {
          const { lines, result } = yield* watched(ask(store))
          const label = inspect(answer)
          const text = result._tag === "Failure" ? String(result.failure) : lines.join()
          assert.lengthOf(lines, as === "invalid" ? 0 : 1, label)
          assert.include(text, `${method} answered`, label)
          for (const secret of secrets) assert.notInclude(text, secret)
          if (result._tag === "Failure") assert.deepStrictEqual([as, result.failure.reason], ["invalid", "invalid"])
          else if (as === "empty") assert.deepStrictEqual<unknown>(result.success, [])
          else assert.deepStrictEqual<unknown>(result.success, Option.none())
        }
      }
    })
  }

  it.gen("is the one that was asked for where the store keeps digests of session tokens", function* () {
    const digest = (token: string) => createHash("sha256").update(token).digest("hex")
    const rows = new Map([[digest(session.sessionToken), { ...session, sessionToken: digest(session.sessionToken) }]])
    const store = fromPromises({
      getSessionAndUser: (token) => {
        const row = rows.get(digest(token))
        return row === undefined ? null : { session: row, user: ann }
      }
    })
    const { lines, result } = yield* watched(store.getSessionAndUser(session.sessionToken))
    assert.deepStrictEqual(lines, [])
    const found = result._tag === "Success" ? Option.getOrUndefined(result.success) : undefined
    // A renewal asks with the token of the cookie.
    assert.strictEqual(found?.session.sessionToken, session.sessionToken)
    const other = yield* watched(store.getSessionAndUser(digest(session.sessionToken)))
    assert.deepStrictEqual<unknown>(other.result._tag === "Success" && other.result.success, Option.none())
  })

  it("signs no user in, and the application receives an error", async () => {
    const { logger, told } = listener()
    const adapter = {
      createSession: () => null,
      getSessionAndUser: () => ({ session: { ...session, userId: "u2", sessionToken: "token-of-eve" }, user: eve }),
      updateSession: () => null,
      deleteSession: () => null
    }
    const ann = visitor(facade(ownSite({ adapter, logger, providers: [], session: { strategy: "database" } })))
    ann.cookies.set("__Secure-authjs.session-token", "token-of-ann")
    assert.isNull(await ann.session())
    assert.lengthOf(told.errors, 1)
    assert.match(String(told.errors[0]), /getSessionAndUser answered a session with another sessionToken/)
  })
})
