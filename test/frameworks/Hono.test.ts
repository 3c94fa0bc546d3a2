/**
 * `@hono/auth-js`, unchanged, on this library: real servers, a real provider, and what users write around it.
 */
import type { Server } from "node:http"
import type { ServerType } from "@hono/node-server"
import { serve } from "@hono/node-server"
import type { AuthConfig } from "@hono/auth-js"
import { authHandler, getAuthUser, initAuthConfig, verifyAuth } from "@hono/auth-js"
import Credentials from "@auth/express/providers/credentials"
import { CredentialsSignin } from "@auth/express"
import { Hono } from "hono"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { CookieJarClient } from "../real/CookieJarClient.ts"
import { sessionOf, signInWithPassword, signOut, startSignIn } from "../real/Journey.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Running } from "./Application.ts"
import { idp, running, secret, startProvider } from "./Application.ts"
import { throughPassword, throughProvider, throughScript } from "./Flows.ts"

class WrongPassword extends CredentialsSignin {
  override code = "wrong_password"
}

let provider: OpenIdProvider
let app: Running | undefined

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider?.close())
afterEach(async () => {
  vi.unstubAllEnvs()
  await app?.close()
  app = undefined
})

const authorize = ({ password, username }: Partial<Record<string, unknown>>) => {
  if (password === "correct") return { id: String(username), name: "Bob", email: "bob@app.example" }
  if (password === "wrong") throw new WrongPassword()
  return null
}

/** The configuration as an application writes it: made anew for every request. */
const configure = (more: Partial<AuthConfig> = {}): AuthConfig => ({
  secret,
  trustHost: true,
  basePath: "/api/auth",
  logger: { error: () => undefined, warn: () => undefined },
  providers: [idp(provider), Credentials({ credentials: { username: {}, password: { type: "password" } }, authorize })],
  callbacks: {
    jwt: ({ session, token, trigger }) => (trigger === "update" ? { ...token, name: session.user.name } : token)
  },
  ...more
})

/** The application: the endpoints, an area for who is signed in, and a page for everybody. */
const build = (more: Partial<AuthConfig> = {}): Hono => {
  const application = new Hono()
  application.use(
    "*",
    initAuthConfig(() => configure(more))
  )
  application.use("/api/auth/*", authHandler())
  application.get("/me", async (c) => c.json((await getAuthUser(c))?.session ?? null))
  application.use("/api/*", verifyAuth())
  application.get("/api/protected", (c) => c.json(c.get("authUser")))
  application.notFound((c) => c.text("nobody answered", 418))
  return application
}

const listen = ({ fetch }: Hono): ServerType => serve({ fetch, hostname: "localhost", port: 0 })

const start = async (more?: Partial<AuthConfig>): Promise<Running> => {
  // `serve` gives an HTTP server unless it is asked for another.
  app = await running(listen(build(more)) as Server, { me: "/me", basePath: "/api/auth" })
  return app
}

const read = async (client: CookieJarClient, { origin }: Running, path: string): Promise<unknown> =>
  JSON.parse((await client.fetch(`${origin}${path}`)).body)

describe("@hono/auth-js", () => {
  it("signs in at a provider, reads the session, updates it, and signs out", async () => {
    await throughProvider(await start())
  })

  it("signs in with a password, and says what was wrong with another", async () => {
    await throughPassword(await start())
  })

  it("answers scripts with the address instead of sending them there", async () => {
    await throughScript(await start(), provider)
  })

  it("lets no signed-out visitor in, and gives handlers the user", async () => {
    const app = await start()
    const client = new CookieJarClient()
    const stranger = await client.fetch(`${app.origin}/api/protected`)
    assert.deepEqual([stranger.status, stranger.body], [401, "Unauthorized"])
    await startSignIn(client, app, "idp")
    const known = { "session.user.name": "alice of the test", "token.email": "alice@provider.example" }
    assert.deepNestedInclude(await read(client, app, "/api/protected"), known)
    await signOut(client, app)
    assert.equal((await client.fetch(`${app.origin}/api/protected`)).status, 401)
  })

  it("slows down guessing although every request brings a configuration of its own", async () => {
    const app = await start()
    const client = new CookieJarClient()
    for (let attempt = 0; attempt < 11; attempt++)
      await signInWithPassword(client, app, "credentials", { username: "carol", password: "nothing" })
    const paused = await signInWithPassword(client, app, "credentials", { username: "carol", password: "correct" })
    assert.equal(paused.url.searchParams.get("code"), "throttled")
    await signInWithPassword(client, app, "credentials", { username: "bob", password: "correct" })
    assert.deepNestedInclude(await read(client, app, "/api/protected"), { "token.sub": "bob" })
  })

  it("keeps the session callback of the application, and what it adds", async () => {
    const app = await start({
      callbacks: { session: ({ session, token }) => ({ ...session, subject: token.sub, level: 3 }) }
    })
    const client = new CookieJarClient()
    await signInWithPassword(client, app, "credentials", { username: "bob", password: "correct" })
    assert.deepNestedInclude(await read(client, app, "/api/protected"), {
      "token.sub": "bob",
      "session.user.name": "Bob"
    })
    assert.deepNestedInclude(await sessionOf(client, app), { subject: "bob", level: 3 })
  })

  it("believes the address in AUTH_URL", async () => {
    const application = build()
    vi.stubEnv("AUTH_URL", "https://app.example/api/auth")
    const request = (path: string, init?: RequestInit) => application.request(`http://10.0.0.1${path}`, init)
    const csrf = await request("/api/auth/csrf")
    assert.match(csrf.headers.getSetCookie().join(), /__Host-authjs\.csrf-token=/)
    const { csrfToken } = (await csrf.json()) as { readonly csrfToken: string }
    const cookie = csrf.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ")
    const sent = await request("/api/auth/signin/idp", {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams({ csrfToken })
    })
    assert.equal(sent.status, 302)
    const address = new URL(sent.headers.get("location") ?? "")
    assert.equal(address.searchParams.get("redirect_uri"), "https://app.example/api/auth/callback/idp")
  })
})
