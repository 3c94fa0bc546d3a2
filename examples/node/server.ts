/**
 * Sign-in on Node's own http server, at any OpenID provider, with nobody stored: the session is an encrypted cookie.
 *
 *     AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... node examples/node/server.ts
 *
 * Node 22.18 or newer runs it as it is. Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import { createServer } from "node:http"
import { Auth, type AuthConfig, getToken, setEnvDefaults } from "effect-doorman"
import { listener } from "./web.ts"

const config: AuthConfig = { providers: [{ id: "idp", name: "the provider", type: "oidc" }] }
setEnvDefaults(process.env, config)

const home = `<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`

const application = async (request: Request): Promise<Response> => {
  const { origin, pathname, protocol } = new URL(request.url)
  if (pathname.startsWith("/auth/")) return Auth(request, config)
  if (pathname === "/") return new Response(home, { headers: { "content-type": "text/html; charset=utf-8" } })
  if (pathname !== "/private") return new Response("Not found\n", { status: 404 })
  const claims = await getToken({ req: request, secret: config.secret ?? [], secureCookie: protocol === "https:" })
  if (claims === null) return Response.redirect(`${origin}/auth/signin?callbackUrl=/private`)
  return new Response(`Hello ${claims.name ?? "somebody"}\n`, { headers: { "cache-control": "private, no-store" } })
}

const server = createServer(listener(application, config)).listen(
  Number(process.env["PORT"] ?? 3000),
  "127.0.0.1",
  () => {
    const address = server.address()
    if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
  }
)
