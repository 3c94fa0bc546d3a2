/**
 * Sign-in in a Koa application.
 *
 *     npm run build && AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth \
 *     AUTH_IDP_ISSUER=https://... AUTH_IDP_ID=... AUTH_IDP_SECRET=... node dist/koa.js
 *
 * Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { createServer } from "node:http"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import Koa from "koa"

const auth = createAuth({ providers: [{ id: "idp", name: "the provider", type: "oidc" }] })

const app = new Koa<{ name: string }>()

/** Lets the signed-in through, with their name in `ctx.state`. */
const requireUser: Koa.Middleware<{ name: string }> = async (ctx, next) => {
  const headers = new Headers()
  const session = await auth.getSession(ctx.req, headers)
  ctx.res.setHeaders(headers)
  if (session === null)
    return ctx.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(auth.requestUrl(ctx.req)?.pathname ?? "/")}`)
  ctx.state.name = session.user?.name ?? "stranger"
  await next()
}

app.use((ctx, next) => {
  if (ctx.path === "/private") return requireUser(ctx, next)
  if (ctx.path === "/")
    ctx.body = `<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`
})
app.use((ctx) => {
  ctx.body = `Hello ${ctx.state.name}\n`
})

const server = createServer(toNodeHandler(auth, app.callback()))
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
})
