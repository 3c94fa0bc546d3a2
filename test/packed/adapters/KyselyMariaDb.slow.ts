/** `@auth/kysely-adapter` on MariaDB. */
import { KyselyAdapter, KyselyAuth } from "@auth/kysely-adapter"
import { MysqlDialect } from "kysely"
import { describe } from "vitest"
import { looksInto } from "../../adapters/Databases.ts"
import { flowsOn } from "../../adapters/Flows.ts"
import { library } from "./Library.ts"
import { dates, isMariaDbHere, openMariaDb, withoutMariaDb } from "./MariaDb.ts"

const tables = [
  `create table User (id varchar(36) primary key default (uuid()), name varchar(255), email varchar(255) not null unique,
    emailVerified timestamp(3) null, image varchar(255))`,
  `create table Account (id varchar(36) primary key default (uuid()), userId varchar(36) not null,
    type varchar(255) not null, provider varchar(255) not null, providerAccountId varchar(255) not null,
    refresh_token varchar(255), access_token varchar(255), expires_at bigint, token_type varchar(255),
    scope varchar(255), id_token varchar(2048), session_state varchar(255),
    foreign key (userId) references User(id) on delete cascade)`,
  `create table Session (id varchar(36) primary key default (uuid()), userId varchar(36) not null,
    sessionToken varchar(255) not null unique, expires timestamp(3) not null default current_timestamp(3),
    foreign key (userId) references User(id) on delete cascade)`,
  `create table VerificationToken (identifier varchar(255) not null, token varchar(255) not null unique,
    expires timestamp(3) not null default current_timestamp(3))`
]

const names = { user: "User", account: "Account", session: "Session", token: "VerificationToken" }

withoutMariaDb("@auth/kysely-adapter")

describe.skipIf(!isMariaDbHere)("@auth/kysely-adapter", () => {
  flowsOn(
    {
      name: "on MariaDB",
      keepsKeys: false,
      open: async () => {
        const { close, pool, run } = await openMariaDb(...tables)
        const adapter = KyselyAdapter(new KyselyAuth<never>({ dialect: new MysqlDialect({ pool }) }))
        return { adapter, ...looksInto(run, names, { dates, quote: "`" }), close }
      }
    },
    library
  )
})
