/**
 * One of several equal processes of a site: users and sessions in PostgreSQL, and what all processes must agree on there too,
 * or in Redis when REDIS_URL is set. `cluster.ts` starts four of them.
 *
 *     AUTH_SECRET=... AUTH_URL=https://app.example/auth DATABASE_URL=postgres://... PROVIDER_URL=https://... PORT=3001 \
 *     node examples/many-machines/server.ts
 *
 * Redis needs `npm install redis`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import { postgres } from "effect-doorman/postgres"
import { redis } from "effect-doorman/redis"

const { DATABASE_URL: url = "postgres://localhost/app", PORT, PROVIDER_URL, REDIS_URL } = process.env

const auth = createAuth({
  adapter: postgres({ url, maxConnections: 8 }),
  session: { strategy: "database" },
  callbacks: { session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }) },
  ...(REDIS_URL === undefined ? {} : { sharedState: redis({ url: REDIS_URL }) }),
  providers: [
    {
      id: "idp",
      name: "the provider",
      type: "oauth",
      clientId: "site",
      clientSecret: "the secret of the site at the provider",
      authorization: `${PROVIDER_URL}/authorize`,
      token: `${PROVIDER_URL}/token`,
      userinfo: `${PROVIDER_URL}/userinfo`,
      profile: ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })
    }
  ]
})

const toJson = (response: ServerResponse, body: unknown): void =>
  void response.setHeader("content-type", "application/json").end(JSON.stringify(body))

// An API of the provider needs an access token. The token itself is the answer here, so that the test can compare it.
const application = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = auth.requestUrl(request)?.pathname
  if (path !== "/token" && path !== "/sign-out-everywhere") return void response.writeHead(404).end()
  const session = await auth.requireSession(request)
  const userId = session.user?.id ?? ""
  if (path === "/token") {
    return toJson(response, await auth.providerTokens.get({ userId, provider: "idp", minimumValidity: 1 }))
  }
  await auth.sessions.revokeAll(userId)
  toJson(response, {})
}

const server = createServer(toNodeHandler(auth, application))
server.listen(Number(PORT ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
})
