/**
 * Sign-in in a Hono application, and a middleware that gives handlers the session. Reading it through the session action
 * asks the callbacks, works with storage too, and prolongs the session: its cookies go onto the answer.
 *
 *     AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... node examples/hono/server.ts
 *
 * Node 22.18 or newer runs it as it is. Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { serve } from "@hono/node-server"
import { Auth, type AuthConfig, type Session, setEnvDefaults } from "effect-doorman"
import { Hono } from "hono"
import { createMiddleware } from "hono/factory"

const config: AuthConfig = { providers: [{ id: "idp", name: "the provider", type: "oidc" }] }
setEnvDefaults(process.env, config)

const requireSession = createMiddleware<{ Variables: { session: Session } }>(async (c, next) => {
  const cookie = c.req.header("cookie")
  const headers = cookie === undefined ? {} : { cookie }
  // The host here does not matter: `Auth` uses the configured origin.
  const answer = await Auth(new Request(new URL("/auth/session", c.req.url), { headers }), config)
  // Wrong options are answered with a 500, and the log names them.
  if (!answer.ok) return answer
  const session = (await answer.json()) as Session | null
  if (session === null) return c.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(c.req.path)}`)
  c.set("session", session)
  for (const cookie of answer.headers.getSetCookie()) c.header("set-cookie", cookie, { append: true })
  c.header("cache-control", "private, no-store")
  return next()
})

const app = new Hono()
app.all("/auth/*", (c) => Auth(c.req.raw, config))
app.get("/private", requireSession, (c) => c.text(`Hello ${c.get("session").user?.name ?? "stranger"}\n`))
app.get("/", (c) =>
  c.html(`<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`)
)

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) }, ({ port }) =>
  console.log(`http://localhost:${port}`)
)
