/**
 * Published adapters under the laws. What their interface does not promise is listed with the reason.
 */
import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { KyselyAdapter, KyselyAuth } from "@auth/kysely-adapter"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import { assert, describe, it } from "@effect/vitest"
import { drizzle } from "drizzle-orm/sqlite-proxy"
import { SqliteDialect } from "kysely"
import Database from "libsql"
import { createStorage } from "unstorage"
import { fromPromises, type PromiseAdapter } from "../../src/Adapter.ts"
import { furtherMethods } from "../storage/FurtherMethods.ts"
import * as AdapterLaws from "../../src/testing/AdapterLaws.ts"
import { drizzleSqliteTables, kyselySqliteTables } from "../adapters/Tables.ts"
import { ClassAdapter } from "./ClassAdapter.ts"

const makeDrizzle = () => {
  const database = new Database(":memory:")
  database.exec("pragma foreign_keys = on")
  database.exec(drizzleSqliteTables)
  return DrizzleAdapter(
    drizzle(async (sql, params, method) => {
      const statement = database.prepare(sql)
      if (method === "run") {
        statement.run(...params)
        return { rows: [] }
      }
      const rows: Array<Array<unknown>> = statement.raw().all(...params) as Array<Array<unknown>>
      return { rows: method === "get" ? (rows[0] as Array<unknown>) : rows }
    })
  )
}

const makeKysely = () => {
  const database = new Database(":memory:")
  database.exec("pragma foreign_keys = on")
  database.exec(kyselySqliteTables)
  return KyselyAdapter(new KyselyAuth<never>({ dialect: new SqliteDialect({ database }) }))
}

const counter = "the interface stores the counter that it is given, without the one that it replaces"
const accountOnly = "unlinkAccount of the interface is about the row of the account"
const noUniqueKeys = "the storage below reads and writes single keys, without a condition"
const wholeRows = "the storage below writes whole rows after reading them"
const joinedKeys = "the storage below has one text for a key, in which the parts are joined"
const oneOfEach = "the indexes of a user's rows hold one account and one session, and both are expected"

const noIndex = "the tables of its documentation have no unique index of provider and providerAccountId"
const addressNeeded = "the tables of its documentation need an address for every user"

const subjects: ReadonlyArray<{
  readonly name: string
  readonly make: () => PromiseAdapter
  /** Does it have no methods for passkeys? */
  readonly withoutKeys?: boolean
  /** Laws that the adapter's interface does not promise, each with the reason. */
  readonly deviations: Readonly<Record<string, string>>
}> = [
  { name: "a class with numbers for ids", make: () => new ClassAdapter(), deviations: {} },
  {
    name: "@auth/drizzle-adapter over libsql",
    make: makeDrizzle,
    deviations: {
      "a counter only grows": counter,
      "one of many raises a counter": counter,
      "a key leaves together with its account": accountOnly
    }
  },
  {
    name: "@auth/kysely-adapter over libsql",
    make: makeKysely,
    withoutKeys: true,
    deviations: {
      "an account is linked once": noIndex,
      "one of many links an account": noIndex,
      "users without an address are kept apart": addressNeeded
    }
  },
  {
    name: "@auth/unstorage-adapter over memory",
    make: () => UnstorageAdapter(createStorage()),
    deviations: {
      "a counter only grows": counter,
      "one of many raises a counter": counter,
      "a key leaves together with its account": accountOnly,
      "a credential is registered once": noUniqueKeys,
      "a session token belongs to one session": noUniqueKeys,
      "an account is linked once": noUniqueKeys,
      "an address belongs to one user": noUniqueKeys,
      "one of many creates the user of an address": noUniqueKeys,
      "one of many links an account": noUniqueKeys,
      "one of many registers a credential": noUniqueKeys,
      "one of many uses a verification token": noUniqueKeys,
      "updateUser fails for an unknown user": noUniqueKeys,
      "updateUser moves an address": noUniqueKeys,
      "a deleted session stays deleted under changes": wholeRows,
      "changes of different members are all kept": wholeRows,
      "provider and id of an account do not run together": joinedKeys,
      "credentials go with their user": oneOfEach,
      "deleteUser of an unknown user changes nothing": oneOfEach
    }
  }
]

/** Laws about methods that Auth.js adapters do not have. */
const beyond = new Set<string>(furtherMethods)

const aboutKeys = new Set<string>([
  "createAuthenticator",
  "getAccount",
  "getAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter"
])

describe("Laws of storage over promises", () => {
  for (const { deviations, make, name, withoutKeys = false } of subjects) {
    it.gen(`H238, H241, H248 ${name}`, function* () {
      const findings = yield* AdapterLaws.check(fromPromises(make()))
      const broken = findings.flatMap(({ law, outcome }) => (outcome._tag === "broken" ? [law.name] : []))
      assert.deepStrictEqual(broken.sort(), Object.keys(deviations).sort(), AdapterLaws.format(findings))
      for (const { outcome } of findings) {
        if (outcome._tag !== "skipped") continue
        for (const method of outcome.missing)
          assert.isTrue(beyond.has(method) || (withoutKeys && aboutKeys.has(method)), method)
      }
    })
  }
})
