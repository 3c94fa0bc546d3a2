import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { canonical } from "../../src/browser/CallbackUrl.ts"
import { at, browser as person, config, type Log } from "../Browser.ts"
import { acme, cookieOf, facade, form, layer, listener, options, password, program, site, visitor } from "../Visitor.ts"
import redirects from "../redirects.json" with { type: "json" }

/** The target that a page would send on. */
const hiddenTarget = (html: string): string =>
  (/name="callbackUrl" value="([^"]*)"/.exec(html)?.[1] ?? "nothing")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

/** RFC 3986 appendix B: scheme, authority, path, query, fragment; read without WHATWG's repairs. */
const generic = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/

const expectOwn = (location: string): void => {
  const [, scheme, authority, path = ""] = generic.exec(location) ?? []
  assert.strictEqual(`${scheme}://${authority}`, site)
  assert.strictEqual(new URL(location).origin, site)
  assert.isTrue(path === "" || path.startsWith("/"))
  assert.isFalse(path.startsWith("//"))
  // oxlint-disable-next-line no-control-regex
  assert.notMatch(location, /[\u0000-\u0020\u007f\\]/)
}

describe("targets of clients", () => {
  const config = options()
  const origins = [site, `${site}/`]

  for (const { expected, id, input } of redirects) {
    const name = input.length > 60 ? `${input.slice(0, 60)}…` : input
    it(`${id} ${JSON.stringify(name)} ends at ${expected === "accept" ? "its canonical form" : "the default"}`, async () => {
      const browser = visitor(facade(config))
      await browser.signIn()
      const signedOut = await browser.submit("/auth/signout", { callbackUrl: input })
      assert.strictEqual(signedOut.status, 302)
      assert.isFalse(
        [...browser.cookies.keys()].some((cookie) => cookie.includes("session-token")),
        "signed out"
      )

      browser.cookies.delete("__Secure-authjs.callback-url")
      const signedIn = await browser.submit("/auth/callback/credentials", {
        username: "ann",
        password: "pw",
        callbackUrl: input
      })
      assert.strictEqual(signedIn.status, 302)
      assert.isTrue(
        [...browser.cookies.keys()].some((cookie) => cookie.includes("session-token")),
        "signed in"
      )

      browser.cookies.clear()
      const page = await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(input)}`)
      assert.strictEqual(page.status, 200)

      const targets = [
        signedOut.headers.get("location") ?? "",
        signedIn.headers.get("location") ?? "",
        hiddenTarget(await page.text())
      ]
      for (const target of targets) {
        expectOwn(target)
        if (expected === "default") assert.include(origins, target)
        else assert.strictEqual(new URL(target).href, new URL(input, site).href)
      }
    })
  }

  it("keeps what it accepts: reading it again gives the same", () => {
    for (const { expected, id, input } of redirects) {
      const once = canonical(input, site)
      if (expected === "accept") {
        assert.isDefined(once, id)
        assert.strictEqual(canonical(once ?? "", site), once, id)
      }
    }
  })
})

describe("callbackUrl in requests", () => {
  it("H001 no GET writes the cookie of the target", async () => {
    const browser = visitor(facade(options()))
    for (const path of ["session", "csrf", "providers", "signin", "signout", "error", "verify-request"]) {
      const response = await browser.get(`/auth/${path}?callbackUrl=${encodeURIComponent(`${site}/private`)}`)
      assert.notInclude(response.headers.getSetCookie().join(), "callback-url", path)
    }
  })

  const odd: ReadonlyArray<unknown> = [1, true, {}, [], ["/a"], { $ne: null }]
  for (const callbackUrl of odd) {
    it(`H002 ${JSON.stringify(callbackUrl)} is a client error`, async () => {
      const asked: Array<unknown> = []
      const browser = visitor(facade(options({ providers: [password((it) => void asked.push(it)), acme()] })))
      for (const path of ["/auth/signin/acme", "/auth/callback/credentials"]) {
        const csrfToken = await browser.csrfToken()
        const response = await browser.send("POST", path, {
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ csrfToken, callbackUrl, username: "ann", password: "pw" })
        })
        assert.strictEqual(response.status, 400, path)
      }
      assert.deepStrictEqual(asked, [])
    })
  }

  const twice: ReadonlyArray<readonly [string, string, string]> = [
    ["body and query", "?callbackUrl=/a", "callbackUrl=/b"],
    ["twice in the query", "?callbackUrl=/a&callbackUrl=/b", ""],
    ["hidden behind a good one", "?callbackUrl=/a", "callbackUrl=https://evil.example"]
  ]
  for (const [name, query, body] of twice) {
    it(`H003 ignores two different targets: ${name}`, async () => {
      const response = await visitor(facade(options())).submit(`/auth/signout${query}`, body)
      assert.strictEqual(response.headers.get("location"), site)
    })
  }
  it("H003 refuses a body with two different targets", async () => {
    const response = await visitor(facade(options())).submit("/auth/signout", "callbackUrl=/a&callbackUrl=/b")
    assert.strictEqual(response.status, 400)
    assert.isNull(response.headers.get("location"))
  })
  it("H003 obeys one target that is sent twice", async () => {
    const response = await visitor(facade(options())).submit("/auth/signout?callbackUrl=/a", { callbackUrl: "/a" })
    assert.strictEqual(response.headers.get("location"), `${site}/a`)
  })

  it("H004 an address of more than 3500 characters is refused, and the log says so", async () => {
    const { logger, told } = listener()
    const browser = visitor(facade(options({ logger })))
    const at = async (length: number) =>
      (await browser.submit("/auth/signout", { callbackUrl: `/${"a".repeat(length - 1)}` })).headers.get("location")
    const longest = 3500 - site.length
    assert.strictEqual(await at(longest), `${site}/${"a".repeat(longest - 1)}`)
    assert.strictEqual(await at(longest + 1), site)
    assert.strictEqual(await at(20_000), site)
    const lengths = told.messages.flatMap((text) => /^callbackUrl has (\d+) characters/.exec(text)?.[1] ?? [])
    assert.deepStrictEqual(lengths, ["3501", `${20_000 + site.length}`])
  })
  const queries: ReadonlyArray<readonly [title: string, piece: string]> = [
    ["letters", "a"],
    ["pairs of names and values", "&a=1"],
    ["slashes", "/b"],
    ["what a cookie cannot hold", ";,"]
  ]
  for (const [title, piece] of queries) {
    it(`H004 a query of ${title}, 3400 characters long, is kept through a sign-in at a provider`, async () => {
      const callbackUrl = `/search?q=${piece.repeat(3400 / piece.length)}`.slice(
        0,
        title.startsWith("what") ? 1300 : 3400
      )
      const browser = visitor(facade(options()))
      await browser.submit("/auth/signin/acme", { callbackUrl })
      const page = await browser.get("/auth/signin")
      assert.strictEqual(hiddenTarget(await page.text()), `${site}${callbackUrl}`)
      assert.isAtMost(browser.cookies.get("__Secure-authjs.callback-url")?.length ?? Infinity, 3900)
    })
  }
  it("keeps a space in a path and a query", async () => {
    const browser = visitor(facade(options()))
    const response = await browser.submit("/auth/signout", { callbackUrl: "/my notes?q=a b" })
    assert.strictEqual(response.headers.get("location"), `${site}/my%20notes?q=a%20b`)
  })
  it("H004 one that grows beyond 3500 characters when it is encoded is the client's mistake", async () => {
    const { logger, told } = listener()
    const browser = visitor(facade(options({ logger })))
    const response = await browser.submit("/auth/signout", { callbackUrl: `/${"\u65e5".repeat(400)}` })
    assert.strictEqual(response.headers.get("location"), site)
    assert.deepStrictEqual(told.errors, [])
  })

  for (const value of [
    "javascript:alert(1)",
    "not a url",
    "//evil.example",
    "dash",
    "https://app.example@evil.example",
    "%00"
  ]) {
    it(`H005 a cookie that holds ${JSON.stringify(value)} is ignored and removed`, async () => {
      const browser = visitor(facade(options()))
      const cookie = `__Secure-authjs.callback-url=${encodeURIComponent(value)}`
      const session = await browser.get("/auth/session", { cookie })
      assert.deepStrictEqual([session.status, await session.text(), session.headers.getSetCookie()], [200, "null", []])
      const page = await browser.get("/auth/signin", { cookie })
      assert.strictEqual(page.status, 200)
      assert.include([site, `${site}/`], hiddenTarget(await page.text()))
      assert.include(page.headers.getSetCookie().join(), "__Secure-authjs.callback-url=; Max-Age=0")
    })
  }
  it("H005 a cookie of another site redirects no browser there", async () => {
    const browser = visitor(facade(options()))
    browser.cookies.set("__Secure-authjs.callback-url", encodeURIComponent("https://evil.example/x"))
    const response = await browser.signIn()
    assert.strictEqual(response.headers.get("location"), site)
    assert.include(response.headers.getSetCookie().join(), `__Secure-authjs.callback-url=${encodeURIComponent(site)}`)
  })

  it("H007 query and fragment arrive", async () => {
    const browser = visitor(facade(options()))
    for (const address of ["/dash?x=1#y", "/a/b?c=%2Fd&e=%20", "https://app.example/dash?x=1#y"]) {
      const response = await browser.submit("/auth/signout", { callbackUrl: address })
      assert.strictEqual(response.headers.get("location"), new URL(address, site).href)
    }
  })

  it("a remembered target is used when a request asks for no other", async () => {
    const browser = visitor(facade(options()))
    await browser.submit("/auth/signin", { callbackUrl: "/later" })
    const response = await browser.signIn()
    assert.strictEqual(response.headers.get("location"), `${site}/later`)
  })

  const actions = [
    "/auth/signout",
    "/auth/signin/acme",
    "/auth/session",
    "/auth/callback/acme?code=c&state=s",
    "/auth/signout/",
    "/auth/./signout",
    "/auth/signout?x=12",
    "/auth/signout#part"
  ]
  for (const address of actions) {
    it(`H011 ${address} is no target`, async () => {
      const browser = visitor(facade(options()))
      for (const callbackUrl of [address, site + address]) {
        const response = await browser.submit("/auth/signout", { callbackUrl })
        assert.strictEqual(response.headers.get("location"), site)
      }
    })
  }
  for (const address of ["/auth/signin", "/auth/signin?error=SessionRequired", "/auth/error", "/auth/verify-request"]) {
    it(`${address} is a page, and a target`, async () => {
      const browser = visitor(facade(options()))
      for (const callbackUrl of [address, site + address]) {
        const response = await browser.submit("/auth/signout", { callbackUrl })
        assert.strictEqual(response.headers.get("location"), site + address)
      }
    })
  }
  it("H011 an action of another site is that site's, where the callback allows it", async () => {
    const other = "https://ape.example"
    assert.strictEqual(other.length, site.length)
    const browser = visitor(facade(options({ callbacks: { redirect: ({ url }) => url } })))
    const response = await browser.submit("/auth/signout", { callbackUrl: `${other}/auth/signout` })
    assert.strictEqual(response.headers.get("location"), `${other}/auth/signout`)
  })
  it("H011 the application itself may ask for one", async () => {
    const browser = visitor(facade(options({ callbacks: { signIn: () => "/auth/signin?error=AccessDenied" } })))
    assert.strictEqual((await browser.signIn()).headers.get("location"), `${site}/auth/signin?error=AccessDenied`)
  })

  const forms: ReadonlyArray<readonly [string, string]> = [
    ["HTTPS://APP.EXAMPLE:443/A", `${site}/A`],
    ["https://app.example:443", `${site}/`],
    ["/a/../b", `${site}/b`],
    ["/%7Euser", `${site}/%7Euser`],
    ["https://user@app.example/", site],
    ["https://:pw@app.example/", site],
    ["https://app.example./a", site],
    ["https://app.example\\a", site]
  ]
  for (const [address, expected] of forms) {
    it(`H013 ${address} is answered as ${expected}`, async () => {
      const response = await visitor(facade(options())).submit("/auth/signout", { callbackUrl: address })
      assert.strictEqual(response.headers.get("location"), expected)
    })
  }

  for (const callbackUrl of ["javascript:alert(1)", "\u0000", "//evil.example", "/\u65e5", "a".repeat(3000)]) {
    it(`H014 ${JSON.stringify(callbackUrl.slice(0, 20))} keeps no user signed in`, async () => {
      const browser = visitor(facade(options()))
      await browser.signIn()
      const response = await browser.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(response.status, 302)
      assert.isNull(await browser.session())
    })
  }
  it("H014 nor does one that is no text, or a redirect callback that throws", async () => {
    const { logger, told } = listener()
    const redirect = () => {
      throw new Error("no")
    }
    const browser = visitor(facade(options({ callbacks: { redirect }, logger })))
    await browser.signIn()
    const csrfToken = await browser.csrfToken()
    const response = await browser.send("POST", "/auth/signout", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken, callbackUrl: { a: 1 } })
    })
    assert.strictEqual(response.headers.get("location"), site)
    assert.isNull(await browser.session())
    assert.isTrue(told.errors.every((error) => "type" in error && error.type === "CallbackRouteError"))
  })
})

describe("the redirect callback", () => {
  const answers: ReadonlyArray<readonly [string, () => unknown, string, boolean]> = [
    ["a path", () => "/home", `${site}/home`, false],
    ["another site", () => "https://shop.example/x", "https://shop.example/x", false],
    ["the origin", () => "https://shop.example", "https://shop.example", false],
    ["a page of the library", () => "/auth/signout", `${site}/auth/signout`, false],
    ["user information", () => "https://ann@shop.example/", "https://ann@shop.example/", false],
    ["a URL object", () => new URL("/b", site), `${site}/b`, false],
    ["a relative address", () => "home", `${site}/home`, false],
    ["backslashes", () => "/\\home", "https://home/", false],
    ["an app's scheme", () => "myapp://home", "myapp://home", false],
    ["an app's scheme and a path", () => "com.example:/cb?x=1#y", "com.example:/cb?x=1#y", false],
    ["a line break", () => "/a\r\nSet-Cookie: x=1", `${site}/aSet-Cookie:%20x=1`, false],
    ["an encoded line break", () => "/a%0d%0aSet-Cookie:x=1", site, true],
    ["null", () => null, site, true],
    ["undefined", () => undefined, site, true],
    ["a number", () => 7, site, true],
    ["an address that is none", () => "https://", site, true],
    ["a script", () => "javascript:alert(1)", site, true],
    ["a script behind a line break", () => " java\nscript:alert(1)", site, true],
    ["data", () => "DATA:text/html,x", site, true],
    ["another script", () => "vbscript:x", site, true],
    ["a blob", () => `blob:${site}/uuid`, site, true],
    ["a file", () => "file:///etc/passwd", site, true],
    ["a failure", () => Promise.reject(new Error("down")), site, true]
  ]
  for (const [name, redirect, expected, isWrong] of answers) {
    it(`H008 ${name}`, async () => {
      const { logger, told } = listener()
      const callbacks = { redirect: redirect as () => string }
      const browser = visitor(facade(options({ callbacks, logger })))
      const response = await browser.submit("/auth/signout", { callbackUrl: "/a" })
      assert.strictEqual(response.headers.get("location"), expected)
      assert.deepStrictEqual(
        told.errors.map((error) => Reflect.get(error, "type")),
        isWrong ? ["CallbackRouteError"] : []
      )
    })
  }

  it("is told a canonical address and the origin, and only once it is safe", async () => {
    const told: Array<unknown> = []
    const callbacks = {
      redirect: (params: { url: string; baseUrl: string }) => {
        told.push(params)
        return params.baseUrl
      }
    }
    const browser = visitor(facade(options({ callbacks })))
    await browser.submit("/auth/signout", { callbackUrl: "HTTPS://Shop.Example:443/a" })
    await browser.submit("/auth/signout", { callbackUrl: "javascript:alert(1)" })
    assert.deepStrictEqual(told[0], { url: "https://shop.example/a", baseUrl: site })
    assert.isTrue(told.every((params) => !JSON.stringify(params).includes("javascript")))
  })
})

/** A site whose redirect callback answers as given, and what it was asked. */
const askedSite = (
  answer: (url: string) => string,
  more: Parameters<typeof options>[0] = {}
): { readonly asked: Array<string>; readonly browser: ReturnType<typeof visitor> } => {
  const asked: Array<string> = []
  const redirect = ({ url }: { readonly url: string }): string => {
    asked.push(url)
    return answer(url)
  }
  return { asked, browser: visitor(facade(options({ callbacks: { redirect }, ...more }))) }
}

describe("the redirect callback is asked", () => {
  const actions: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ["/auth/signout", {}],
    ["/auth/callback/credentials", { username: "ann", password: "pw" }]
  ]
  for (const [path, fields] of actions) {
    it(`at ${path} without a callbackUrl, with the origin`, async () => {
      const { asked, browser } = askedSite((url) => `${url}/start`)
      const response = await browser.submit(path, fields)
      assert.strictEqual(response.headers.get("location"), `${site}/start`)
      assert.deepStrictEqual(asked, [site])
    })
  }

  for (const callbackUrl of [
    "javascript:alert(1)",
    "https://app.example@evil.example",
    "/auth/signout",
    "//evil.example"
  ]) {
    it(`with the origin in the place of ${callbackUrl}`, async () => {
      const { asked, browser } = askedSite(() => "/start")
      const response = await browser.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(response.headers.get("location"), `${site}/start`)
      assert.deepStrictEqual(asked, [site])
    })
  }
  it("with the origin when the callbackUrl is not text", async () => {
    const { asked, browser } = askedSite(() => "/start")
    const csrfToken = await browser.csrfToken()
    const response = await browser.send("POST", "/auth/signout", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken, callbackUrl: 1 })
    })
    assert.strictEqual(response.headers.get("location"), `${site}/start`)
    assert.deepStrictEqual(asked, [site])
  })

  it("for what signIn answers, which it decides about", async () => {
    const callbacks = { signIn: () => "myapp://denied", redirect: ({ url }: { readonly url: string }) => url }
    const response = await visitor(facade(options({ callbacks }))).signIn()
    assert.strictEqual(response.headers.get("location"), "myapp://denied")
  })
  it("H011 for what signIn answers, which may be an action that no client may ask for", async () => {
    const browser = visitor(facade(options({ callbacks: { signIn: () => "/auth/signout" } })))
    assert.strictEqual((await browser.signIn()).headers.get("location"), `${site}/auth/signout`)
  })
  for (const [answered, warns, redirected] of [
    ["https://other.example/denied", true],
    ["/denied", false],
    ["/", false],
    [site, false],
    ["/denied", false, `${site}/instead`],
    ["/", false, site]
  ] as const) {
    const instead = redirected === undefined ? "" : ` where redirect answers ${redirected}`
    it.effect(`and warns ${warns ? "of" : "not of"} signIn that answers ${answered}${instead}`, () => {
      const log: Log = { entries: [] }
      return Effect.gen(function* () {
        const seen = yield* person().submit("/auth/callback/credentials", { username: "ann", password: "pw" })
        const expected = new URL(redirected ?? (warns ? site : answered), site)
        assert.strictEqual(new URL(seen.location ?? "").href, expected.href)
        const warnings = log.entries.filter(({ level }) => level === "Warn").map(({ message }) => String(message))
        assert.strictEqual(
          warnings.filter((line) => line.startsWith("callbacks.signIn answered")).length,
          warns ? 1 : 0
        )
      }).pipe(
        at(
          config({
            callbacks: { signIn: () => answered, ...(redirected === undefined ? {} : { redirect: () => redirected }) }
          }),
          undefined,
          log
        )
      )
    })
  }

  it("reading a session asks nothing", async () => {
    const { asked, browser } = askedSite(() => "/start")
    await browser.get("/auth/session")
    await browser.get("/auth/csrf")
    await browser.get("/auth/providers")
    assert.deepStrictEqual(asked, [])
  })
})

describe("what the browser remembers", () => {
  const lines = (response: Response) =>
    response.headers.getSetCookie().filter((line) => line.startsWith("__Secure-authjs.callback-url="))
  const target = (length: number) => `/${"a".repeat(length - site.length - 1)}`

  it("is written once, and not again while it is the same", async () => {
    const browser = visitor(facade(options()))
    assert.lengthOf(lines(await browser.submit("/auth/signin/acme", { callbackUrl: "/notes" })), 1)
    assert.lengthOf(lines(await browser.submit("/auth/signin/acme", { callbackUrl: "/notes" })), 0)
  })

  it("is removed where the next target is too long for a cookie", async () => {
    const redirect = ({ url }: { readonly url: string }) => (url.endsWith("/far") ? site + target(4000) : url)
    const browser = visitor(facade(options({ callbacks: { redirect } })))
    await browser.submit("/auth/signin/acme", { callbackUrl: "/notes" })
    const [line = ""] = lines(await browser.submit("/auth/signin/acme", { callbackUrl: "/far" }))
    assert.match(line, /; Max-Age=0/)
    assert.lengthOf(lines(await browser.submit("/auth/signin/acme", { callbackUrl: "/far" })), 0)
  })

  it("is where a failed answer of a provider leads", async () => {
    const browser = visitor(facade(options({ pages: { error: "/" } })))
    await browser.submit("/auth/signin/acme", { callbackUrl: "/notes" })
    const answered = await browser.get("/auth/callback/acme?error=access_denied&state=none")
    assert.isTrue(answered.status === 302)
    const page = await browser.get("/auth/signin")
    assert.strictEqual(hiddenTarget(await page.text()), `${site}/notes`)
  })
})

describe("the debug log of targets", () => {
  const refusals = async (callbackUrl: string): Promise<number> => {
    const { logger, told } = listener()
    await visitor(facade(options({ debug: true, logger }))).submit("/auth/signout", { callbackUrl })
    return told.messages.filter((message) => message.includes("callback_url")).length
  }
  for (const address of [site, `${site}/`, "/", "/a", `${site}/a?x=1`]) {
    it(`says nothing of ${address}, which is allowed`, async () => assert.strictEqual(await refusals(address), 0))
  }
  for (const address of ["//other.example", "/auth/signout", "javascript:alert(1)"]) {
    it(`says once that ${address} is refused`, async () => assert.strictEqual(await refusals(address), 1))
  }
})

describe("addresses of native applications", () => {
  const natives = [
    "myapp://cb",
    "com.example:/cb",
    "com.example.app:/oauth2redirect?x=%20y#z",
    "exp+my-app://expo/--/cb"
  ]
  for (const callbackUrl of natives) {
    it(`${callbackUrl} is the callback's to allow: Location, url and cookie`, async () => {
      const { asked, browser } = askedSite((url) => url)
      const response = await browser.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(response.headers.get("location"), callbackUrl)
      assert.strictEqual(browser.cookies.get("__Secure-authjs.callback-url"), encodeURIComponent(callbackUrl))
      assert.deepStrictEqual(asked, [callbackUrl])
      const remembered = await browser.submit("/auth/signout", {}, { "x-auth-return-redirect": "1" })
      assert.deepStrictEqual(await remembered.json(), { url: callbackUrl })
      const page = await browser.get("/auth/signin")
      assert.strictEqual(hiddenTarget(await page.text()), callbackUrl)
      assert.notInclude(page.headers.getSetCookie().join(), "callback-url")
      assert.include(page.headers.get("content-security-policy") ?? "", ` ${new URL(callbackUrl).protocol}`)
    })

    it(`${callbackUrl} ends at the origin where no callback allows it`, async () => {
      const response = await visitor(facade(options())).submit("/auth/signout", { callbackUrl })
      assert.strictEqual(response.headers.get("location"), site)
    })
  }

  for (const callbackUrl of [
    "java\tscript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    `blob:${site}/x`,
    "file:///etc/passwd",
    `filesystem:${site}/x`,
    "view-source:https://evil.example",
    "about:blank",
    "https:evil.example",
    "https:///evil.example",
    "ftp://evil.example",
    "myapp://cb\r\nSet-Cookie: x=1",
    "myapp://a b",
    "myapp:\\\\cb",
    `myapp://${"a".repeat(3500)}`
  ]) {
    it(`${JSON.stringify(callbackUrl.slice(0, 40))} is never put to the callback`, async () => {
      const { asked, browser } = askedSite((url) => url)
      const response = await browser.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(response.headers.get("location"), site)
      assert.deepStrictEqual(asked, [site])
    })
  }
})

