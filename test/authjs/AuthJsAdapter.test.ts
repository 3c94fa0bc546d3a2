/**
 * The stores of the library as adapters for ordinary code: what programs for Auth.js expect of an adapter, and what
 * `toPromises` adds.
 */
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import * as Effect from "effect/Effect"
import { createStorage } from "unstorage"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Adapter from "../../src/Adapter.ts"
import type { Adapter as AuthJsAdapter } from "../../src/compat/adapters.ts"
import { AdapterError } from "../../src/Errors.ts"
import { Auth } from "../../src/index.ts"
import { authJsMethods } from "../../src/storage/AdapterShape.ts"
import * as AdapterLaws from "../../src/testing/AdapterLaws.ts"
import { isPostgresHere, type PostgresServer, startPostgres } from "../sql/PostgresServer.ts"
import { options, visitor } from "../Visitor.ts"
import { forFunctions } from "../ForFunctions.ts"
import { openPostgres, openSqlite } from "../sql/OpenStore.ts"
import { expectations } from "./AuthJsExpectations.ts"

const { fromPromises, makeMemory, toPromises } = Adapter

/** Checks an adapter; every method is there, or the first expectation fails. */
const keepsTo = (name: string, make: () => Promise<AuthJsAdapter>): void => {
  describe(name, () => {
    let adapter: AuthJsAdapter = {}
    beforeAll(async () => {
      adapter = await make()
    })
    for (const { check, name } of expectations) it(name, () => check(adapter as Required<AuthJsAdapter>))
  })
}

describe("what programs for Auth.js expect of an adapter", () => {
  const closing: Array<() => Promise<void>> = []
  let server: PostgresServer | undefined
  afterAll(async () => {
    for (const close of closing) await close()
    await server?.stop()
  })

  keepsTo("memory", async () => toPromises(makeMemory()))
  keepsTo("SQLite", async () => {
    const { adapter, close } = await openSqlite({ filename: ":memory:" })
    closing.push(close)
    return toPromises(adapter)
  })
  describe.skipIf(!isPostgresHere)("a server", () => {
    keepsTo("PostgreSQL", async () => {
      server = await startPostgres()
      const { adapter, close } = await openPostgres({ url: await server.database() })
      closing.push(close)
      return toPromises(adapter)
    })
  })
  keepsTo("a store that was an adapter before", async () => toPromises(fromPromises(toPromises(makeMemory()))))
  // That these are the expectations of Auth.js, an adapter of theirs shows.
  keepsTo("@auth/unstorage-adapter", async () => UnstorageAdapter(createStorage()))
})

describe("the expectations", () => {
  const whole = (): Required<AuthJsAdapter> => toPromises(makeMemory()) as Required<AuthJsAdapter>
  const broken: Readonly<Record<string, (adapter: Required<AuthJsAdapter>) => Partial<AuthJsAdapter>>> = {
    "a user without its picture": ({ createUser }) => ({ createUser: (user) => createUser({ ...user, image: null }) }),
    "an unknown user who is undefined": ({ getUser }) => ({
      getUser: async (id) => (await getUser(id)) ?? (undefined as never)
    }),
    "accounts without tokens": ({ linkAccount }) => ({
      linkAccount: ({ provider, providerAccountId, type, userId }) =>
        linkAccount({ provider, providerAccountId, type, userId })
    }),
    "sessions that are kept": () => ({ deleteSession: async () => null }),
    "sessions that are not renewed": () => ({ updateSession: async () => null }),
    "links that work twice": (adapter) => ({
      useVerificationToken: async (key) => {
        const token = await adapter.useVerificationToken(key)
        if (token !== null) await adapter.createVerificationToken(token)
        return token
      }
    }),
    "counters that are not kept": ({ getAuthenticator }) => ({
      updateAuthenticatorCounter: async (id, counter) => {
        const key = await getAuthenticator(id)
        return key === null ? assert.fail("no such key") : { ...key, counter }
      }
    }),
    "no unlinking": () => ({ unlinkAccount: async () => undefined })
  }
  for (const [title, change] of Object.entries(broken)) {
    it(`are not met by ${title}`, async () => {
      const adapter = whole()
      const outcomes = await Promise.allSettled(
        expectations.map(({ check }) => check({ ...adapter, ...change(adapter) }))
      )
      assert.isNotEmpty(outcomes.filter(({ status }) => status === "rejected"))
    })
  }
})

describe("toPromises", () => {
  it("keeps the laws when it is made storage again", async () => {
    const findings = await Effect.runPromise(AdapterLaws.check(toPromises(makeMemory())))
    assert.deepStrictEqual(
      findings.flatMap(({ law, outcome }) => (outcome._tag === "broken" ? [[law.name, outcome.reason]] : [])),
      []
    )
    const kept = findings.filter(({ outcome }) => outcome._tag === "kept")
    assert.isAbove(kept.length, findings.length - 10, AdapterLaws.format(findings))
  })

  it("has the methods that the store has, and no others", () => {
    const store = makeMemory()
    assert.includeMembers(Object.keys(toPromises(store)), [...authJsMethods])
    const small = { ...store, methods: new Set(["getUser", "createUser"] as const) }
    assert.sameMembers(Object.keys(toPromises(small)), ["getUser", "createUser"])
    assert.deepStrictEqual([...fromPromises(toPromises(small)).methods].sort(), ["createUser", "getUser"])
  })

  it("rejects with the failure of the library", async () => {
    const adapter = toPromises(makeMemory())
    const user = { id: "1", email: "ada@example.com", emailVerified: null }
    await adapter.createUser?.(user)
    const error = await Promise.resolve(adapter.createUser?.({ ...user, id: "2" })).catch((failure: unknown) => failure)
    if (!(error instanceof AdapterError)) return assert.fail("no failure of the library")
    assert.deepInclude(error, { reason: "unique", method: "createUser" })
    assert.isUndefined(error.stack?.includes("ada@example.com") === true ? error.stack : undefined)
  })

  it("updateSession without a new end answers the session", async () => {
    const adapter = toPromises(makeMemory())
    const user = await adapter.createUser?.({ id: "1", email: "ada@example.com", emailVerified: null })
    const session = { sessionToken: "token-1", userId: user?.id ?? "", expires: new Date(2_000_000_000_000) }
    await adapter.createSession?.(session)
    assert.deepStrictEqual(await adapter.updateSession?.({ sessionToken: "token-1" }), session)
    assert.isNull((await adapter.updateSession?.({ sessionToken: "token-2" })) ?? null)
  })

  it("can be spread, and a method replaced", async () => {
    const store = toPromises(makeMemory())
    const created: Array<string> = []
    const adapter: AuthJsAdapter = {
      ...store,
      createUser: async (user) => {
        created.push(user.email)
        return (await store.createUser?.(user)) ?? user
      }
    }
    const config = options({
      adapter,
      session: { strategy: "jwt" },
      providers: [
        {
          id: "email",
          name: "Email",
          type: "email",
          consumeOn: "get",
          sendVerificationRequest: ({ url }: { readonly url: string }) => void links.push(url)
        }
      ] as never
    })
    const links: Array<string> = []
    const browser = visitor((request) => Auth(request, forFunctions(config)))
    await browser.submit("/auth/signin/email", { email: "ada@example.com" })
    const link = new URL(links[0] ?? "https://app.example")
    await browser.get(link.pathname + link.search)
    assert.deepStrictEqual(created, ["ada@example.com"])
    assert.strictEqual((await browser.session())?.user?.["email"], "ada@example.com")
  })
})
