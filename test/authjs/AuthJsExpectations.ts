/**
 * Expectations of programs for Auth.js, method by method: an object of promises whose rows come back as they were
 * stored, with `null` for what is not there.
 *
 * Each expectation stands alone, under names of its own, and looks at the store through the adapter only.
 */
import { assert } from "vitest"
import type { Adapter } from "../../src/compat/adapters.ts"

export interface Expectation {
  readonly name: string
  readonly check: (adapter: Required<Adapter>) => Promise<void>
}

/** Methods that every adapter has, those of links, those that remove, and those of keys. */
const methods = [
  ["createUser", "getUser", "getUserByEmail", "getUserByAccount", "updateUser", "linkAccount"],
  ["createSession", "getSessionAndUser", "updateSession", "deleteSession"],
  ["createVerificationToken", "useVerificationToken"],
  ["unlinkAccount", "deleteUser"],
  ["getAccount", "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId", "updateAuthenticatorCounter"]
].flat() as ReadonlyArray<keyof Adapter>

/** A date in whole seconds, so many hours from now. */
const inHours = (hours: number): Date => new Date((Math.floor(Date.now() / 1000) + hours * 3600) * 1000)

const text = (): string => crypto.randomUUID()

const newUser = () => ({
  id: text(),
  name: "Ada Lovelace",
  email: `${text()}@example.com`,
  emailVerified: inHours(-1),
  image: "https://img.example/ada.png"
})

/** The row without the ids that a store may add. */
const asGiven = <A extends object>(given: A, row: unknown): unknown =>
  Object.fromEntries(Object.keys(given).map((name) => [name, Object(row)[name] as unknown]))

const sameRow = (row: unknown, given: object, what: string): void => {
  assert.isNotNull(row, what)
  assert.deepStrictEqual(asGiven(given, row), given, what)
}

const accountOf = (userId: string) => ({
  userId,
  type: "oauth" as const,
  provider: "github",
  providerAccountId: text(),
  access_token: text(),
  refresh_token: text(),
  id_token: text(),
  expires_at: 2_592_000,
  token_type: "bearer" as const,
  scope: "user",
  session_state: text()
})

const keyOf = (userId: string) => {
  const credentialID = text()
  return {
    userId,
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: text(),
    counter: 7,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "usb,ble,nfc"
  }
}

/** A stored key, with the account that it is. */
const storedKey = async (adapter: Required<Adapter>, userId: string) => {
  const key = keyOf(userId)
  await adapter.linkAccount({ userId, type: "webauthn", provider: "passkey", providerAccountId: key.credentialID })
  sameRow(await adapter.createAuthenticator(key), key, "the answer of createAuthenticator")
  return key
}

const storedSession = async (adapter: Required<Adapter>, userId: string) => {
  const session = { sessionToken: text(), userId, expires: inHours(168) }
  sameRow(await adapter.createSession(session), session, "the answer of createSession")
  return session
}

const rejects = async (call: () => unknown): Promise<boolean> => {
  try {
    await call()
    return false
  } catch {
    return true
  }
}

const users: ReadonlyArray<Expectation> = [
  {
    name: "createUser answers the user with an id, and getUser finds it",
    check: async (adapter) => {
      const user = newUser()
      const created = await adapter.createUser(user)
      sameRow(created, { ...user, id: created.id }, "the answer of createUser")
      assert.deepStrictEqual(await adapter.getUser(created.id), created)
    }
  },
  {
    name: "createUser takes a user without name and picture",
    check: async (adapter) => {
      const { email } = newUser()
      const created = await adapter.createUser({ id: text(), email, emailVerified: null })
      sameRow(await adapter.getUser(created.id), { email, emailVerified: null }, "the user")
    }
  },
  { name: "getUser of an unknown id is null", check: async (adapter) => assert.isNull(await adapter.getUser(text())) },
  {
    name: "getUserByEmail finds a user, and is null for an unknown address",
    check: async (adapter) => {
      const created = await adapter.createUser(newUser())
      assert.deepStrictEqual(await adapter.getUserByEmail(created.email), created)
      assert.isNull(await adapter.getUserByEmail("no-such-address"))
    }
  },
  {
    name: "updateUser changes what is given and keeps the rest",
    check: async (adapter) => {
      const created = await adapter.createUser(newUser())
      const changed = await adapter.updateUser({ id: created.id, name: "Countess" })
      assert.strictEqual(changed.name, "Countess")
      assert.deepStrictEqual(await adapter.getUser(created.id), { ...created, name: "Countess" })
    }
  },
  {
    name: "deleteUser removes the user with sessions and accounts",
    check: async (adapter) => {
      const { email, id } = await adapter.createUser(newUser())
      const session = await storedSession(adapter, id)
      const account = accountOf(id)
      await adapter.linkAccount(account)
      await adapter.deleteUser(id)
      assert.isNull(await adapter.getUser(id))
      assert.isNull(await adapter.getUserByEmail(email))
      assert.isNull(await adapter.getSessionAndUser(session.sessionToken))
      assert.isNull(await adapter.getUserByAccount(account))
      assert.isNull(await adapter.getAccount(account.providerAccountId, account.provider))
    }
  }
]

