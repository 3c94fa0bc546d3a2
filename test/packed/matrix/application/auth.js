/**
 * An application with a password, an OpenID provider, a magic link and a passkey, as every builder gets it.
 *
 * Rows and mails go over HTTP to the driver of the tests, so what a builder makes of the application keeps nothing: it may be
 * several processes, and none of them needs Node.
 */
import { createAuth } from "effect-doorman"
import Credentials from "effect-doorman/providers/credentials"
import Passkey from "effect-doorman/providers/passkey"
import { mail } from "./mail.js"

// Not `process.env`: Vite makes an empty object of it for workers.
const { env } = process

const call = async (path, ...values) => {
  const answer = await fetch(`${env.BUILDS_DRIVER}/${path}`, { method: "POST", body: JSON.stringify(values) })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return JSON.parse(await answer.text(), (_, value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : value
  )
}

const methods =
  "createUser getUser getUserByEmail getUserByAccount updateUser deleteUser linkAccount unlinkAccount " +
  "createVerificationToken useVerificationToken getAccount getAuthenticator createAuthenticator " +
  "listAuthenticatorsByUserId updateAuthenticatorCounter"

const adapter = Object.fromEntries(
  methods.split(" ").map((method) => [method, (...values) => call(`rows/${method}`, ...values)])
)

export const auth = createAuth({
  adapter,
  env,
  session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true },
  providers: [
    { id: "idp", name: "the provider", type: "oidc" },
    Credentials({
      credentials: { username: { label: "Username" }, password: { label: "Password", type: "password" } },
      authorize: ({ password, username }) =>
        password === "correct" ? { id: String(username), name: "Bob", email: "bob@app.example" } : null
    }),
    mail((message) => call("mail", message)),
    Passkey()
  ]
})

/** The session, as the application's own code reads it. */
export const me = async (request) => Response.json(await auth.getSession(request))
