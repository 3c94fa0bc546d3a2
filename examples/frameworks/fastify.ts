/**
 * Sign-in in a Fastify application. The handler runs before Fastify: no parser and no hook of Fastify sees its requests.
 *
 *     npm run build && AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth \
 *     AUTH_IDP_ISSUER=https://... AUTH_IDP_ID=... AUTH_IDP_SECRET=... node dist/fastify.js
 *
 * Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { createServer } from "node:http"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"

declare module "fastify" {
  interface FastifyRequest {
    name: string
  }
}

const auth = createAuth({ providers: [{ id: "idp", name: "the provider", type: "oidc" }] })

const app = Fastify({ serverFactory: (application) => createServer(toNodeHandler(auth, application)) })

/** Lets the signed-in through, with their name in the request. */
const requireUser = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
  const headers = new Headers()
  const session = await auth.getSession(request.raw, headers)
  reply.headers(Object.fromEntries(headers)).header("set-cookie", headers.getSetCookie())
  if (session === null)
    return reply.redirect(
      `/auth/signin?callbackUrl=${encodeURIComponent(auth.requestUrl(request.raw)?.pathname ?? "/")}`
    )
  request.name = session.user?.name ?? "stranger"
}

app.decorateRequest("name", "")
app.get("/private", { preHandler: requireUser }, (request) => `Hello ${request.name}\n`)
app.get("/", (_request, reply) =>
  reply.type("text/html; charset=utf-8").send(`<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`)
)

await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" })
const address = app.server.address()
if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
