/** The configuration of next-auth, as its documentation has it. Client and issuer of `idp` come from AUTH_IDP_*. */
import NextAuth, { type DefaultSession } from "next-auth"
import type {} from "next-auth/jwt"
import Credentials from "next-auth/providers/credentials"
import { WrongPassword } from "@/wrong-password"

declare module "next-auth" {
  interface Session {
    user: { role: string } & DefaultSession["user"]
  }
  interface User {
    role?: string
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    role?: string
  }
}

export const { auth, handlers, signIn, signOut, unstable_update } = NextAuth({
  providers: [
    { id: "idp", name: "the provider", type: "oidc" },
    Credentials({
      credentials: { username: { label: "Username" }, password: { label: "Password", type: "password" } },
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
    authorized: ({ auth, request }) => !request.nextUrl.pathname.startsWith("/private") || auth !== null,
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
