/**
 * Sign-in in an Express 4 application, which waits for no promise of a middleware.
 *
 *     npm run build && AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth \
 *     AUTH_IDP_ISSUER=https://... AUTH_IDP_ID=... AUTH_IDP_SECRET=... node dist/express-4.js
 *
 * Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import express, { type RequestHandler } from "express"

const auth = createAuth({ providers: [{ id: "idp", name: "the provider", type: "oidc" }] })

/** Lets the signed-in through, with their session in `res.locals`. */
const requireUser: RequestHandler = (req, res, next) => {
  const headers = new Headers()
  auth.getSession(req, headers).then((session) => {
    res.setHeaders(headers)
    if (session === null)
      return res.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(auth.requestUrl(req)?.pathname ?? "/")}`)
    res.locals["name"] = session.user?.name ?? "stranger"
    next()
  }, next)
}

const app = express().disable("x-powered-by")
app.use(toNodeHandler(auth))
app.use(express.urlencoded({ extended: false }))
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
