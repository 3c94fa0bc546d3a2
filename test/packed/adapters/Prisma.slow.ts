/** `@auth/prisma-adapter` with Prisma's adapter for PostgreSQL. */
import { PrismaAdapter } from "@auth/prisma-adapter"
import { PrismaPg } from "@prisma/adapter-pg"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, describe } from "vitest"
import { looksInto, postgres } from "../../adapters/Databases.ts"
import { flowsOn } from "../../adapters/Flows.ts"
import { isPostgresHere } from "../../sql/PostgresServer.ts"
import { library } from "./Library.ts"

const folder = fileURLToPath(new URL(".", import.meta.url))

/** Makes the client of the schema. The engine that would change tables is not needed for it, and is not in the package. */
const generate = (schema: string) =>
  promisify(execFile)(
    process.execPath,
    ["node_modules/prisma/build/index.js", "generate", "--schema", schema, "--no-hints"],
    { cwd: folder, env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", CHECKPOINT_DISABLE: "1" } }
  )

/** The tables of the schemas; ids of users are of a type. */
const tables = (id: string, reference: string) => [
  `create table "User" (id ${id} primary key, name text, email text unique, "emailVerified" timestamp(3), image text)`,
  `create table "Account" ("userId" ${reference} not null references "User"(id) on delete cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
    expires_at integer, token_type text, scope text, id_token text, session_state text,
    primary key (provider, "providerAccountId"))`,
  `create table "Session" ("sessionToken" text not null unique,
    "userId" ${reference} not null references "User"(id) on delete cascade, expires timestamp(3) not null)`,
  `create table "VerificationToken" (identifier text not null, token text not null, expires timestamp(3) not null,
    primary key (identifier, token))`,
  `create table "Authenticator" ("credentialID" text not null unique,
    "userId" ${reference} not null references "User"(id) on delete cascade, "providerAccountId" text not null,
    "credentialPublicKey" text not null, counter integer not null, "credentialDeviceType" text not null,
    "credentialBackedUp" boolean not null, transports text, primary key ("userId", "credentialID"))`
]

type Client = Parameters<typeof PrismaAdapter>[0]

const names = {
  user: "User",
  account: "Account",
  session: "Session",
  token: "VerificationToken",
  key: "Authenticator"
}

describe.skipIf(!isPostgresHere)("@auth/prisma-adapter", () => {
  const server = postgres()
  afterAll(() => server.stop())

  /** A client that is made of a schema, on tables of its own. */
  const open = async (schema: string, client: string, columns: ReadonlyArray<string>) => {
    await generate(schema)
    const { PrismaClient } = (await import(client)) as { readonly PrismaClient: new (options: object) => Client }
    const { close, run, url } = await server.open(...columns)
    const searched = /search_path=(\w+)/.exec(decodeURIComponent(url))?.[1] ?? "public"
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }, { schema: searched }) })
    return {
      adapter: PrismaAdapter(prisma),
      ...looksInto(run, names),
      close: async () => {
        await prisma.$disconnect()
        await close()
      }
    }
  }

  flowsOn(
    {
      name: "on PostgreSQL, ids of the type uuid",
      keepsKeys: true,
      open: () => open("schema.prisma", "@prisma/client", tables("uuid default gen_random_uuid()", "uuid"))
    },
    library
  )

  flowsOn(
    {
      name: "on PostgreSQL, numbers for ids",
      keepsKeys: true,
      open: () => open("numbers.prisma", "./node_modules/.prisma/numbers/index.js", tables("serial", "integer"))
    },
    library
  )
})
