/**
 * Sign-in in an Express 5 application.
 *
 *     AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... node examples/express/server.ts
 *
 * Node 22.18 or newer runs it as it is. Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import express, { type RequestHandler } from "express"

const auth = createAuth({ providers: [{ id: "idp", name: "the provider", type: "oidc" }] })

/** Lets the signed-in through, with their session in `res.locals`. */
const requireUser: RequestHandler = async (req, res, next) => {
  const headers = new Headers()
  const session = await auth.getSession(req, headers)
  res.setHeaders(headers)
  if (session === null) return res.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(req.url)}`)
  res.locals["name"] = session.user?.name ?? "stranger"
  next()
}

const app: express.Express = express().disable("x-powered-by")
app.use((req, res, next) => {
  const url = auth.requestUrl(req)
  if (url === undefined) return void res.sendStatus(400)
  // A request target may be a whole URL, of any host.
  req.url = url.pathname + url.search
  next()
})
app.use(toNodeHandler(auth))
app.use(express.urlencoded())
app.get("/private", requireUser, (_req, res) => {
  res.type("text").send(`Hello ${res.locals["name"]}\n`)
})
app.get("/", (_req, res) => {
  res.send(`<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`)
})

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
})
