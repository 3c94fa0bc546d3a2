/** An application with @auth/express, as its documentation has it. */
import { CredentialsSignin, ExpressAuth, getSession } from "@auth/express"
import Credentials from "@auth/express/providers/credentials"
import express from "express"

class WrongPassword extends CredentialsSignin {
  code = "wrong_password"
}

const config = {
  // Client and issuer come from AUTH_IDP_ID, AUTH_IDP_SECRET and AUTH_IDP_ISSUER.
  providers: [
    { id: "idp", name: "the provider", type: "oidc" },
    Credentials({
      credentials: { username: {}, password: { type: "password" } },
      authorize: ({ password, username }) => {
        if (password === "correct") return { id: username, name: "Bob", email: "bob@app.example" }
        if (password === "wrong") throw new WrongPassword()
        return null
      }
    })
  ],
  callbacks: {
    jwt: ({ session, token, trigger }) => (trigger === "update" ? { ...token, name: session.user.name } : token)
  }
}

const app = express()
app.use("/auth", ExpressAuth(config))
app.get("/", (request, response) => response.send("start page"))
app.get("/me", async (request, response) => response.json(await getSession(request, config)))

const server = app.listen(Number(process.env.PORT), "localhost", () =>
  console.log(`http://localhost:${server.address().port}`)
)
