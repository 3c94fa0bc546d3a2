/**
 * The demo's two ways out: here and at the provider. An open page notices the end of its session without being loaded again.
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
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
      database: { filename: ":memory:" },
      // The demo asks for a token that is valid for five seconds more.
      tokenSeconds: 7
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

  /** Messages to an open page, until the server ends the stream. */
  const listen = async (client: CookieJarClient): Promise<string> => {
    const cookie = await client.jar.getCookieString(`${demo.url}/session-end`)
    const response = await fetch(`${demo.url}/session-end`, { headers: { cookie } })
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
    return response.text()
  }

  const isSignedIn = async (client: CookieJarClient): Promise<boolean> =>
    (await client.fetch(`${demo.url}/auth/session`)).body !== "null"

  it("V7.5.2 the list of devices ends the session of another browser, which is told, and not that of a stranger", async () => {
    const [here, there] = [await signedIn(), await signedIn()]
    const told = listen(there.client)
    const page = await here.client.visit(demo.url)
    assert.include(page.body, "this session")
    const form = formTo(page, "/end")
    const stolen = await here.client.fetch(`${demo.url}/end`, {
      method: "POST",
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      body: new URLSearchParams(form.fields).toString()
    })
    assert.strictEqual(stolen.status, 401)
    assert.isTrue(await isSignedIn(there.client))
    const ended = await here.client.submit(page, form)
    assert.include(ended.body, "That session has ended.")
    assert.include(await told, "event: ended")
    assert.isFalse(await isSignedIn(there.client))
    assert.isTrue(await isSignedIn(here.client))
    await here.client.submit(ended, formTo(ended, "/auth/signout"))
  })

  it("the page calls the API of the provider, and gets a new token when the old one ends", async () => {
    const { client, home } = await signedIn()
    const numberOf = ({ body }: Visit): number => Number(/data-tokens="(\d+)"/.exec(body)?.[1])
    assert.include(home.body, "Its API knows you as <b>Alice Keeper</b>")
    const first = numberOf(home)
    assert.strictEqual(numberOf(await client.visit(demo.url)), first)
    await vi.waitUntil(async () => numberOf(await client.visit(demo.url)) === first + 1, {
      timeout: 15_000,
      interval: 300
    })
  }, 30_000)

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
