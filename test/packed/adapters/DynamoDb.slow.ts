/** `@auth/dynamodb-adapter` on Dynalite, a DynamoDB in this process. */
import { DynamoDBAdapter } from "@auth/dynamodb-adapter"
import { DynamoDB } from "@aws-sdk/client-dynamodb"
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
import dynalite from "dynalite"
import type { AddressInfo } from "node:net"
import { describe } from "vitest"
import { flowsOn } from "../../adapters/Flows.ts"
import type { Row, Table } from "../../adapters/Site.ts"
import { library } from "./Library.ts"

const TableName = "next-auth"

/** One table for everything: the sort key says what an item is. */
const prefixes: Readonly<Record<Exclude<Table, "key">, string>> = {
  user: "USER#",
  account: "ACCOUNT#",
  session: "SESSION#",
  token: "VT#"
}

const key = (name: string, KeyType: "HASH" | "RANGE") => ({ AttributeName: name, KeyType })

const open = async () => {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const client = new DynamoDB({
    endpoint: `http://127.0.0.1:${port}`,
    region: "eu-central-1",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" }
  })
  await client.createTable({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: ["pk", "sk", "GSI1PK", "GSI1SK"].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S"
    })),
    KeySchema: [key("pk", "HASH"), key("sk", "RANGE")],
    GlobalSecondaryIndexes: [
      {
        IndexName: "GSI1",
        KeySchema: [key("GSI1PK", "HASH"), key("GSI1SK", "RANGE")],
        Projection: { ProjectionType: "ALL" }
      }
    ]
  })
  for (let status = ""; status !== "ACTIVE";) {
    status = (await client.describeTable({ TableName })).Table?.TableStatus ?? ""
  }
  // As the documentation of the adapter has it.
  const documents = DynamoDBDocument.from(client, {
    marshallOptions: { convertEmptyValues: true, removeUndefinedValues: true, convertClassInstanceToMap: true }
  })
  const put = (pk: string, sk: string, GSI1PK: string, GSI1SK: string, more: Row) =>
    documents.put({ TableName, Item: { pk, sk, GSI1PK, GSI1SK, ...more } })
  return {
    adapter: DynamoDBAdapter(documents),
    rows: async (table: Table): Promise<ReadonlyArray<Row>> => {
      if (table === "key") return []
      const { Items = [] } = await documents.scan({ TableName, ConsistentRead: true })
      return Items.filter((item) => String(item["sk"]).startsWith(prefixes[table])).map((item) =>
        typeof item["expires"] === "number" ? { ...item, expires: item["expires"] * 1000 } : item
      )
    },
    writeBefore: async ({ email, expires, name, provider, providerAccountId, sessionToken }) => {
      const userId = `user-of-${sessionToken}`
      const user = `USER#${userId}`
      await put(user, user, `USER#${email}`, `USER#${email}`, { type: "USER", id: userId, name, email })
      await put(
        user,
        `ACCOUNT#${provider}#${providerAccountId}`,
        `ACCOUNT#${provider}`,
        `ACCOUNT#${providerAccountId}`,
        {
          type: "oidc",
          id: `account-of-${sessionToken}`,
          userId,
          provider,
          providerAccountId
        }
      )
      const session = `SESSION#${sessionToken}`
      await put(user, session, session, session, {
        type: "SESSION",
        sessionToken,
        userId,
        expires: expires.getTime() / 1000
      })
    },
    close: async () => {
      client.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

describe("@auth/dynamodb-adapter", () => {
  flowsOn({ name: "on DynamoDB", keepsKeys: false, keepsAddresses: true, open }, library)
})
