/**
 * Sign-in in a Hono application, and a middleware that gives handlers the session. Reading it asks the callbacks, works with
 * storage too, and prolongs the session: its cookies go onto the answer.
 *
 *     AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... node examples/hono/server.ts
 *
 * Node 22.18 or newer runs it as it is. Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { serve } from "@hono/node-server"
import { createAuth, type ServerSession } from "effect-doorman"
import { Hono } from "hono"
import { createMiddleware } from "hono/factory"

const auth = createAuth({ providers: [{ id: "idp", name: "the provider", type: "oidc" }] })

const requireSession = createMiddleware<{ Variables: { session: ServerSession } }>(async (c, next) => {
  const headers = new Headers()
  // Rejects when the options are wrong, and the log names them.
  const session = await auth.getSession(c.req.raw, headers)
  if (session === null) return c.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(c.req.path)}`)
  c.set("session", session)
  for (const [name, value] of headers) c.header(name, value, { append: true })
  return next()
})

const app = new Hono()
app.all("/auth/*", (c) => auth.handler(c.req.raw))
app.get("/private", requireSession, (c) => c.text(`Hello ${c.get("session").user?.name ?? "stranger"}\n`))
app.get("/", (c) =>
  c.html(`<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`)
)

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) }, ({ port }) =>
  console.log(`http://localhost:${port}`)
)
