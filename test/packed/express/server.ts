/** An application with @auth/express, as its documentation has it. */
import type { AddressInfo } from "node:net"
import { AuthError, CredentialsSignin, ExpressAuth, type ExpressAuthConfig, getSession } from "@auth/express"
import type { DefaultSession } from "@auth/express"
import Credentials from "@auth/express/providers/credentials"
import express, { type ErrorRequestHandler } from "express"

declare module "@auth/express" {
  interface Session {
    user: { role: string } & DefaultSession["user"]
  }
  interface User {
    role?: string
  }
}

declare module "@auth/core/jwt" {
  interface JWT {
    role?: string
  }
}

class WrongPassword extends CredentialsSignin {
  code = "wrong_password"
}

const config: ExpressAuthConfig = {
  // Client and issuer come from AUTH_IDP_ID, AUTH_IDP_SECRET and AUTH_IDP_ISSUER.
  providers: [
    { id: "idp", name: "the provider", type: "oidc" },
    Credentials({
      credentials: { username: {}, password: { type: "password" } },
      authorize: ({ password, username }) => {
        if (password === "correct")
          return { id: String(username), name: "Bob", email: "bob@app.example", role: "operator" }
        if (password === "wrong") throw new WrongPassword()
        return null
      }
    })
  ],
  callbacks: {
    jwt: ({ session, token, trigger, user }) => {
      if (user) token.role = user.role ?? "visitor"
      return trigger === "update" ? { ...token, name: session.user.name } : token
    },
    session: ({ session, token }) => ({ ...session, user: { ...session.user, role: token.role ?? "nobody" } })
  }
}

const app = express()
app.use("/auth", ExpressAuth(config))
app.get("/", (_request, response) => void response.send("start page"))
app.get("/me", async (request, response) => {
  const session = await getSession(request, config)
  response.json(session === null ? null : { ...session, role: session.user.role })
})
const failed: ErrorRequestHandler = (error, _request, response, _next) =>
  void response.status(500).send(error instanceof AuthError ? error.type : "failed")
app.use(failed)

const server = app.listen(Number(process.env["PORT"]), "localhost", () =>
  console.log(`http://localhost:${(server.address() as AddressInfo).port}`)
)
