/**
 * An HttpApi service on Node: notes for signed-in users, which editors write; a user type of its own, a page that shows
 * the API (/docs), and clients with a browser's cookie or with a bearer token.
 *
 *     AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... EDITORS=ada@example.com node examples/httpapi/server.ts
 *
 * Needs `npm install @effect/platform-node`; Node 22.18 or newer runs it as it is. Register
 * `http://localhost:3000/auth/callback/idp` at the provider, and sign in at http://localhost:3000/auth/signin.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Doorman } from "effect-doorman/Doorman"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { createServer } from "node:http"
import { App } from "./app.ts"

const DoormanLayer = Layer.unwrap(
  Effect.map(Config.withDefault(Config.String("EDITORS"), ""), (editors) =>
    Doorman.layerConfig({
      providers: [{ id: "idp", name: "the provider", type: "oidc" }],
      callbacks: {
        // The user as handlers and browsers see it: the role is looked up at each request, so a change counts at once.
        session: ({ session: { user, ...session } }) => {
          const role = user?.email && editors.split(",").includes(user.email) ? "editor" : "reader"
          return { ...session, user: { name: user?.name ?? "stranger", role } }
        }
      }
    })
  )
)

const Address = Layer.effectDiscard(
  Effect.flatMap(HttpServer, ({ address }) => Console.log(`http://localhost:${"port" in address ? address.port : ""}`))
)

const Server = Layer.unwrap(
  Effect.map(Config.withDefault(Config.Number("PORT"), 3000), (port) =>
    NodeHttpServer.layer(createServer, { host: "127.0.0.1", port })
  )
)

HttpRouter.serve(App, { disableListenLog: true }).pipe(
  Layer.merge(Address),
  Layer.provide([DoormanLayer, Server]),
  Layer.provide(FetchHttpClient.layer),
  Layer.launch,
  NodeRuntime.runMain
)
