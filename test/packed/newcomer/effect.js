/** Ten lines for an Effect server, which asks itself for the sign-in page. */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Doorman } from "effect-doorman/Doorman"
import * as Access from "effect-doorman/Access"
import * as Http from "effect-doorman/Http"
import { GitHub } from "effect-doorman/Provider/GitHub"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"

const server = createServer()
const doorman = Doorman.layer({
  secret: "a-secret-of-a-newcomer-0123456789-abcdefghijk",
  origin: "http://localhost:3000",
  providers: [GitHub({ clientId: "id", clientSecret: "secret-of-the-client-0123456789" })]
})
const app = HttpRouter.serve(
  Http.layer(Access.Default).pipe(Layer.provide(doorman), Layer.provide(FetchHttpClient.layer))
).pipe(Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })))
const page = Effect.promise(async () => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/auth/signin`)
  return `${response.status} ${(await response.text()).includes("GitHub")}`
})
console.log(await Effect.runPromise(Effect.scoped(Effect.andThen(Layer.build(app), page))))
