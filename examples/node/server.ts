/**
 * Sign-in on Node's own http server, at any OpenID provider, without storage: the session is an encrypted cookie.
 *
 *     AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... node examples/node/server.ts
 *
 * Node 22.18 or newer runs it as it is. Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"

const auth = createAuth({ providers: [{ id: "idp", name: "the provider", type: "oidc" }] })

const home = `<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`

const application = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const pathname = auth.requestUrl(request)?.pathname
  if (pathname === "/") return void response.setHeader("content-type", "text/html; charset=utf-8").end(home)
  if (pathname !== "/private") return void response.writeHead(404).end("Not found\n")
  const headers = new Headers()
  const session = await auth.getSession(request, headers)
  response.setHeaders(headers)
  if (session === null) return void response.writeHead(302, { location: "/auth/signin?callbackUrl=/private" }).end()
  response.end(`Hello ${session.user?.name ?? "stranger"}\n`)
}

const server = createServer(toNodeHandler(auth, application))
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
})
