/**
 * Several instances behind one address and one cookie, with users and sessions in PostgreSQL. Whichever instance a request
 * reaches: sessions, links and used sign-in attempts are rows that all of them see, so what counts once counts once.
 *
 *     AUTH_SECRET=... AUTH_URL=https://app.example/auth DATABASE_URL=postgres://... AUTH_IDP_ISSUER=https://... \
 *     AUTH_IDP_ID=... AUTH_IDP_SECRET=... PORT=3001 node examples/postgres/server.ts
 *
 * Needs `npm install @effect/sql-pg`; Node 22.18 or newer runs it as it is. All instances have one AUTH_SECRET and the
 * AUTH_URL of the balancer before them. The tables are made by whoever comes first.
 */
import { createServer } from "node:http"
import { Auth, type AuthConfig, type Session, setEnvDefaults } from "effect-doorman"
import * as Postgres from "effect-doorman/sql/Postgres"
import { listener } from "../node/web.ts"

const { adapter, close } = await Postgres.open({ url: process.env["DATABASE_URL"] ?? "postgres://localhost/app" })

const config: AuthConfig = { adapter, providers: [{ id: "idp", name: "the provider", type: "oidc" }] }
setEnvDefaults(process.env, config)

const application = async (request: Request): Promise<Response> => {
  const { origin, pathname } = new URL(request.url)
  if (pathname.startsWith("/auth/")) return Auth(request, config)
  if (pathname !== "/private") return new Response("Not found\n", { status: 404 })
  const headers = { cookie: request.headers.get("cookie") ?? "" }
  const answer = await Auth(new Request(`${origin}/auth/session`, { headers }), config)
  // Wrong options are answered with a 500. While the database is away nobody is signed in, and cookies stay.
  if (!answer.ok) return answer
  const session = (await answer.json()) as Session | null
  if (session === null) return Response.redirect(`${origin}/auth/signin?callbackUrl=/private`)
  const page = new Response(`Hello ${session.user?.name ?? "somebody"}\n`)
  for (const cookie of answer.headers.getSetCookie()) page.headers.append("set-cookie", cookie)
  page.headers.set("cache-control", "private, no-store")
  return page
}

const server = createServer(listener(application, config)).listen(
  Number(process.env["PORT"] ?? 3000),
  "127.0.0.1",
  () => {
    const address = server.address()
    if (typeof address === "object") console.log(`http://localhost:${address?.port}`)
  }
)
process.once("SIGTERM", () => server.close(() => void close()))
