/** An application with @hono/auth-js, as its documentation has it; the page of its client is built by `npm run build`. */
import { CredentialsSignin } from "@auth/core/errors"
import Credentials from "@auth/core/providers/credentials"
import { type AuthConfig, authHandler, getAuthUser, initAuthConfig, verifyAuth } from "@hono/auth-js"
import { serve } from "@hono/node-server"
import { serveStatic } from "@hono/node-server/serve-static"
import { Hono } from "hono"

class WrongPassword extends CredentialsSignin {
  code = "wrong_password"
}

declare module "@auth/core/types" {
  interface User {
    role?: string
  }
}

declare module "@auth/core/jwt" {
  interface JWT {
    role?: string
  }
}

const authorize = ({ password, username }: Partial<Record<"password" | "username", unknown>>) => {
  if (password === "correct") return { id: String(username), role: "operator", name: "Bob", email: "bob@app.example" }
  if (password === "wrong") throw new WrongPassword()
  return null
}

const app = new Hono()
app.use(
  "*",
  initAuthConfig((): AuthConfig => ({
    basePath: "/api/auth",
    // Client and issuer come from AUTH_IDP_ID, AUTH_IDP_SECRET and AUTH_IDP_ISSUER.
    providers: [
      { id: "idp", name: "the provider", type: "oidc" },
      Credentials({ credentials: { username: {}, password: { type: "password" } }, authorize })
    ],
    callbacks: {
      jwt: ({ session, token, trigger, user }) => {
        if (user) token.role = user.role ?? "visitor"
        return trigger === "update" ? { ...token, name: session.user.name } : token
      }
    }
  }))
)
app.use("/api/auth/*", authHandler())
app.get("/me", async (c) => c.json((await getAuthUser(c))?.session ?? null))
app.use("/api/*", verifyAuth())
app.get("/api/protected", (c) => c.json({ role: c.get("authUser").token?.role }))
app.get("/build/*", serveStatic({ root: "./" }))
app.get("/", (c) =>
  c.html(
    `<!doctype html><title>start page</title><div id="root"></div><script type="module" src="/build/client.js"></script>`
  )
)

serve({ fetch: app.fetch, hostname: "localhost", port: Number(process.env["PORT"]) }, ({ port }) =>
  console.log(`http://localhost:${port}`)
)
