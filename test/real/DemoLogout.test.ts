/**
 * The demo's two ways out: here and at the provider. An open page notices the end of its session without being loaded again.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Demo, startDemo } from "../../demo/Demo.ts"
import { Auth } from "../../src/index.ts"
import { CookieJarClient, type Form, formFor, type Visit } from "./CookieJarClient.ts"
import { isPeer, testSecret } from "./Implementation.ts"

describe.skipIf(isPeer)("the ways out of the demo", () => {
  let demo: Demo

  beforeAll(async () => {
    demo = await startDemo({
      auth: Auth,
      port: 0,
      providerPort: 0,
      secret: testSecret,
      database: { filename: ":memory:" }
    })
  })
  afterAll(() => demo.close())

  const formTo = (page: Visit, path: string, field?: string): Form => {
    const form = page.forms.find(
      ({ action, fields }) => action.pathname.endsWith(path) && (field === undefined || field in fields)
    )
    if (form === undefined) throw new Error(`No form to ${path} on ${page.url.href} (${page.status})`)
    return form
  }

  const signedIn = async (): Promise<{ readonly client: CookieJarClient; readonly home: Visit }> => {
    const client = new CookieJarClient()
    const page = await client.visit(`${demo.url}/auth/signin`)
    const login = await client.submit(page, formFor(page, "guest-book"))
    const consent = await client.submit(login, formTo(login, "/login"), { login: "alice" })
    const home = await client.submit(consent, formTo(consent, "/confirm"))
    assert.include(home.body, "Welcome, Alice Keeper")
    return { client, home }
  }

  /** What an open page is told, until the server ends the stream. */
  const listen = async (client: CookieJarClient): Promise<string> => {
    const cookie = await client.jar.getCookieString(`${demo.url}/session-end`)
    const response = await fetch(`${demo.url}/session-end`, { headers: { cookie } })
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
    return response.text()
  }

  const isSignedIn = async (client: CookieJarClient): Promise<boolean> =>
    (await client.fetch(`${demo.url}/auth/session`)).body !== "null"

  it("P112 a sign-out at the provider ends the session, and the open page is told", async () => {
    const [{ client }, other] = [await signedIn(), await signedIn()]
    const told = listen(client)
    const asked = await client.visit(`${demo.providerUrl}/session/end`)
    assert.include(asked.body, "Sign out of The Guest Book?")
    const out = await client.submit(asked, formTo(asked, "/session/end/confirm"), { logout: "yes" })
    assert.include(out.body, "An OpenID provider lives here.")
    assert.include(await told, "event: ended")
    assert.isFalse(await isSignedIn(client))
    assert.isTrue(await isSignedIn(other.client))
  })

  it("P122 a sign-out that asks for the provider ends both, and comes back", async () => {
    const { client, home } = await signedIn()
    const told = listen(client)
    const asked = await client.submit(home, formTo(home, "/auth/signout", "logout"))
    assert.include(asked.body, "Sign out of The Guest Book?")
    assert.isFalse(await isSignedIn(client))
    assert.include(await told, "event: ended")
    const back = await client.submit(asked, formTo(asked, "/session/end/confirm"), { logout: "yes" })
    assert.include(back.body, "You are signed out here and at The Guest Book.")
  })

  it("a sign-out here leaves the session at the provider", async () => {
    const { client, home } = await signedIn()
    const out = await client.submit(home, formTo(home, "/auth/signout"))
    assert.include(out.body, "You are signed out, and the row of that session is deleted")
    assert.isFalse(await isSignedIn(client))
    const silent = await client.fetch(`${demo.url}/session-end`)
    assert.strictEqual(silent.status, 204)
  })
})
