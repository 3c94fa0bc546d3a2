/**
 * The authentication settings of the demo: the part that an application of yours would write.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import type { AuthConfig } from "../src/index.ts"

/** What the settings need to know of their surroundings. */
export interface AuthConfigParts {
  readonly secret: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Path under which the library answers. */
export const basePath = "/auth"

const people: ReadonlyArray<{
  readonly id: string
  readonly name: string
  readonly email: string
  readonly password: string
}> = [
  { id: "ada", name: "Ada Lovelace", email: "ada@app.example", password: "analytical-engine" },
  { id: "grace", name: "Grace Hopper", email: "grace@app.example", password: "first-compiler" }
]

/** A display name as the session may carry it: 1 to 40 characters, trimmed, no control characters; else `undefined`. */
export const displayName = (input: unknown): string | undefined => {
  const name = typeof input === "string" ? input.normalize("NFC").trim() : ""
  return name.length > 0 && Array.from(name).length <= 40 && !/\p{C}/u.test(name) ? name : undefined
}

/** Builds the settings. */
export const makeAuthConfig = (parts: AuthConfigParts): AuthConfig => ({
  basePath,
  secret: parts.secret,
  // The server in front builds every URL from its own configuration, never from the Host header.
  trustHost: true,
  theme: { brandColor: "#0f766e", buttonText: "#ffffff" },
  providers: [
    {
      id: "guest-book",
      name: "The Guest Book",
      type: "oidc",
      issuer: parts.issuer,
      clientId: parts.clientId,
      clientSecret: parts.clientSecret,
      style: { brandColor: "#4f46b8" },
      // Asks every time, so that there is something to see.
      authorization: { params: { scope: "openid profile email", prompt: "login consent" } },
      checks: ["pkce", "state", "nonce"]
    },
    {
      id: "credentials",
      name: "name and password",
      type: "credentials",
      credentials: {
        username: { label: "User name", type: "text", autocomplete: "username", required: true },
        password: { label: "Password", type: "password", autocomplete: "current-password", required: true }
      },
      authorize: async (input: Readonly<Record<string, unknown>>) => {
        const person = people.find((one) => one.id === input["username"])
        // Compares also for a name that nobody has, so that both wrong answers take the same way.
        const { password } = input
        const right = samePassword(typeof password === "string" ? password : "", person?.password ?? "")
        return person !== undefined && right ? { id: person.id, name: person.name, email: person.email } : null
      }
    }
  ],
  callbacks: {
    jwt: ({ token, trigger, session }) => {
      if (trigger !== "update") return token
      // What the browser sends is only a wish: take the one field that may change, and only when it is valid.
      const wish: unknown =
        typeof session === "object" && session !== null && "name" in session ? session.name : undefined
      const name = displayName(wish)
      return name === undefined ? token : { ...token, name }
    }
  }
})

// Real applications keep a slow hash of the password (scrypt, argon2); a demo with published passwords has nothing to keep.
const samePassword = (given: string, wanted: string): boolean => timingSafeEqual(sha256(given), sha256(wanted))

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()
