/**
 * Sign-in in an Express 5 application. `Auth` reads the body itself: mount it before every body parser.
 *
 *     AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... node examples/express/server.ts
 *
 * Node 22.18 or newer runs it as it is. Register `http://localhost:3000/auth/callback/idp` at the provider. The bridge to
 * `Request` and `Response` is the one of the example for Node.
 */
import { Auth, type AuthConfig, getToken, requestUrl, setEnvDefaults } from "effect-doorman"
import express, { type RequestHandler } from "express"
import { listener } from "../node/web.ts"

const config: AuthConfig = { providers: [{ id: "idp", name: "the provider", type: "oidc" }] }
setEnvDefaults(process.env, config)

/** Lets the signed-in through, with their claims in `res.locals`. */
const requireUser: RequestHandler = async (req, res, next) => {
  const headers = { cookie: req.headers.cookie ?? "" }
  const secureCookie = config.origin?.startsWith("https:") === true
  const claims = await getToken({ req: { headers }, secret: config.secret ?? [], secureCookie })
  if (claims === null) return res.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(req.url)}`)
  res.locals["name"] = claims.name ?? "somebody"
  next()
}

const app = express().disable("x-powered-by")
app.use((req, res, next) => {
  const url = requestUrl(req, config)
  if (url === undefined) return void res.sendStatus(400)
  // A request target may be a whole URL, of any host.
  req.url = url.pathname + url.search
  next()
})
app.all(
  "/auth/*action",
  listener((request) => Auth(request, config), config)
)
app.use(express.urlencoded())
app.get("/private", requireUser, (_req, res) => {
  res.set("cache-control", "private, no-store").type("text").send(`Hello ${res.locals["name"]}\n`)
})
app.get("/", (_req, res) => {
  res.send(`<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`)
})

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
})
