/** The configuration of @auth/sveltekit, as its documentation has it. Client and issuer of `idp` come from AUTH_IDP_*. */
import { makeMemory, toPromises } from "@auth/core/Adapter"
import { CredentialsSignin, SvelteKitAuth } from "@auth/sveltekit"
import Credentials from "@auth/sveltekit/providers/credentials"
import WebAuthn from "@auth/sveltekit/providers/webauthn"

class WrongPassword extends CredentialsSignin {
  override code = "wrong_password"
}

export const { handle, signIn, signOut } = SvelteKitAuth({
  trustHost: true,
  adapter: toPromises(makeMemory()),
  session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true },
  providers: [
    { id: "idp", name: "the provider", type: "oidc" },
    WebAuthn,
    Credentials({
      credentials: { username: {}, password: { type: "password" } },
      authorize: async ({ password, username }) => {
        if (password === "correct")
          return { id: String(username), name: "Bob", email: "bob@app.example", role: "operator" }
        if (password === "wrong") throw new WrongPassword()
        if (password === "down") throw new Error("The directory is down.")
        return null
      }
    })
  ],
  callbacks: {
    jwt: ({ session, token, trigger, user }) => {
      if (user) token.role = user.role ?? "visitor"
      if (trigger === "update" && session?.user?.name) token.name = session.user.name
      return token
    },
    session: ({ session, token }) => {
      session.user.role = token.role ?? "nobody"
      return session
    }
  }
})
