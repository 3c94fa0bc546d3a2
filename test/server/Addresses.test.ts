/**
 * The address of a site, of its proxies and of its clients, as `createAuth` and `Auth` see them behind a real connection.
 */
import express from "express"
import { createServer, request, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { Auth, createAuth, setEnvDefaults } from "../../src/index.ts"
import { toNodeHandler } from "../../src/node.ts"
import { forFunctions } from "../ForFunctions.ts"
import { type Authorize, ownSite, password } from "../Visitor.ts"

const running: Array<() => void> = []
const lines: Array<string> = []
beforeEach(() => {
  lines.length = 0
  const write = (line: unknown): void => void lines.push(String(line))
  vi.spyOn(console, "warn").mockImplementation(write)
  vi.spyOn(console, "error").mockImplementation(write)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  running.splice(0).forEach((close) => close())
})

/** The lines of the log that are about one thing. */
const told = (about: RegExp): ReadonlyArray<string> => lines.filter((line) => about.test(line))

const listen = async (handler: RequestListener, host = "127.0.0.1"): Promise<number> => {
  const server = createServer(handler)
  running.push(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

interface Answer {
  readonly status: number
  readonly location: string
  readonly cookies: string
  readonly body: string
}

const ask = (port: number, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { port, path, method: body === undefined ? "GET" : "POST", headers, agent: false },
      (answer) => {
        text(answer).then(
          (body) =>
            resolve({
              status: answer.statusCode ?? 0,
              location: answer.headers.location ?? "",
              cookies: (answer.headers["set-cookie"] ?? []).join("\n"),
              body
            }),
          reject
        )
      }
    )
    sent.on("error", reject).end(body)
  })

/** Posts a form with a token of its own, as a page at `origin` does. */
const post = async (port: number, path: string, headers: Record<string, string>, fields = {}): Promise<Answer> => {
  const page = await ask(port, "/auth/csrf", headers)
  const { csrfToken } = JSON.parse(page.body) as { csrfToken: string }
  const cookie = page.cookies
    .split("\n")
    .map((line) => line.split(";")[0])
    .join("; ")
  const type = { "content-type": "application/x-www-form-urlencoded" }
  return ask(port, path, { cookie, ...type, ...headers }, new URLSearchParams({ csrfToken, ...fields }).toString())
}

const right = { username: "ann", password: "pw", callbackUrl: "/board" }

type Given = Parameters<typeof createAuth>[0]
const make = (env: Record<string, string>, more: object = {}) => {
  const { logger: _, trustHost: __, basePath: ___, ...config } = ownSite()
  return createAuth({ ...config, env, ...more } as Given)
}

const nodeOf = (env: Record<string, string>, more: object = {}): Promise<number> =>
  listen(toNodeHandler(make(env, more)))

describe("the reason of a failure, on this machine", () => {
  it.each<readonly [page: string, authorize: Authorize, reason: string]>([
    ["error", () => Promise.reject(new Error("no row for ann")), "no row for ann"],
    ["signin", () => null, "authorize did not accept the credentials"]
  ])("is on the %s page of that request, and on no other one", async (page, authorize, reason) => {
    const port = await nodeOf({ AUTH_URL: "" }, { providers: [password(authorize)] })
    const { location } = await post(port, "/auth/callback/credentials", {}, right)
    const { pathname, search, searchParams } = new URL(location)
    assert.strictEqual(pathname, `/auth/${page}`)
    assert.include((await ask(port, `${pathname}${search}`)).body, reason)
    const error = searchParams.get("error") ?? ""
    for (const other of ["", "&request_id=AAAAAAAAAAAAAAAA"])
      assert.notInclude((await ask(port, `${pathname}?error=${error}${other}`)).body, reason)
  })

  it.each<Record<string, string>>([
    { host: "app.example" },
    { "x-forwarded-for": "203.0.113.7" },
    { "x-vercel-forwarded-for": "203.0.113.7" },
    { forwarded: "for=203.0.113.7" },
    { via: "1.1 proxy.example" }
  ])("is on no page where the request came through a proxy: %j", async (headers) => {
    const authorize = () => Promise.reject(new Error("no row for ann"))
    const port = await nodeOf({ AUTH_URL: "http://localhost:3000/auth" }, { providers: [password(authorize)] })
    const { location } = await post(port, "/auth/callback/credentials", {}, right)
    const page = location.slice("http://localhost:3000".length)
    assert.notInclude((await ask(port, page, headers)).body, "no row for ann")
    assert.include((await ask(port, page)).body, "no row for ann")
  })
})

describe("a sign-in at another address than the configured one", () => {
  const signInPage = (origin: string) =>
    `${origin}/auth/signin?callbackUrl=${encodeURIComponent(`${origin}/board`)}&error=Signin&code=flow_other_host`

  const rows: ReadonlyArray<readonly [what: string, site: string, shown: string]> = [
    ["another port", "http://localhost:3000", "http://localhost:3001"],
    ["127.0.0.1 against localhost", "http://localhost:3000", "http://127.0.0.1:3000"],
    ["http against https", "https://app.example", "http://app.example"],
    ["www against apex", "https://app.example", "https://www.app.example"],
    ["apex against www", "https://www.app.example", "https://app.example"]
  ]
  for (const [what, site, shown] of rows) {
    it(`leads to the sign-in page at the configured one: ${what}`, async () => {
      const port = await nodeOf({ AUTH_URL: `${site}/auth` })
      const headers = { host: new URL(shown).host, origin: shown }
      for (const path of ["/auth/callback/credentials", "/auth/signin/acme"]) {
        const { cookies, location, status } = await post(port, path, headers, right)
        assert.strictEqual(location, signInPage(site))
        assert.strictEqual(status, 302)
        assert.strictEqual(cookies, "")
      }
      const [line = "", ...others] = told(/page at/)
      assert.deepStrictEqual(others, [])
      for (const part of [site, shown, "AUTH_URL"]) assert.include(line, part)
    })
  }

  it("is led nowhere from https to http, and the log says both addresses", async () => {
    const port = await nodeOf({ AUTH_URL: "http://app.example/auth" })
    const headers = { host: "app.example", origin: "https://app.example" }
    const { cookies, location } = await post(port, "/auth/callback/credentials", headers, right)
    assert.strictEqual(location, "http://app.example/board")
    assert.include(cookies, "authjs.session-token=")
    assert.lengthOf(told(/page at https:\/\/app\.example, and AUTH_URL \(origin\) is http:\/\/app\.example/), 1)
  })

  it("is led nowhere where a forwarding header names the configured host, or Origin another host than Host", async () => {
    const port = await nodeOf({ AUTH_URL: "https://app.example/auth" })
    const behindProxy = { host: "inner.example", origin: "https://inner.example" }
    for (const headers of [
      { ...behindProxy, "x-forwarded-host": "app.example" },
      { ...behindProxy, forwarded: 'for=203.0.113.7;host="app.example";proto=https' },
      { host: "127.0.0.1:3000", origin: "https://app.example" }
    ]) {
      const asked = { ...headers, "sec-fetch-site": "same-origin" }
      const { location } = await post(port, "/auth/callback/credentials", asked, right)
      assert.strictEqual(location, "https://app.example/board")
    }
    assert.deepStrictEqual(told(/page at/), [])
  })

  it("H088 is still refused where another site posted it", async () => {
    const port = await nodeOf({ AUTH_URL: "https://app.example/auth" })
    const headers = { host: "www.app.example", origin: "https://evil.example" }
    const { location } = await post(port, "/auth/callback/credentials", headers, right)
    assert.include(location, "error=MissingCSRF")
  })

  it("is no redirect of a GET: what a proxy does to Host is not known", async () => {
    const port = await nodeOf({ AUTH_URL: "https://app.example/auth" })
    for (const path of ["/auth/signin", "/auth/session", "/auth/signout"])
      assert.strictEqual((await ask(port, path, { host: "127.0.0.1:3000", accept: "text/html" })).status, 200)
  })

  it("leaves clients of Auth that ask for redirects as JSON alone, and leads those of createAuth", async () => {
    const { logger: _, ...config } = ownSite()
    setEnvDefaults({ AUTH_URL: "https://app.example/auth" }, config)
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      host: "www.app.example",
      origin: "https://www.app.example",
      "sec-fetch-site": "same-origin",
      "x-auth-return-redirect": "1"
    }
    const url = "https://www.app.example/auth/callback/credentials"
    const answer = async (handler: (request: Request) => Promise<Response>) => {
      const page = await handler(new Request("https://www.app.example/auth/csrf"))
      const { csrfToken } = (await page.json()) as { csrfToken: string }
      const cookie = page.headers
        .getSetCookie()
        .map((line) => line.split(";")[0])
        .join("; ")
      const body = new URLSearchParams({ csrfToken, ...right }).toString()
      const response = await handler(new Request(url, { method: "POST", headers: { ...headers, cookie }, body }))
      return ((await response.json()) as { url: string }).url
    }
    assert.strictEqual(
      await answer((request) => Auth(request, forFunctions({ ...config, providers: [password()] }))),
      "https://app.example/board"
    )
    const auth = make({ AUTH_URL: "https://app.example/auth" })
    assert.strictEqual(await answer(auth.handler), signInPage("https://app.example"))
  })

  it("shows both addresses on the page, on this machine alone", async () => {
    const shows = async (env: string, host: string, headers = {}) => {
      const port = await nodeOf({ AUTH_URL: env })
      const { body } = await ask(port, "/auth/signin", { host, ...headers })
      return /The request for this page named http:\/\/127\.0\.0\.1:3000, and AUTH_URL \(origin\) is http:\/\/localhost:3000/.test(
        body
      )
    }
    assert.isTrue(await shows("http://localhost:3000/auth", "127.0.0.1:3000"))
    assert.isFalse(await shows("http://localhost:3000/auth", "localhost:3000"))
    assert.isFalse(
      await shows("http://localhost:3000/auth", "127.0.0.1:3000", { "x-forwarded-host": "localhost:3000" })
    )
    assert.isFalse(await shows("http://localhost:3000/auth", "evil.example"))
    vi.stubEnv("NODE_ENV", "production")
    assert.isFalse(await shows("http://localhost:3000/auth", "127.0.0.1:3000"))
  })
})

