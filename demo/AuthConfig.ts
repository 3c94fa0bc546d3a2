/**
 * The authentication settings of the demo: the part that an application of yours would write.
 */
import { sessionIdOf, toPromises } from "../src/Adapter.ts"
import type { AuthConfig, ServerAuth } from "../src/index.ts"
import { type AdapterUser, UserId } from "../src/Models.ts"
import { Email } from "../src/Provider/Email.ts"
import { Passkey } from "../src/Provider/Passkey.ts"
import { checkPassword, hasPassword } from "./People.ts"
import type { Store } from "./Store.ts"

/** The input of the settings. */
export interface AuthConfigParts {
  readonly secret: string
  readonly store: Store
  readonly mailer: NonNullable<AuthConfig["mailer"]>
  /** Public address of the application, without a path. */
  readonly origin: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Removes a sign-in method of a user. */
  readonly unlink: ServerAuth["accounts"]["unlink"]
}

/** Path under which the library answers. */
export const basePath = "/auth"

/** A display name as a user may have it: 1 to 40 characters, trimmed, no control characters; else `undefined`. */
export const displayName = (input: unknown): string | undefined => {
  const name = typeof input === "string" ? input.normalize("NFC").trim() : ""
  return name.length > 0 && Array.from(name).length <= 40 && !/\p{C}/u.test(name) ? name : undefined
}

/** Builds the settings. */
export const makeAuthConfig = ({ store, ...parts }: AuthConfigParts): AuthConfig => ({
  basePath,
  secret: parts.secret,
  // Addresses are made of this one, never of the Host header.
  origin: parts.origin,
  // With an adapter, a session is a row of the database and the cookie holds its random name.
  adapter: toPromises(store.adapter),
  mailer: parts.mailer,
  experimental: { enableWebAuthn: true },
  theme: { brandColor: "#0f766e", buttonText: "#ffffff" },
  // Where a link was sent to is where it can be read: the mailbox is a page of the demo.
  pages: { verifyRequest: "/mail" },
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
      checks: ["pkce", "state", "nonce"],
      // A sign-out stays here unless its form asks for the provider; a sign-out there ends the sessions here.
      logout: "local",
      backchannelLogout: "strict",
      client: { backchannel_logout_session_required: true }
    },
    Email({ from: "The Doorman <no-reply@app.example>" }),
    Passkey(),
    {
      id: "credentials",
      name: "name and password",
      type: "credentials",
      credentials: {
        username: { label: "User name", type: "text", autocomplete: "username", required: true },
        password: { label: "Password", type: "password", autocomplete: "current-password", required: true }
      },
      authorize: ({ password, username }) => checkPassword(store, username, password)
    }
  ],
  callbacks: {
    session: async (params) => {
      if (params.user === undefined) return params.session
      const { session } = params
      const { email, id, name } =
        params.trigger === "update"
          ? await change(
              store,
              parts.unlink,
              { ...params.user, id: UserId.make(params.user.id) },
              session.sessionToken,
              params.newSession
            )
          : params.user
      // Scripts of the page can read this result.
      return { user: { id, name, email }, expires: session.expires, sessionId: sessionIdOf(session.sessionToken) }
    }
  },
  events: {
    signIn: ({ account, user }) =>
      user.id === undefined ? undefined : store.noteVisit(user.id, account?.provider ?? "", Date.now())
  }
})

/**
 * The changes that a signed-in user may make. A browser sent them: take only the fields that may change, and only valid values.
 */
const change = async (
  { adapter, run }: Store,
  unlink: AuthConfigParts["unlink"],
  user: AdapterUser,
  sessionToken: string,
  wish: unknown
): Promise<AdapterUser> => {
  const name = displayName(member(wish, "name"))
  if (name !== undefined) return run(adapter.updateUser({ id: user.id, name }))
  if (member(wish, "leaveElsewhere") === true) await run(adapter.deleteSessions(user.id, sessionToken))
  const way = member(wish, "remove")
  const provider = member(way, "provider")
  const providerAccountId = member(way, "providerAccountId")
  if (typeof provider === "string" && typeof providerAccountId === "string") {
    const removed = unlink(
      user.id,
      { provider, providerAccountId },
      { hasMailbox: true, hasPassword: hasPassword(user.email), keep: sessionToken }
    )
    // The page shows that it is still there.
    await removed.catch((error: unknown) => {
      if (member(error, "_tag") !== "LastWayToSignIn") throw error
    })
  }
  return user
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
