/** `@auth/pouchdb-adapter` on a PouchDB in memory. Its deleteUser does nothing. */
import { createIndexes, PouchDBAdapter } from "@auth/pouchdb-adapter"
import PouchDB from "pouchdb"
import memory from "pouchdb-adapter-memory"
import find from "pouchdb-find"
import { describe } from "vitest"
import { flowsOn } from "../../adapters/Flows.ts"
import type { Row, Table } from "../../adapters/Site.ts"
import { library } from "./Library.ts"

PouchDB.plugin(find).plugin(memory)

const prefixes: Readonly<Record<Exclude<Table, "key">, string>> = {
  user: "USER_",
  account: "ACCOUNT_",
  session: "SESSION_",
  token: "VERIFICATION-TOKEN_"
}

const open = async () => {
  const pouchdb = new PouchDB("doorman", { adapter: "memory" })
  await createIndexes(pouchdb)
  return {
    adapter: PouchDBAdapter({ pouchdb }),
    rows: async (table: Table): Promise<ReadonlyArray<Row>> => {
      if (table === "key") return []
      const { rows } = await pouchdb.allDocs<Row>({ include_docs: true })
      return rows
        .filter(({ id }) => id.startsWith(prefixes[table]))
        .map(({ doc, id }) => (table === "user" ? { ...doc, id } : { ...doc }))
    },
    writeBefore: async ({ email, expires, name, provider, providerAccountId, sessionToken }) => {
      const userId = `USER_of-${sessionToken}`
      await pouchdb.put({ _id: userId, name, email, emailVerified: null })
      await pouchdb.put({ _id: `ACCOUNT_of-${sessionToken}`, userId, type: "oidc", provider, providerAccountId })
      await pouchdb.put({ _id: `SESSION_of-${sessionToken}`, userId, sessionToken, expires })
    },
    close: () => pouchdb.destroy()
  }
}

describe("@auth/pouchdb-adapter", () => {
  flowsOn({ name: "on PouchDB", keepsKeys: false, keepsUsers: true, open }, library)
})
