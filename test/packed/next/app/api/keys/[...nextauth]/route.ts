import { makeMemory, toPromises } from "@auth/core/Adapter"
import NextAuth from "next-auth"
import Passkey from "next-auth/providers/passkey"

/** Passkeys and sessions in a store, beside the sessions in cookies of `@/auth`. */
const { handlers } = NextAuth({
  basePath: "/api/keys",
  adapter: toPromises(makeMemory()),
  session: { strategy: "database" },
  cookies: { sessionToken: { name: "keys.session-token" } },
  experimental: { enableWebAuthn: true },
  providers: [Passkey]
})

export const { GET, POST } = handlers
