/**
 * Which host the public URL of a request has: by a pinned origin, by a list, by what the application or the platform says.
 */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { makeMemory } from "../../src/Adapter.ts"
import { compile, type Options } from "../../src/config/Settings.ts"
import { hostPolicy, publicUrl } from "../../src/config/HostPolicy.ts"
import { setEnvDefaults } from "../../src/index.ts"
import { isHostPattern, matchesHost, parseHost, parseSite, parseTarget } from "../../src/http/Host.ts"
import { forgetAll } from "../../src/internal/OncePerProcess.ts"
import { WebAuthn } from "../../src/Provider/WebAuthn.ts"
import { acme, facade, listener, ownSite, password, secret, visitor } from "../Visitor.ts"

beforeEach(() => {
  forgetAll()
  vi.stubEnv("NODE_ENV", "production")
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe("the grammar of hosts", () => {
  const hosts: ReadonlyArray<readonly [text: string, host: string]> = [
    ["app.example", "app.example"],
    ["APP.Example:8443", "app.example:8443"],
    ["localhost:3000", "localhost:3000"],
    ["my_service", "my_service"],
    ["a--b.preview.example", "a--b.preview.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["127.0.0.1:80", "127.0.0.1:80"],
    ["[::1]:3000", "[::1]:3000"],
    ["[0:0:0:0:0:0:0:1]", "[::1]"],
    [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`]
  ]
  for (const [text, host] of hosts) it(`has ${text.slice(0, 40)}`, () => assert.strictEqual(parseHost(text), host))

  const others = [
    "",
    ".",
    "app.example.",
    "app..example",
    ".app.example",
    "-app.example",
    "app-.example",
    "app.example*",
    "*.example",
    "app.example, evil.example",
    "app.example evil.example",
    " app.example",
    "app.example\t",
    "app.example\r\n",
    "app.example\u0000",
    "user@app.example",
    "app.example/x",
    "app.example\\x",
    "app.example%2fx",
    "app.example?x",
    "app.example#x",
    "app.example:",
    "app.example:0",
    "app.example:080",
    "app.example:65536",
    "app.example:-1",
    "app.example:3000:3000",
    "app.example:3000@evil.example",
    "b\u00fccher.example",
    "\u212aiwi.example",
    "app\u3002example",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "256.0.0.1",
    "::1",
    "[::1",
    "[::1%25lo]",
    "[fe80::1%lo]",
    "[v1.fe80]",
    "a".repeat(64),
    `${"a.".repeat(140)}example`
  ]
  for (const text of others)
    it(`H013, H039 has not ${JSON.stringify(text.slice(0, 40))}`, () => assert.isUndefined(parseHost(text)))

  it("H039 reads a request target, and no other form of one", () => {
    assert.deepStrictEqual(parseTarget("/a?b"), { host: undefined, path: "/a?b" })
    assert.deepStrictEqual(parseTarget("//evil.example/a"), { host: undefined, path: "//evil.example/a" })
    assert.deepStrictEqual(parseTarget("HTTP://App.example:81?b"), { host: "app.example:81", path: "?b" })
    for (const target of [
      "*",
      "*.evil.example/a",
      "@evil.example/a",
      ".evil.example/a",
      ":80/a",
      "app.example:443",
      "ftp://app.example/a",
      "http:/app.example/a",
      "http://user@app.example/a",
      "http://user:pw@app.example/a",
      "http://app.example*/a",
      "http://app.example\\@evil.example/a",
      "https:///a"
    ])
      assert.isUndefined(parseTarget(target), target)
  })

  it("reads a site", () => {
    assert.strictEqual(parseSite("https://APP.example:443/auth")?.origin, "https://app.example")
    assert.strictEqual(parseSite("https://b\u00fccher.example")?.host, "xn--bcher-kva.example")
    for (const text of ["app.example", "ftp://app.example", "https://app.example*", "https://a.example./", ""])
      assert.isUndefined(parseSite(text), text)
  })

  it("G023, G024 a star in a pattern is one label, and no neighbour of a host is that host", () => {
    for (const pattern of ["app.example", "localhost:3000", "*.preview.example", "*.preview.example:8443", "[::1]"])
      assert.isTrue(isHostPattern(pattern), pattern)
    for (const pattern of [
      "*",
      "*.",
      "**.example",
      "*.*.example",
      "a.*.example",
      "*example",
      "https://a.example",
      "A.b"
    ])
      assert.isFalse(isHostPattern(pattern), pattern)
    assert.isTrue(matchesHost("*.preview.example", "a-1.preview.example"))
    for (const host of [
      "preview.example",
      ".preview.example",
      "a.b.preview.example",
      "xpreview.example",
      "a.preview.example.evil.example",
      "a.preview.example:81"
    ])
      assert.isFalse(matchesHost("*.preview.example", host), host)
    for (const host of ["app.example:81", "xapp.example", "app.example.evil.example"])
      assert.isFalse(matchesHost("app.example", host), host)
  })
})

describe("the public URL", () => {
  const of = (options: object, url: string): string | undefined => publicUrl(hostPolicy(options), new URL(url))?.href
  const origin = "https://app.example"

  it("H045 is under the pinned origin, with path and query of the request", () => {
    for (const host of ["http://10.0.0.5:3000", "https://evil.example", "https://app.example:8443", "http://x*"])
      assert.strictEqual(of({ origin, trustHost: true }, `${host}//a/../b?c=//d`), `${origin}//b?c=//d`)
    assert.strictEqual(of({ origin, trustedHosts: ["evil.example"] }, "https://evil.example/"), `${origin}/`)
    for (const other of ["https://user@app.example/a", "data:.evil.example/a", "ws://app.example/a"])
      assert.isUndefined(of({ origin }, other), other)
  })
  it("H045 is at a host of the list, and nowhere else", () => {
    const options = { trustHost: true, trustedHosts: ["app.example", "*.preview.example"] }
    assert.strictEqual(of(options, "http://app.example/a"), "http://app.example/a")
    assert.strictEqual(of(options, "https://a.preview.example/a"), "https://a.preview.example/a")
    for (const host of ["evil.example", "app.example:81", "app.example.", "user@app.example", "a.b.preview.example"])
      assert.isUndefined(of(options, `https://${host}/a`), host)
    assert.isUndefined(of({ trustedHosts: [] }, "https://app.example/"))
  })
  it("H045 goes from https to http only where no other entry has the host", () => {
    const entries = ["http://app.example", "https://app.example"]
    for (const trustedHosts of [entries, entries.toReversed()])
      assert.strictEqual(of({ trustedHosts }, "https://app.example/a"), "https://app.example/a")
    assert.strictEqual(of({ trustedHosts: entries }, "http://app.example/a"), "http://app.example/a")
    assert.strictEqual(of({ trustedHosts: ["http://app.example"] }, "https://app.example/a"), "http://app.example/a")
  })
  it("is otherwise the one of the request, where that is by the grammar", () => {
    assert.strictEqual(of({ trustHost: true }, "https://any.example/a"), "https://any.example/a")
    for (const host of ["any.example*", "any.example.", "a$b", "user:pw@any.example"])
      assert.isUndefined(of({ trustHost: true }, `https://${host}/a`), host)
  })
})

const mail = (sent: Array<string>) => ({
  id: "mail",
  name: "Mail",
  type: "email",
  sendVerificationRequest: ({ url }: { url: string }) => void sent.push(url)
})

describe("in production", () => {
  /** A site with a link by mail, a provider and a password; the address of the links, and what was logged. */
  const site = (env: Record<string, string>, more: Partial<Options> = {}) => {
    const sent: Array<string> = []
    const { logger, told } = listener()
    const config: Options = {
      ...ownSite({ trustHost: undefined, basePath: undefined }),
      adapter: makeMemory(),
      providers: [mail(sent), acme(), password()] as Options["providers"],
      session: { strategy: "jwt" },
      logger,
      ...more
    }
    setEnvDefaults({ NODE_ENV: "production", ...env }, config)
    // As framework packages pass it on.
    const at = facade({ ...config })
    const lines = () =>
      told.errors.map((error) => `${String(Reflect.get(error, "_tag"))} ${String(Reflect.get(error, "field"))}`)
    return { at, sent, told, lines, config }
  }
  const asked = async ({ at, sent }: ReturnType<typeof site>, origin: string) => {
    const browser = visitor(at, origin)
    const response = await browser.submit("/auth/signin/mail", { email: "ann@example.com" })
    return { location: response.headers.get("location") ?? "", links: sent, browser }
  }

  it("H045, H290 the email provider alone is disabled where nothing vouches for a host", async () => {
    const world = site({})
    const { browser, links, location } = await asked(world, "https://evil.example")
    assert.include(location, "/auth/error?error=Configuration")
    assert.deepStrictEqual(links, [])
    assert.include(world.lines(), "UntrustedHost origin")
    assert.include(world.told.errors.map(({ message }) => message).join(), '"mail" is disabled in production')
    assert.include(String(Reflect.get(world.told.errors[0] ?? {}, "remedy")), "Set AUTH_URL")
    // Everything else goes on.
    const away = await browser.submit("/auth/signin/acme")
    assert.include(away.headers.get("location"), "https://acme.example/authorize?")
    await browser.signIn()
    assert.strictEqual((await browser.session())?.user?.["name"], "ann")
  })

  const keys = (more: object = {}) =>
    ({
      adapter: makeMemory(),
      experimental: { enableWebAuthn: true },
      providers: [WebAuthn(more), password()]
    }) as unknown as Partial<Options>
  const named = { relayingParty: { id: "app.example", name: "App", origin: "https://app.example" } }
  const optionsAt = (world: ReturnType<typeof site>, origin: string) =>
    world.at(new Request(`${origin}/auth/webauthn-options/webauthn`))

  for (const [what, more] of [
    ["nothing", {}],
    ["the id alone", { relayingParty: { ...named.relayingParty, origin: undefined } }],
    ["the origin alone", { relayingParty: { ...named.relayingParty, id: undefined } }],
    ["an empty list of origins", { relayingParty: { ...named.relayingParty, origin: [] } }],
    // That of Auth.js takes the host from the address of the request.
    [
      "a function alone",
      { getRelayingParty: ({ url }: { url: URL }) => ({ id: url.hostname, name: "", origin: url.origin }) }
    ]
  ] as const)
    it(`H047, H290 passkeys alone are disabled where nothing vouches for a host and relayingParty names ${what}`, async () => {
      const world = site({}, keys(more))
      const response = await optionsAt(world, "https://evil.example")
      assert.include(response.headers.get("location"), "/auth/error?error=Configuration")
      assert.deepStrictEqual(response.headers.getSetCookie(), [])
      assert.notInclude(await response.text(), "challenge")
      const page = await (await world.at(new Request("https://evil.example/auth/signin"))).text()
      assert.notInclude(page.toLowerCase(), "webauthn")
      assert.include(world.lines(), "UntrustedHost origin")
      const problem = world.told.errors[0]
      assert.include(problem?.message, '"webauthn" is disabled in production')
      assert.include(problem?.message, "relayingParty must name id and origin")
      assert.include(String(Reflect.get(problem ?? {}, "remedy")), "Set AUTH_URL")
      // Everything else goes on.
      const browser = visitor(world.at, "https://evil.example")
      const finished = await browser.submit("/auth/callback/webauthn", { action: "register", data: "{}" })
      assert.include(finished.headers.get("location"), "/auth/error?error=Configuration")
      await browser.signIn()
      assert.strictEqual((await browser.session())?.user?.["name"], "ann")
    })

  it("H047 passkeys belong to the relying party that the application names, where nothing vouches for a host", async () => {
    for (const more of [
      named,
      { relayingParty: { id: ["app.example"], name: "App", origin: ["https://app.example"] } }
    ]) {
      const world = site({}, keys(more))
      const response = await optionsAt(world, "https://evil.example")
      assert.strictEqual(response.status, 200)
      const { options } = (await response.json()) as { options: { rpId: string } }
      assert.strictEqual(options.rpId, "app.example")
      assert.deepStrictEqual(world.lines(), [])
    }
  })

  for (const [voucher, env, more, rpId] of [
    ["origin", {}, { origin: "https://app.example" }, "app.example"],
    ["AUTH_URL", { AUTH_URL: "https://app.example/auth" }, {}, "app.example"],
    ["trustedHosts", {}, { trustedHosts: ["any.example"] }, "any.example"],
    ["VERCEL", { VERCEL: "1" }, {}, "any.example"],
    ["trustHost", {}, { trustHost: true }, "any.example"]
  ] as const)
    it(`H047 passkeys belong to the host that ${voucher} vouches for`, async () => {
      const response = await optionsAt(site(env, { ...keys(), ...more }), "https://any.example")
      const { options } = (await response.json()) as { options: { rpId: string } }
      assert.strictEqual(options.rpId, rpId)
    })

  it("passkeys need no voucher on the machine of a developer", async () => {
    vi.stubEnv("NODE_ENV", "development")
    const response = await optionsAt(site({ NODE_ENV: "" }, keys()), "http://localhost:3000")
    const { options } = (await response.json()) as { options: { rpId: string } }
    assert.strictEqual(options.rpId, "localhost")
  })

  it("trustedHosts beside an origin is one warning, and the origin counts", async () => {
    for (const [env, more] of [
      [{}, { origin: "https://app.example", trustedHosts: ["other.example"] }],
      [{ AUTH_URL: "https://app.example/auth" }, { trustedHosts: [] }]
    ] as const) {
      const world = site(env, more)
      for (const host of ["app.example", "other.example", "evil.example"]) {
        const response = await world.at(new Request(`https://${host}/auth/providers`))
        assert.include(await response.text(), "https://app.example/auth/signin/acme")
      }
      for (const stage of ["production", "development"]) {
        vi.stubEnv("NODE_ENV", stage)
        const problems = compile(world.config).problems()
        assert.deepStrictEqual(
          problems.map(({ error, level, stops }) => [error._tag, error.field, level, stops]),
          [["InvalidConfiguration", "trustedHosts", "warning", "nowhere"]]
        )
        assert.include(problems[0]?.error.message, "trustedHosts is ignored")
      }
    }
    assert.deepStrictEqual(compile(site({}, { trustedHosts: ["app.example"] }).config).problems(), [])
  })

  it("P087, H045 a link is always on the pinned origin", async () => {
    for (const world of [site({ AUTH_URL: "https://app.example/auth" }), site({}, { origin: "https://app.example" })]) {
      const { links, location } = await asked(world, "http://evil.example:8443")
      assert.match(location, /^https:\/\/app\.example\/auth\/verify-request/)
      assert.lengthOf(links, 1)
      assert.match(
        links[0] ?? "",
        /^https:\/\/app\.example\/auth\/callback\/mail\?callbackUrl=https%3A%2F%2Fapp\.example&/
      )
      assert.deepStrictEqual(world.lines(), [])
      assert.deepStrictEqual(world.told.warnings, [])
    }
  })

  it("AUTH_URL widens no trust", () => {
    const { config } = site({ AUTH_URL: "https://app.example/auth" })
    const policy = hostPolicy({ ...config, origin: undefined })
    assert.strictEqual(policy.voucher, "nothing")
  })

  for (const [name, env, more] of [
    ["trustHost", {}, { trustHost: true }],
    ["AUTH_TRUST_HOST", { AUTH_TRUST_HOST: "true" }, {}]
  ] as const)
    it(`${name} alone is obeyed, and the log names the risk of mailed links`, async () => {
      const world = site(env, more)
      const { links } = await asked(world, "https://any.example")
      assert.match(links[0] ?? "", /^https:\/\/any\.example\//)
      const warnings = compile(world.config).problems()
      assert.deepStrictEqual(
        warnings.map(({ error, level }) => [error._tag, error.field, level]),
        [["UntrustedHost", "trustHost", "warning"]]
      )
      assert.include(warnings[0]?.error.message, "links that are mailed")
      vi.stubEnv("NODE_ENV", "development")
      assert.deepStrictEqual(compile(world.config).problems(), [])
    })

  for (const [name, env, more] of [
    ["VERCEL", { VERCEL: "1" }, {}],
    ["CF_PAGES", { CF_PAGES: "1" }, {}],
    ["VERCEL beside trustHost", { VERCEL: "1" }, { trustHost: true }],
    ["trustedHosts", {}, { trustedHosts: ["any.example"] }]
  ] as const)
    it(`${name} vouches for the host, and there is nothing to log`, async () => {
      const world = site(env, more)
      const { links } = await asked(world, "https://any.example")
      assert.match(links[0] ?? "", /^https:\/\/any\.example\//)
      assert.deepStrictEqual([...world.lines(), ...world.told.warnings], [])
    })

  it("P241, H045 a host that is not listed is answered 400, in raw mode too", async () => {
    const world = site({}, { trustedHosts: ["app.example"] })
    for (const action of ["session", "providers", "csrf", "signin", "callback/acme?code=1", "error"]) {
      const response = await world.at(new Request(`https://evil.example/auth/${action}`))
      assert.strictEqual(response.status, 400, action)
      assert.notInclude(JSON.stringify([...response.headers]) + (await response.text()), "evil")
    }
    assert.strictEqual((await world.at(new Request("https://app.example/auth/session"))).status, 200)
    assert.deepStrictEqual(world.lines(), [], "no alarm for what a visitor does")
  })

  it("an application that says no is obeyed, except that an origin needs no trust", async () => {
    for (const [env, more, status] of [
      [{}, { trustHost: false }, 500],
      [{ AUTH_TRUST_HOST: "false", VERCEL: "1" }, {}, 500],
      [{ AUTH_URL: "https://app.example/auth" }, { trustHost: false }, 200]
    ] as const) {
      const { at } = site(env, more)
      assert.strictEqual((await at(new Request("https://app.example/auth/session"))).status, status)
    }
  })

  it("where no option or variable says what is production, everything is", async () => {
    vi.stubEnv("NODE_ENV", undefined)
    const { links, location } = await asked(site({ NODE_ENV: "" }), "http://localhost:3000")
    assert.include(location, "error=Configuration")
    assert.deepStrictEqual(links, [])
    vi.stubEnv("NODE_ENV", "development")
    const local = await asked(site({ NODE_ENV: "" }), "http://localhost:3000")
    assert.match(local.links[0] ?? "", /^http:\/\/localhost:3000\//)
  })

  it("G028, H050 a request with another host changes no later answer", async () => {
    const { at } = site({ AUTH_URL: "https://app.example/auth" })
    const answer = async (origin: string) => (await at(new Request(`${origin}/auth/providers`))).json()
    const first = await answer("https://app.example")
    assert.deepStrictEqual(await answer("https://evil.example"), first)
    assert.deepStrictEqual(await answer("https://app.example"), first)
  })
})

describe("a redirect proxy", () => {
  const proxy = "https://proxy.example"
  const world = (more: Partial<Options>) => {
    const { logger, told } = listener()
    const config = ownSite({
      trustHost: undefined,
      redirectProxyUrl: `${proxy}/auth`,
      providers: [acme()],
      logger,
      ...more
    })
    return { config, told, browser: (origin: string) => visitor(facade(config), origin) }
  }
  /** Where the proxy sends the answer to an attempt that began at a deployment under a host. */
  const forwarded = async ({ browser, config }: ReturnType<typeof world>, origin: string) => {
    const away = await browser(origin).submit("/auth/signin/acme")
    const location = new URL(away.headers.get("location") ?? "")
    const state = location.searchParams.get("state")
    if (state === null) return `${location.pathname}${location.search}`.replace(/&.*/, "")
    const onProxy = facade({ ...config, origin: proxy })
    const back = await onProxy(new Request(`${proxy}/auth/callback/acme?code=c&state=${encodeURIComponent(state)}`))
    return new URL(back.headers.get("location") ?? "").origin
  }

  it("H121 forwards to hosts that the deployment vouches for", async () => {
    assert.strictEqual(
      await forwarded(world({ origin: "https://a.example" }), "https://evil.example"),
      "https://a.example"
    )
    assert.strictEqual(await forwarded(world({ trustHost: true }), "https://a.example"), "https://a.example")
    const listed = world({ trustedHosts: ["*.preview.example"] })
    assert.strictEqual(await forwarded(listed, "https://a.preview.example"), "https://a.preview.example")
  })
  it("H121 is asked to forward nowhere where nothing vouches for the host, except to the own machine", async () => {
    const unvouched = world({})
    assert.strictEqual(await forwarded(unvouched, "https://evil.example"), "/auth/error?error=Configuration")
    assert.include(unvouched.told.errors.map(({ message }) => message).join(), "redirect proxy")
    vi.stubEnv("NODE_ENV", "development")
    const local = world({})
    assert.strictEqual(await forwarded(local, "https://evil.example"), "/auth/error?error=Configuration")
    assert.strictEqual(await forwarded(local, "http://localhost:3000"), "http://localhost:3000")
  })
  it("H121 no list of origins is a warning where trustHost alone vouches", () => {
    const fieldsOf = (more: Partial<Options>) =>
      compile(ownSite({ redirectProxyUrl: `${proxy}/auth`, providers: [acme()], secret, ...more }))
        .problems()
        .map(({ error, level }) => `${error.field} ${level}`)
    const risk = "redirectProxyOrigins warning"
    assert.include(fieldsOf({ trustHost: true }), risk)
    assert.notInclude(fieldsOf({ trustHost: true, redirectProxyOrigins: [] }), risk)
    assert.notInclude(fieldsOf({ origin: "https://a.example" }), risk)
    assert.notInclude(fieldsOf({ trustHost: true, redirectProxyUrl: undefined }), risk)
  })
})
