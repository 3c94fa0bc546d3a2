/** `@auth/drizzle-adapter` on MariaDB: sessions end at a whole second. */
import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { drizzle } from "drizzle-orm/mysql2"
import { describe } from "vitest"
import { looksInto } from "../../adapters/Databases.ts"
import { flowsOn } from "../../adapters/Flows.ts"
import { library } from "./Library.ts"
import { dates, isMariaDbHere, openMariaDb, withoutMariaDb } from "./MariaDb.ts"

const tables = [
  `create table user (id varchar(255) primary key, name varchar(255), email varchar(255) unique,
    emailVerified timestamp(3) null, image varchar(255))`,
  `create table account (userId varchar(255) not null, type varchar(255) not null, provider varchar(255) not null,
    providerAccountId varchar(255) not null, refresh_token varchar(255), access_token varchar(255), expires_at int,
    token_type varchar(255), scope varchar(255), id_token varchar(2048), session_state varchar(255),
    primary key (provider, providerAccountId), foreign key (userId) references user(id) on delete cascade)`,
  `create table session (sessionToken varchar(255) primary key, userId varchar(255) not null,
    expires timestamp not null default current_timestamp, foreign key (userId) references user(id) on delete cascade)`,
  `create table verificationToken (identifier varchar(255) not null, token varchar(255) not null,
    expires timestamp not null default current_timestamp, primary key (identifier, token))`,
  `create table authenticator (credentialID varchar(255) not null unique, userId varchar(255) not null,
    providerAccountId varchar(255) not null, credentialPublicKey varchar(255) not null, counter int not null,
    credentialDeviceType varchar(255) not null, credentialBackedUp boolean not null, transports varchar(255),
    primary key (userId, credentialID), foreign key (userId) references user(id) on delete cascade)`
]

const names = {
  user: "user",
  account: "account",
  session: "session",
  token: "verificationToken",
  key: "authenticator"
}

withoutMariaDb("@auth/drizzle-adapter")

describe.skipIf(!isMariaDbHere)("@auth/drizzle-adapter", () => {
  flowsOn(
    {
      name: "on MariaDB",
      keepsKeys: true,
      open: async () => {
        const { close, pool, run } = await openMariaDb(...tables)
        return {
          adapter: DrizzleAdapter(drizzle(pool)),
          ...looksInto(run, names, { namesUsers: true, dates, quote: "`" }),
          close
        }
      }
    },
    library
  )
})
