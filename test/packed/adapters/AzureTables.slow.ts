/** `@auth/azure-tables-adapter` on Azurite, the Azure Storage that comes from npm. */
import { keys, TableStorageAdapter } from "@auth/azure-tables-adapter"
import { AzureNamedKeyCredential, TableClient } from "@azure/data-tables"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe } from "vitest"
import { flowsOn } from "../../adapters/Flows.ts"
import type { Row, Table } from "../../adapters/Site.ts"
import { library } from "./Library.ts"
import { start } from "./Program.ts"

const program = fileURLToPath(new URL("node_modules/azurite/dist/src/table/main.js", import.meta.url))
/** The account that every Azurite has. */
const account = "devstoreaccount1"
const secret = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

const partitions: Readonly<Record<Exclude<Table, "key">, string>> = {
  user: keys.user,
  account: keys.account,
  session: keys.session,
  token: keys.verificationToken
}

const open = async () => {
  const directory = await mkdtemp(join(tmpdir(), "doorman-azurite-"))
  const { port, stop } = await start(
    process.execPath,
    (free) => [
      ...[program, "--tableHost", "127.0.0.1", "--tablePort", String(free)],
      ...["--location", directory, "--disableTelemetry", "--skipApiVersionCheck"]
    ],
    { ready: /successfully started on/, taken: /EADDRINUSE/ }
  )
  const client = new TableClient(
    `http://127.0.0.1:${port}/${account}`,
    "auth",
    new AzureNamedKeyCredential(account, secret),
    { allowInsecureConnection: true }
  )
  await client.createTable()
  return {
    adapter: TableStorageAdapter(client),
    rows: async (table: Table): Promise<ReadonlyArray<Row>> => {
      const found: Array<Row> = []
      if (table === "key") return found
      for await (const entity of client.listEntities()) {
        if (entity.partitionKey === partitions[table]) found.push(entity)
      }
      return found
    },
    writeBefore: async ({ email, expires, name, provider, providerAccountId, sessionToken }) => {
      const id = `user-of-${sessionToken}`
      const put = (partitionKey: string, rowKey: string, more: object) =>
        client.createEntity({ partitionKey, rowKey, ...more })
      await put(keys.user, id, { id, name, email })
      await put(keys.userByEmail, email, { id, name, email })
      await put(keys.account, `${providerAccountId}_${provider}`, {
        userId: id,
        type: "oidc",
        provider,
        providerAccountId
      })
      await put(keys.accountByUserId, id, { [provider]: providerAccountId })
      await put(keys.session, sessionToken, { sessionToken, userId: id, expires })
      await put(keys.sessionByUserId, id, { sessionToken })
    },
    close: async () => {
      await stop()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

describe("@auth/azure-tables-adapter", () => {
  flowsOn({ name: "on Azurite", keepsKeys: false, keepsAddresses: true, open }, library)
})
