import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { makeMemory, toPromises } from "../../src/Adapter.ts"
import { createAuth } from "../../src/index.ts"
import { Email } from "../../src/Provider/Email.ts"
import { secret } from "../Visitor.ts"

const site = "http://localhost:3000"

const lines: Array<string> = []
beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const make = (origin?: string) => {
  const errors: Array<string> = []
  const auth = createAuth({
    secret,
    providers: [Email()],
    adapter: toPromises(makeMemory()),
    skipCSRFCheck: Symbol.for("skip-csrf-check") as never,
    logger: { error: (error) => void errors.push(String(error)), warn: () => undefined },
    env: origin === undefined ? {} : { AUTH_URL: `${origin}/auth` }
  })
  return { auth, errors }
}

let people = 0

const ask = async (auth: ReturnType<typeof make>["auth"], origin = site) =>
  auth.handler(
    new Request(`${origin}/auth/signin/email`, {
      method: "POST",
      headers: { origin, host: new URL(origin).host },
      body: new URLSearchParams({ email: `person${++people}@example.com` })
    })
  )

/** The address of the mailbox as the terminal shows it. */
const printed = (): string => /http\S+\/mailbox\?key=[0-9a-f]{32}$/.exec(lines.at(-1) ?? "")?.[0] ?? ""

describe("a site without a mailer, while it is developed", () => {
  it("prints each mail with its link and the address of the mailbox", async () => {
    await ask(make(site).auth)
    assert.lengthOf(lines, 3)
    assert.include(lines[0], `Mail to person${people}@example.com: Sign in to localhost:3000`)
    assert.include(lines[1], `${site}/auth/callback/email?`)
    assert.include(printed(), `${site}/auth/mailbox?key=`)
  })

  it("shows the mails at that address, and a link of them signs in", async () => {
    const { auth } = make(site)
    await ask(auth)
    const response = await auth.handler(new Request(printed()))
    const html = await response.text()
    assert.strictEqual(response.status, 200)
    assert.include(response.headers.get("cache-control") ?? "", "no-store")
    assert.include(html, "Only on this computer, never in production.")
    assert.include(html, `person${people}@example.com`)
    const link = /href="(http[^"]*\/callback\/email[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? ""
    assert.strictEqual((await auth.handler(new Request(link))).status, 200, "the page that asks first")
  })

  const refused: ReadonlyArray<readonly [name: string, headers: Record<string, string>]> = [
    ["the host", { host: "app.example" }],
    ["a page elsewhere", { origin: "https://evil.example" }],
    ["no page", { origin: "null" }],
    ["a page that linked", { referer: "https://evil.example/page" }],
    ["a forwarded host", { "x-forwarded-host": "app.example" }],
    ["a forwarded client", { "x-forwarded-for": "127.0.0.1, 203.0.113.7" }],
    ["a client in Forwarded", { forwarded: 'for="[2001:db8::1]";proto=https' }],
    ["a host in Forwarded", { forwarded: "for=127.0.0.1;host=app.example" }],
    ["a hidden client", { forwarded: "for=_hidden" }],
    ["a proxy", { via: "1.1 proxy.example" }],
    ["the client of a proxy", { "x-real-ip": "10.0.0.3" }],
    ["the client of Cloudflare", { "cf-connecting-ip": "203.0.113.7" }],
    ["the client of Azure", { "x-azure-clientip": "203.0.113.7" }],
    ["the client of Vercel", { "x-vercel-forwarded-for": "203.0.113.7" }],
    ["the client of a CDN", { "true-client-ip": "203.0.113.7" }]
  ]
  it.each(refused)("answers as a wrong path where %s is not loopback", async (_, headers) => {
    const { auth } = make(site)
    await ask(auth)
    const [mailbox, wrong] = await Promise.all(
      [printed(), `${site}/auth/nope`].map((address) => auth.handler(new Request(address, { headers })))
    )
    assert.deepStrictEqual([mailbox?.status, await mailbox?.text()], [wrong?.status, await wrong?.text()])
  })

  const allowed: ReadonlyArray<readonly [name: string, headers: Record<string, string>]> = [
    ["names", { host: "localhost:3000", origin: site, referer: `${site}/auth/signin` }],
    [
      "a proxy of this machine",
      {
        "x-forwarded-for": "::1, 127.0.0.1",
        "x-forwarded-host": "localhost:5173",
        "x-forwarded-proto": "http",
        "x-forwarded-port": "5173"
      }
    ],
    ["Forwarded", { forwarded: 'for="[::1]:4711";host=localhost;proto=http' }]
  ]
  it.each(allowed)("shows the mailbox where all of them are loopback: %s", async (_, headers) => {
    const { auth } = make(site)
    await ask(auth)
    assert.strictEqual((await auth.handler(new Request(printed(), { headers }))).status, 200)
  })

  it.each(["", "?key=", `?key=${"0".repeat(32)}`])("shows nothing without its key: %s", async (query) => {
    const { auth } = make(site)
    await ask(auth)
    const [mailbox, wrong] = await Promise.all(
      [`mailbox${query}`, "nope"].map((path) => auth.handler(new Request(`${site}/auth/${path}`)))
    )
    assert.strictEqual(mailbox?.status, wrong?.status)
  })

  const others = ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"].flatMap((method) =>
    ["text/html", "application/json", "*/*"].map((accept) => ({ method, accept }))
  )
  it.each([...others, { method: "GET", accept: "text/html" }, { method: "GET", accept: "application/problem+json" }])(
    "answers $method for $accept as a wrong path without the key, and other methods also with it",
    async ({ accept, method }) => {
      const { auth } = make(site)
      await ask(auth)
      const key = method === "GET" ? "?key=wrong" : new URL(printed()).search
      const headers = { accept, origin: site, "x-request-id": "0123456789abcdef" }
      const [mailbox, wrong] = await Promise.all(
        [`mailbox${key}`, `nope${key}`].map(async (path) => {
          const body = method === "POST" ? "a form" : null
          const answer = await auth.handler(new Request(`${site}/auth/${path}`, { method, headers, body }))
          return { status: answer.status, headers: [...answer.headers], text: await answer.text() }
        })
      )
      assert.deepStrictEqual(mailbox, wrong)
      assert.isAtLeast(wrong?.status ?? 0, 400)
    }
  )

  it("shows nothing in production", async () => {
    const { auth } = make(site)
    await ask(auth)
    const address = printed()
    vi.stubEnv("NODE_ENV", "production")
    const { auth: inProduction } = make(site)
    const [mailbox, wrong] = await Promise.all(
      [address, `${site}/auth/nope`].map((url) => inProduction.handler(new Request(url)))
    )
    assert.strictEqual(mailbox?.status, wrong?.status)
  })
})

describe("a site without a mailer, in production", () => {
  it("is a problem of the provider that names the option", async () => {
    vi.stubEnv("NODE_ENV", "production")
    const { auth, errors } = make("https://app.example")
    await ask(auth, "https://app.example")
    assert.include(errors.join(), "mailer")
    assert.deepStrictEqual(lines, [])
  })

  it("prints nothing for a host that a request names", async () => {
    vi.stubEnv("NODE_ENV", "")
    const { auth, errors } = make()
    await ask(auth, "https://app.example")
    assert.isAbove(errors.length, 0)
    assert.deepStrictEqual(lines, [])
  })
})
