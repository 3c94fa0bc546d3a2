/**
 * The site of `soak.ts`: one process on an SQLite file, which measures itself when its parent asks.
 *
 *     node --expose-gc tools/runs/soak-site.ts <file> <address of the provider>
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createAuth } from "../../src/index.ts"
import { toNodeHandler } from "../../src/node.ts"
import { sqlite } from "../../src/server/SqliteStore.ts"

const [, , filename = "", provider = ""] = process.argv

const auth = createAuth({
  secret: "the secret of the soak: kT7v-Qm2x_9LrW4bZp1s",
  trustHost: true,
  adapter: sqlite(filename),
  // A code that comes twice is part of the load, and an entry of the log for each.
  logger: { info: () => undefined },
  session: { strategy: "database" },
  callbacks: { session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }) },
  providers: [
    {
      id: "idp",
      name: "the provider",
      type: "oauth",
      clientId: "site",
      clientSecret: "the secret of the site at the provider",
      authorization: `${provider}/authorize`,
      token: `${provider}/token`,
      userinfo: `${provider}/userinfo`,
      profile: ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })
    }
  ],
  env: {}
})

const toJson = (response: ServerResponse, body: unknown): void =>
  void response.setHeader("content-type", "application/json").end(JSON.stringify(body))

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

/** The memory of the process after a garbage collection. */
const measure = () => {
  globalThis.gc?.()
  globalThis.gc?.()
  const handles: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) handles[name] = (handles[name] ?? 0) + 1
  return { heap: process.memoryUsage().heapUsed, handles }
}

process.on("message", (message) => {
  if (message === "measure") process.send?.(measure())
  if (message === "idle") server.closeAllConnections()
  if (message === "end") {
    server.close().closeAllConnections()
    void auth.dispose().then(() => process.disconnect())
  }
})
server.listen(0, "localhost", () => {
  process.send?.({ origin: `http://localhost:${(server.address() as AddressInfo).port}` })
})