describe("TLS that ends at a proxy", () => {
  const forwarded = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7" }
  const isSecure = async (port: number, headers: Record<string, string> = {}) => {
    const { cookies, location } = await post(port, "/auth/signin/acme", { host: "app.example", ...headers })
    const redirectUri = new URL(location).searchParams.get("redirect_uri") ?? ""
    assert.strictEqual(redirectUri.startsWith("https:"), cookies.includes("; Secure"))
    return redirectUri.startsWith("https:")
  }
  const none = { AUTH_URL: "" }

  it("makes secure cookies and redirect URIs by the scheme of an entry of trustedHosts, in a web Request too", async () => {
    assert.isTrue(await isSecure(await nodeOf(none, { trustedHosts: ["https://*.example"] })))
    const auth = make(none, { trustedHosts: ["https://app.example", "http://localhost:3000"] })
    const providers = async (url: string) => (await auth.handler(new Request(`${url}/auth/providers`))).text()
    assert.include(await providers("http://app.example"), "https://app.example/auth/signin/acme")
    assert.include(await providers("http://localhost:3000"), "http://localhost:3000/auth/signin/acme")
    assert.deepStrictEqual(lines, [])
  })

  it("H040 makes them by X-Forwarded-Proto of a proxy of trustedProxies, and of no other peer", async () => {
    const more = { trustedHosts: ["app.example"] }
    assert.isTrue(await isSecure(await nodeOf(none, { ...more, trustedProxies: ["127.0.0.0/8"] }), forwarded))
    assert.isFalse(await isSecure(await nodeOf(none, { ...more, trustedProxies: ["10.0.0.0/8"] }), forwarded))
  })

  it.each(["javascript", "wss", ""])("H043 takes no other scheme from a proxy: %j", async (scheme) => {
    const port = await nodeOf(none, { trustedHosts: ["app.example"], trustedProxies: ["127.0.0.1"] })
    assert.isFalse(await isSecure(port, { ...forwarded, "x-forwarded-proto": scheme }))
  })

  it("makes them by what Express took from a proxy that it trusts", async () => {
    const through = async (trust: unknown) => {
      const app = express()
      app.set("trust proxy", trust)
      app.use("/auth", toNodeHandler(make(none, { trustedHosts: ["app.example"] })))
      return isSecure(await listen(app), forwarded)
    }
    assert.isTrue(await through("loopback"))
    assert.isFalse(await through(false))
  })

  it("makes them by X-Forwarded-Proto of Vercel", async () => {
    assert.isTrue(await isSecure(await nodeOf({ VERCEL: "1" }), forwarded))
  })

  const said: ReadonlyArray<readonly [what: string, headers: Record<string, string>]> = [
    ["X-Forwarded-Proto", { "x-forwarded-proto": "https" }],
    ["Forwarded", { forwarded: "for=203.0.113.7;proto=https" }],
    ["X-Forwarded-Ssl", { "x-forwarded-ssl": "on" }],
    ["CF-Visitor", { "cf-visitor": '{"scheme":"https"}' }],
    ["Origin", { origin: "https://app.example" }]
  ]
  for (const [what, headers] of said) {
    it(`is one line of the log where ${what} says https and the answer is made for http`, async () => {
      const port = await nodeOf(none, { trustedHosts: ["app.example"] })
      assert.isFalse(await isSecure(port, headers))
      assert.isFalse(await isSecure(port, headers))
      const [line = "", ...others] = told(/says https/)
      assert.deepStrictEqual(others, [])
      for (const part of [what.toLowerCase(), "http://app.example", "trustedHosts", "trustedProxies"])
        assert.include(line, part)
    })
  }

  it("is one line where Vercel hands over a web Request of http", async () => {
    const auth = make({ VERCEL: "1" })
    for (const path of ["session", "providers"]) await auth.handler(new Request(`http://app.example/auth/${path}`))
    assert.lengthOf(told(/says https \(the platform\)/), 1)
  })

  it("H290 is one line at the start where AUTH_URL is http in production", async () => {
    for (const site of ["http://app.example", "http://localhost:3000"]) {
      lines.length = 0
      vi.stubEnv("NODE_ENV", "production")
      await make({ AUTH_URL: `${site}/auth` }).handler(new Request(`${site}/auth/session`))
      assert.lengthOf(told(new RegExp(`public origin is ${site} in production`)), 1)
    }
    vi.stubEnv("NODE_ENV", "development")
    lines.length = 0
    await make({ AUTH_URL: "http://localhost:3000/auth" }).handler(new Request("http://localhost:3000/auth/session"))
    assert.deepStrictEqual(lines, [])
  })

  it("is one line where trustedProxies meets a web Request, and trusts nothing there", async () => {
    const auth = make(none, { trustedHosts: ["app.example"], trustedProxies: ["0.0.0.0/0"] })
    const headers = { "x-forwarded-for": "203.0.113.7", "x-forwarded-host": "app.example" }
    for (const path of ["session", "providers"])
      await auth.handler(new Request(`https://app.example/auth/${path}`, { headers }))
    assert.lengthOf(told(/trustedProxies trusts nothing here/), 1)
  })

  it.each([["10.0.0.0/33"], ["proxy.example"], ["10/8"], ["010.0.0.1"], [7]])(
    "refuses %j as a network",
    async (network) => {
      const answer = await make(none, { trustedHosts: ["app.example"], trustedProxies: [network] }).handler(
        new Request("https://app.example/auth/session")
      )
      assert.strictEqual(answer.status, 500)
      assert.lengthOf(told(/trustedProxies must list networks/), 1)
    }
  )
})

