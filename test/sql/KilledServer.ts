/**
 * The server of an application, which `Killed.ts` kills: sign-in by links, with callbacks and events, on a database.
 *
 *     node KilledServer.ts <sqlite|postgres> <file or URL>
 *
 * It tells its parent the port it listens on and every mail it sends.
 */
import { setTimeout as delay } from "node:timers/promises"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Mail } from "../../src/Mailer.ts"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import { Auth } from "../../src/Auth.ts"
import { Email } from "../../src/Provider/Email.ts"
import * as Sql from "../../src/Sql.ts"
import { forFunctions } from "../ForFunctions.ts"
import { openSqlite, openStore } from "./OpenStore.ts"

const [engine, place = ""] = process.argv.slice(2)
const { adapter } =
  engine === "postgres"
    ? await openStore(
        Layer.provide(
          Sql.layer({ sweep: false }),
          Layer.orDie(PgClient.layer({ url: Redacted.make(place), maxConnections: 4 }))
        )
      )
    : await openSqlite({ filename: place, sweep: false })

/** Functions of an application take their time. */
const pause = () => delay(1 + Math.random() * 3)

const config = {
  adapter,
  secret: "a secret of the test of killed processes: 4fE9",
  trustHost: true,
  basePath: "/auth",
  session: { strategy: "database" as const },
  providers: [Email()],
  mailer: { send: ({ to, url }: Mail) => Effect.sync(() => void process.send?.({ to, url: Redacted.value(url) })) },
  callbacks: {
    signIn: async () => {
      await pause()
      return true
    },
    redirect: async ({ baseUrl }: { readonly baseUrl: string }) => {
      await pause()
      return baseUrl
    }
  },
  events: { signIn: pause, createUser: pause }
}

const server = await listenOnLoopback(0)
server.serve(nodeListener((request) => Auth(request, forFunctions(config)), new URL("https://app.example")))
process.send?.({ port: server.port })
process.once("disconnect", () => process.exit(0))
