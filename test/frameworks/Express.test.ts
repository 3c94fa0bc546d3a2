/**
 * `@auth/express`, unchanged, on this library: real servers, a real provider, and what users write around it.
 */
import { createServer } from "node:http"
import type { ExpressAuthConfig } from "@auth/express"
import { AuthError, CredentialsSignin, ExpressAuth, getSession } from "@auth/express"
import Credentials from "@auth/express/providers/credentials"
import type { ErrorRequestHandler, Express, RequestHandler } from "express"
import express from "express"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { CookieJarClient } from "../real/CookieJarClient.ts"
import { signInWithPassword, updateSession } from "../real/Journey.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Running } from "./Application.ts"
import { idp, running, secret, startProvider } from "./Application.ts"
import { me, throughPassword, throughProvider, throughScript } from "./Flows.ts"

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
  await app?.close()
  app = undefined
})

/** The configuration as an application writes it. */
const configure = (more: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig => ({
  secret,
  trustHost: true,
  logger: { error: () => undefined },
  providers: [
    idp(provider),
    Credentials({
      credentials: { username: {}, password: { type: "password" } },
      authorize: ({ password, username }) => {
        if (password === "correct") return { id: String(username), name: "Bob", email: "bob@app.example" }
        if (password === "wrong") throw new WrongPassword()
        return null
      }
    })
  ],
  callbacks: {
    jwt: ({ session, token, trigger }) => (trigger === "update" ? { ...token, name: session.user.name } : token),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? "" } })
  },
  ...more
})

const ended: RequestHandler = (_request, response) => void response.status(418).send("nobody answered")

/** The application: its own route that needs a session, and the endpoints. */
const build = (
  config: ExpressAuthConfig,
  mount: string | RegExp = "/auth",
  ...before: Array<RequestHandler>
): Express => {
  const application = express()
  for (const handler of before) application.use(handler)
  application.use(mount, ExpressAuth(config))
  application.get("/me", async (request, response) => {
    response.json(await getSession(request, config))
  })
  application.use(ended)
  const failed: ErrorRequestHandler = (error: Error, _request, response, _next) =>
    void response.status(500).send(`failed: ${error.message}`)
  application.use(failed)
  return application
}

const start = async (...args: Parameters<typeof build>): Promise<Running> => {
  app = await running(createServer(build(...args)).listen(0, "localhost"), { me: "/me" })
  return app
}

describe("@auth/express", () => {
  it("signs in at a provider, reads the session, updates it, and signs out", async () => {
    await throughProvider(await start(configure()))
  })

  it("signs in with a password, and says what was wrong with another", async () => {
    await throughPassword(await start(configure()))
  })

  it("answers scripts with the address instead of sending them there", async () => {
    await throughScript(await start(configure()), provider)
  })

  it("finds its path in a mount of any form, and reads bodies that were read before", async () => {
    for (const mount of ["/accounts/sign", /^\/accounts\/sign\/(.*)/]) {
      const server = createServer(build(configure(), mount, express.urlencoded({ extended: false }), express.json()))
      const app = await running(server.listen(0, "localhost"), { me: "/me", basePath: "/accounts/sign" })
      const client = new CookieJarClient()
      await signInWithPassword(client, app, "credentials", { username: "bob", password: "correct" })
      assert.deepNestedInclude(await me(client, app), { "user.name": "Bob" })
      const updated = await updateSession(client, app, { user: { name: "Robert" } })
      assert.equal(JSON.parse(updated.body).user.name, "Robert")
      await app.close()
    }
  })

  it("answers at an unknown address, and with wrong options every visitor is signed out", async () => {
    const app = await start(configure())
    const client = new CookieJarClient()
    const unknown = await client.visit(app.action("nothing"))
    assert.equal(unknown.status, 400)
    await app.close()
    const broken = await start(configure({ secret: "", providers: [] }))
    const { body, status } = await client.fetch(`${broken.origin}/me`)
    assert.deepEqual([status, JSON.parse(body)], [200, null])
    assert.equal((await client.fetch(broken.action("session"))).status, 500)
  })

  it("gives the errors that applications tell apart", () => {
    const wrong = new WrongPassword("said for the log")
    assert.instanceOf(wrong, CredentialsSignin)
    assert.instanceOf(wrong, AuthError)
    assert.equal(wrong.type, "CredentialsSignin")
    assert.equal(wrong.code, "wrong_password")
  })
})
