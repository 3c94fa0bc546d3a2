/** `@auth/unstorage-adapter`: values by key, in memory and in files. */
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createStorage, type Storage } from "unstorage"
import fs from "unstorage/drivers/fs"
import { describe } from "vitest"
import { flowsOn } from "./Flows.ts"
import { library } from "./Library.ts"
import type { Row, Store, Table } from "./Site.ts"

const prefixes: Readonly<Record<Table, RegExp>> = {
  user: /^user:(?!account:|email:|session:|token:)/,
  account: /^user:account:(?!by-user-id:)/,
  session: /^user:session:(?!by-user-id:)/,
  token: /^user:token:/,
  key: /^authenticator:(?!by-user-id:)/
}

const storeIn = (storage: Storage): Store => ({
  adapter: UnstorageAdapter(storage),
  rows: async (table) => {
    const keys = (await storage.getKeys()).filter((key) => prefixes[table].test(key))
    const rows = await Promise.all(keys.map((key) => storage.getItem<Row>(key)))
    return rows.flatMap((row) => (row === null ? [] : [row]))
  },
  writeBefore: async ({ email, expires, name, provider, providerAccountId, sessionToken }) => {
    const userId = `user-of-${sessionToken}`
    const id = `${provider}:${providerAccountId}`
    await storage.setItem(`user:${userId}`, { id: userId, name, email, emailVerified: null })
    await storage.setItem(`user:email:${email}`, userId)
    await storage.setItem(`user:account:${id}`, { id, userId, type: "oidc", provider, providerAccountId })
    await storage.setItem(`user:account:by-user-id:${userId}`, `user:account:${id}`)
    await storage.setItem(`user:session:${sessionToken}`, { sessionToken, userId, expires })
    await storage.setItem(`user:session:by-user-id:${userId}`, `user:session:${sessionToken}`)
  }
})

describe("@auth/unstorage-adapter", () => {
  flowsOn(
    { name: "in memory", keepsKeys: true, keepsAddresses: true, open: () => Promise.resolve(storeIn(createStorage())) },
    library
  )

  flowsOn(
    {
      name: "in files",
      keepsKeys: true,
      keepsAddresses: true,
      open: async () => {
        const base = await mkdtemp(join(tmpdir(), "doorman-unstorage-"))
        const storage = createStorage({ driver: fs({ base }) })
        return {
          ...storeIn(storage),
          close: async () => {
            await storage.dispose()
            await rm(base, { recursive: true, force: true })
          }
        }
      }
    },
    library
  )
})
