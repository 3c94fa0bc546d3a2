/** An application with @hono/auth-js, as its documentation has it; the page of its client is built by `npm run build`. */
import { CredentialsSignin } from "@auth/core/errors"
import Credentials from "@auth/core/providers/credentials"
import { authHandler, getAuthUser, initAuthConfig, verifyAuth } from "@hono/auth-js"
import { serve } from "@hono/node-server"
import { serveStatic } from "@hono/node-server/serve-static"
import { Hono } from "hono"

class WrongPassword extends CredentialsSignin {
  code = "wrong_password"
}

const authorize = ({ password, username }) => {
  if (password === "correct") return { id: username, name: "Bob", email: "bob@app.example" }
  if (password === "wrong") throw new WrongPassword()
  return null
}

const app = new Hono()
app.use(
  "*",
  initAuthConfig(() => ({
    basePath: "/api/auth",
    // Client and issuer come from AUTH_IDP_ID, AUTH_IDP_SECRET and AUTH_IDP_ISSUER.
    providers: [
      { id: "idp", name: "the provider", type: "oidc" },
      Credentials({ credentials: { username: {}, password: { type: "password" } }, authorize })
    ],
    callbacks: {
      jwt: ({ session, token, trigger }) => (trigger === "update" ? { ...token, name: session.user.name } : token)
    }
  }))
)
app.use("/api/auth/*", authHandler())
app.get("/me", async (c) => c.json((await getAuthUser(c))?.session ?? null))
app.use("/api/*", verifyAuth())
app.get("/api/protected", (c) => c.json(c.get("authUser").session))
app.get("/build/*", serveStatic({ root: "./" }))
app.get("/", (c) =>
  c.html(
    `<!doctype html><title>start page</title><div id="root"></div><script type="module" src="/build/client.js"></script>`
  )
)

serve({ fetch: app.fetch, hostname: "localhost", port: Number(process.env.PORT) }, ({ port }) =>
  console.log(`http://localhost:${port}`)
)