describe("the client", () => {
  const env = { AUTH_URL: "https://app.example/auth" }
  const headers = { host: "app.example", origin: "https://app.example" }

  /** The addresses that audit events name. */
  const addresses = async (more: object, forwarding: Record<string, string>, through = toNodeHandler) => {
    vi.stubEnv("NODE_ENV", "production")
    const auth = make(env, more)
    const found = new Set<string | undefined>()
    auth.onEvent(({ request }) => void found.add(request?.ip))
    const port = await listen(through(auth))
    await post(port, "/auth/callback/credentials", { ...headers, ...forwarding }, { username: "ann", password: "no" })
    return [...found]
  }

  const trusted = { trustedProxies: ["127.0.0.1", "10.0.0.0/8"] }
  const rows: ReadonlyArray<
    readonly [what: string, more: object, forwarding: Record<string, string>, string | undefined]
  > = [
    [
      "H041 is the rightmost address that is no proxy",
      trusted,
      { "x-forwarded-for": "198.51.100.9, 203.0.113.7, 10.0.0.2" },
      "203.0.113.7"
    ],
    ["has no port", trusted, { "x-forwarded-for": "203.0.113.7:5123" }, "203.0.113.7"],
    ["may have an IPv6 address", trusted, { "x-forwarded-for": "[2001:db8::7]:5123" }, "2001:db8::7"],
    ["is unknown where the proxy says so", trusted, { "x-forwarded-for": "203.0.113.7, unknown" }, undefined],
    ["is unknown where the proxy says nothing", trusted, {}, undefined],
    ["H040 is unknown where no proxy is trusted", {}, { "x-forwarded-for": "203.0.113.7" }, undefined],
    ["is unknown where the connection is that of a proxy", {}, {}, undefined],
    [
      "is the one that the application reads",
      { clientAddress: (given: Headers) => given.get("fly-client-ip") },
      { "fly-client-ip": "203.0.113.8" },
      "203.0.113.8"
    ]
  ]
  for (const [what, more, forwarding, expected] of rows)
    it(what, async () => assert.deepStrictEqual(await addresses(more, forwarding), [expected]))

  it("is missing where clientAddress throws, and the log says so once", async () => {
    const clientAddress = () => {
      throw new TypeError("headers.get of undefined")
    }
    assert.deepStrictEqual(await addresses({ clientAddress }, {}), [undefined])
    assert.lengthOf(told(/clientAddress threw TypeError: headers\.get of undefined/), 1)
  })

  it("is the one that Express took from a proxy that it trusts", async () => {
    const through = (auth: Parameters<typeof toNodeHandler>[0]) =>
      express().set("trust proxy", "loopback").use("/auth", toNodeHandler(auth))
    assert.deepStrictEqual(await addresses({}, { "x-forwarded-for": "203.0.113.7" }, through as never), ["203.0.113.7"])
  })

  it.each([
    ["a connection of this machine", {}, /127\.0\.0\.1, which is not a public address/],
    ["X-Forwarded-For", { "x-forwarded-for": "203.0.113.7" }, /header of proxies, and no proxy is trusted/],
    ["Via", { via: "1.1 proxy" }, /header of proxies/],
    ["X-Real-IP", { "x-real-ip": "203.0.113.7" }, /header of proxies/],
    ["CF-Connecting-IP", { "cf-connecting-ip": "203.0.113.7" }, /header of proxies/],
    ["X-Forwarded-Port", { "x-forwarded-port": "443" }, /header of proxies/],
    ["Forwarded", { forwarded: "for=203.0.113.7" }, /header of proxies/]
  ])("has no address, with one warning, behind %s", async (_, forwarding, warning) => {
    assert.deepStrictEqual(await addresses({}, forwarding), [undefined])
    assert.lengthOf(told(warning), 1)
    assert.lengthOf(told(/trustedProxies/), 1)
  })
})

describe("AUTH_URL without a path", () => {
  it("leaves every other path to the application", async () => {
    const auth = make({ AUTH_URL: "http://localhost:3000" })
    const port = await listen(
      toNodeHandler(auth, (incoming, outgoing) => void outgoing.end(`own ${String(incoming.url)}`))
    )
    for (const path of ["/", "/about", "/auth/signin", "/sign", "/a/session"])
      assert.strictEqual((await ask(port, path, { accept: "text/html" })).body, `own ${path}`)
    assert.strictEqual((await ask(port, "/session")).body, "null")
    assert.include((await ask(port, "/signin")).body, "<h1>Sign in</h1>")
  })
})