const accounts: ReadonlyArray<Expectation> = [
  {
    name: "linkAccount keeps every member, and getAccount answers them",
    check: async (adapter) => {
      const { id } = await adapter.createUser(newUser())
      const account = accountOf(id)
      await adapter.linkAccount(account)
      sameRow(await adapter.getAccount(account.providerAccountId, account.provider), account, "the account")
    }
  },
  {
    name: "getAccount is null for another provider or another id",
    check: async (adapter) => {
      const { id } = await adapter.createUser(newUser())
      const account = accountOf(id)
      await adapter.linkAccount(account)
      assert.isNull(await adapter.getAccount(account.providerAccountId, "another"))
      assert.isNull(await adapter.getAccount(text(), account.provider))
      assert.isNull(await adapter.getAccount(text(), "another"))
    }
  },
  {
    name: "getUserByAccount finds the user, and is null for an unknown account",
    check: async (adapter) => {
      const created = await adapter.createUser(newUser())
      const account = accountOf(created.id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      assert.deepStrictEqual(await adapter.getUserByAccount({ provider, providerAccountId }), created)
      assert.isNull(await adapter.getUserByAccount({ provider: "another", providerAccountId: text() }))
    }
  },
  {
    name: "unlinkAccount removes the account and leaves the user",
    check: async (adapter) => {
      const created = await adapter.createUser(newUser())
      const account = accountOf(created.id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      await adapter.unlinkAccount({ provider, providerAccountId })
      assert.isNull(await adapter.getAccount(providerAccountId, provider))
      assert.deepStrictEqual(await adapter.getUser(created.id), created)
    }
  }
]

const sessions: ReadonlyArray<Expectation> = [
  {
    name: "getSessionAndUser finds session and user, and is null for an unknown token",
    check: async (adapter) => {
      const user = await adapter.createUser(newUser())
      const session = await storedSession(adapter, user.id)
      const both = await adapter.getSessionAndUser(session.sessionToken)
      sameRow(both?.session, session, "the session")
      assert.deepStrictEqual(both?.user, user)
      assert.isNull(await adapter.getSessionAndUser("no-such-token"))
    }
  },
  {
    name: "getSessionAndUser finds a session that has ended",
    check: async (adapter) => {
      const user = await adapter.createUser(newUser())
      const session = await adapter.createSession({ sessionToken: text(), userId: user.id, expires: inHours(-1) })
      assert.isNotNull(await adapter.getSessionAndUser(session.sessionToken))
    }
  },
  {
    name: "updateSession moves the end",
    check: async (adapter) => {
      const { sessionToken } = await storedSession(adapter, (await adapter.createUser(newUser())).id)
      const expires = inHours(720)
      await adapter.updateSession({ sessionToken, expires })
      assert.strictEqual((await adapter.getSessionAndUser(sessionToken))?.session.expires.getTime(), expires.getTime())
    }
  },
  {
    name: "deleteSession removes the session",
    check: async (adapter) => {
      const { sessionToken } = await storedSession(adapter, (await adapter.createUser(newUser())).id)
      await adapter.deleteSession(sessionToken)
      assert.isNull(await adapter.getSessionAndUser(sessionToken))
    }
  }
]

const links: ReadonlyArray<Expectation> = [
  {
    name: "useVerificationToken answers the token once",
    check: async (adapter) => {
      const token = { identifier: `${text()}@example.com`, token: text(), expires: inHours(1) }
      const { identifier } = token
      await adapter.createVerificationToken(token)
      sameRow(await adapter.useVerificationToken({ identifier, token: token.token }), token, "the token")
      assert.isNull(await adapter.useVerificationToken({ identifier, token: token.token }))
    }
  },
  {
    name: "useVerificationToken is null for another token or another address",
    check: async (adapter) => {
      const token = { identifier: `${text()}@example.com`, token: text(), expires: inHours(1) }
      await adapter.createVerificationToken(token)
      assert.isNull(await adapter.useVerificationToken({ identifier: token.identifier, token: text() }))
      assert.isNull(await adapter.useVerificationToken({ identifier: "another@example.com", token: token.token }))
    }
  }
]

const keys: ReadonlyArray<Expectation> = [
  {
    name: "getAuthenticator finds a key, and is null for an unknown one",
    check: async (adapter) => {
      const key = await storedKey(adapter, (await adapter.createUser(newUser())).id)
      sameRow(await adapter.getAuthenticator(key.credentialID), key, "the key")
      assert.isNull(await adapter.getAuthenticator("no-such-key"))
    }
  },
  {
    name: "listAuthenticatorsByUserId answers the keys of a user, and an empty list for an unknown one",
    check: async (adapter) => {
      const [one, other] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
      const wanted = [await storedKey(adapter, one.id), await storedKey(adapter, one.id)]
      await storedKey(adapter, other.id)
      const found = await adapter.listAuthenticatorsByUserId(one.id)
      assert.sameMembers(
        found.map(({ credentialID }) => credentialID),
        wanted.map(({ credentialID }) => credentialID)
      )
      assert.deepStrictEqual(await adapter.listAuthenticatorsByUserId(text()), [])
    }
  },
  {
    name: "updateAuthenticatorCounter answers the key with the counter, and rejects for an unknown one",
    check: async (adapter) => {
      const key = await storedKey(adapter, (await adapter.createUser(newUser())).id)
      assert.strictEqual((await adapter.updateAuthenticatorCounter(key.credentialID, 8)).counter, 8)
      assert.strictEqual((await adapter.getAuthenticator(key.credentialID))?.counter, 8)
      assert.isTrue(await rejects(() => adapter.updateAuthenticatorCounter("no-such-key", 1)))
    }
  }
]

export const expectations: ReadonlyArray<Expectation> = [
  {
    name: "has every method",
    check: async (adapter) =>
      assert.deepStrictEqual(
        methods.filter((name) => typeof adapter[name] !== "function"),
        []
      )
  },
  ...users,
  ...accounts,
  ...sessions,
  ...links,
  ...keys
]
