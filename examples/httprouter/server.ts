/**
 * Pages on Effect's HttpRouter and on Node, with users and sessions in one SQLite file: a visitor who opens /devices without a
 * session is sent to the sign-in page and comes back, sees all their devices, and can sign any of them out.
 *
 *     AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... DATABASE=users.db node examples/httprouter/server.ts
 *
 * Needs `npm install @effect/platform-node`; Node 22.18 or newer runs it as it is. Register
 * `http://localhost:3000/auth/callback/idp` at the provider. The tables are made at the first start.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Adapter } from "effect-doorman/Adapter"
import { Doorman } from "effect-doorman/Doorman"
import * as Sql from "effect-doorman/Sql"
import * as Sqlite from "effect-doorman/sql/Sqlite"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { createServer } from "node:http"
import { Pages } from "./pages.ts"

const Database = Layer.unwrap(
  Effect.map(Config.withDefault(Config.String("DATABASE"), "users.db"), (filename) => Sqlite.layer({ filename }))
)

const DoormanLayer = Doorman.layerConfig({
  providers: [{ id: "idp", name: "the provider", type: "oidc" }],
  adapter: Adapter
}).pipe(Layer.provide(Sql.layer({})), Layer.provide([Database, SecureRandom.layerWebCrypto]))

const Address = Layer.effectDiscard(
  Effect.flatMap(HttpServer, ({ address }) => Console.log(`http://localhost:${"port" in address ? address.port : ""}`))
)

const Server = Layer.unwrap(
  Effect.map(Config.withDefault(Config.Number("PORT"), 3000), (port) =>
    NodeHttpServer.layer(createServer, { host: "127.0.0.1", port })
  )
)

HttpRouter.serve(Pages, { disableListenLog: true }).pipe(
  Layer.merge(Address),
  Layer.provide([DoormanLayer, Server]),
  Layer.provide(FetchHttpClient.layer),
  Layer.launch,
  NodeRuntime.runMain
)
