/**
 * Several instances behind one address and one cookie, with users and sessions in PostgreSQL. Whichever instance a request
 * reaches: sessions, links and used sign-in attempts are rows that all of them see, so what counts once counts once.
 *
 *     AUTH_SECRET=... AUTH_URL=https://app.example/auth DATABASE_URL=postgres://... AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... PORT=3001 node examples/postgres/server.ts
 *
 * Node 22.18 or newer runs it as it is. All instances have one AUTH_SECRET and the
 * AUTH_URL of the balancer before them. The first instance that starts makes the tables.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import { postgres } from "effect-doorman/postgres"

const auth = createAuth({
  adapter: postgres({ url: process.env["DATABASE_URL"] ?? "postgres://localhost/app" }),
  providers: [{ id: "idp", name: "the provider", type: "oidc" }]
})

const application = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (auth.requestUrl(request)?.pathname !== "/private") return void response.writeHead(404).end("Not found\n")
  const headers = new Headers()
  const session = await auth.getSession(request, headers)
  response.setHeaders(headers)
  if (session === null) return void response.writeHead(302, { location: "/auth/signin?callbackUrl=/private" }).end()
  response.end(`Hello ${session.user?.name ?? "stranger"}\n`)
}

// While the database is away it is not known who is signed in: the answer is 503, and cookies stay.
const server = createServer(toNodeHandler(auth, application))
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
})
process.once("SIGTERM", () => server.close(() => void auth.dispose()))
