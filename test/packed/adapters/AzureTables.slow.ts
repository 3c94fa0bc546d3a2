/** `@auth/azure-tables-adapter` on Azurite, the Azure Storage that comes from npm. */
import { keys, TableStorageAdapter } from "@auth/azure-tables-adapter"
import { AzureNamedKeyCredential, TableClient } from "@azure/data-tables"
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe } from "vitest"
import { flowsOn } from "../../adapters/Flows.ts"
import type { Row, Table } from "../../adapters/Site.ts"
import { library } from "./Library.ts"

const program = fileURLToPath(new URL("node_modules/azurite/dist/src/table/main.js", import.meta.url))
/** The account that every Azurite has. */
const account = "devstoreaccount1"
const secret = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(address)))
    })
  })

/** Starts the server; a port that was free a moment ago may be somebody else's by now, then the next one is tried. */
const start = async (directory: string, left = 5): Promise<{ port: number; stop: () => Promise<unknown> }> => {
  const port = await freePort()
  const options = ["--tableHost", "127.0.0.1", "--tablePort", String(port), "--location", directory]
  const server = spawn(process.execPath, [program, ...options, "--disableTelemetry", "--skipApiVersionCheck"], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  const abandon = () => void server.kill("SIGKILL")
  process.once("exit", abandon)
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()))
  let log = ""
  const isUp = await new Promise<boolean>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream.on("data", (chunk) => {
        log = (log + String(chunk)).slice(-4000)
        if (log.includes("successfully started on")) resolve(true)
      })
    server.once("close", () => (left > 0 && /EADDRINUSE/.test(log) ? resolve(false) : reject(new Error(log))))
  })
  if (!isUp) {
    process.removeListener("exit", abandon)
    return start(directory, left - 1)
  }
  return {
    port,
    stop: async () => {
      server.kill("SIGTERM")
      await closed
      process.removeListener("exit", abandon)
    }
  }
}

const partitions: Readonly<Record<Exclude<Table, "key">, string>> = {
  user: keys.user,
  account: keys.account,
  session: keys.session,
  token: keys.verificationToken
}

const open = async () => {
  const directory = await mkdtemp(join(tmpdir(), "doorman-azurite-"))
  const { port, stop } = await start(directory)
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
  flowsOn({ name: "on Azurite", keepsKeys: false, open }, library)
})