describe("the emitted location", () => {
  it.effect("H009 what is accepted reads alike under both grammars and again under ours", () => {
    const pieces = [
      "/",
      " ",
      "\\",
      "a",
      ".",
      "..",
      "%2f",
      "%5c",
      "@",
      ":",
      "?",
      "#",
      "//",
      "evil.example",
      "app.example",
      "%0a",
      ";",
      "é"
    ]
    const config = options()
    return Effect.gen(function* () {
      let accepted = 0
      for (let seed = 0; seed < 4000; seed++) {
        let state = seed + 1
        const next = (below: number) => {
          state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
          return (state >>> 8) % below
        }
        const text = Array.from({ length: 1 + next(6) }, () => pieces[next(pieces.length)]).join("")
        const address = next(3) === 0 ? `https://${text}` : next(2) === 0 ? `/${text}` : `${site}/${text}`
        const once = canonical(address, site)
        if (once === undefined) continue
        const absolute = once.startsWith("/") ? site + once : once
        const [, scheme, authority] = generic.exec(absolute) ?? []
        const parsed = new URL(absolute)
        assert.strictEqual(`${scheme}:`, parsed.protocol, address)
        assert.strictEqual(authority, parsed.host, address)
        assert.strictEqual(canonical(once, site), once, address)
        if (parsed.origin === site) accepted++
      }
      assert.isAbove(accepted, 300)
      const { response } = yield* program(form("/auth/signout", {}))
      assert.strictEqual(response.status, 302)
    }).pipe(Effect.provide(layer(config)))
  })

  it("H010 the answer to a program obeys the same rules", async () => {
    for (const { expected, id, input } of redirects) {
      const browser = visitor(facade(options()))
      const response = await browser.submit("/auth/signout", { callbackUrl: input }, { "x-auth-return-redirect": "1" })
      assert.strictEqual(response.status, 200)
      const { url } = (await response.json()) as { url: string }
      expectOwn(url)
      assert.strictEqual(response.headers.get("location"), url)
      if (expected === "default") assert.include([site, `${site}/`], url, id)
    }
  })

  it("H019 holds no line break, tab or NUL, for any source of the value", async () => {
    for (const bad of ["\r\nX: 1", "\n", "\t", "\u0000", "%0d%0aX: 1"]) {
      const callbacks = { signIn: () => `/a${bad}`, redirect: () => `/b${bad}` }
      const browser = visitor(facade(options({ callbacks })))
      for (const response of [
        await browser.signIn(),
        await browser.submit("/auth/signout", { callbackUrl: `/c${bad}` })
      ]) {
        assert.notMatch(response.headers.get("location") ?? "", /[\r\n\t\0]|%0d|%0a/i)
        assert.isNull(response.headers.get("x"))
        assert.notInclude(cookieOf(response), "X:")
      }
    }
  })
})
