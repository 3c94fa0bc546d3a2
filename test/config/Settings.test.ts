import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { makeMemory } from "../../src/Adapter.ts"
import {
  layer as settingsLayer,
  Settings,
  compile,
  cookiesFor,
  keepsIdToken,
  type Options
} from "../../src/config/Settings.ts"
import { forgetAll } from "../../src/internal/OncePerProcess.ts"
import { setEnvDefaults, skipCSRFCheck } from "../../src/index.ts"
import { acme, facade, listener, options, otherSecret, password, secret, site, visitor } from "../Visitor.ts"

/** Options as JavaScript would pass them. */
const given = (members: object): Options => ({ ...options({ origin: site }), ...members })

const settingsOf = (members: object = {}) => Result.getOrThrow(compile(given(members)).settings)

const mail = { id: "mail", name: "Mail", type: "email" }
const passkey = { id: "passkey", name: "Passkey", type: "webauthn" }
const mailer = { send: () => Effect.void }

/** Tag and text of the first problem. */
const problemOf = (members: object): readonly [string, string] => {
  const [problem] = compile(given(members)).problems()
  return problem === undefined ? ["none", ""] : [problem.error._tag, problem.error.message]
}

// Risks are errors where they matter.
beforeEach(() => {
  forgetAll()
  vi.stubEnv("NODE_ENV", "production")
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe("whether a provider keeps the ID token", () => {
  /** Counts how often it is read as a whole. */
  const oidc = (more: object) => {
    const provider = { id: "idp", name: "Idp", type: "oidc", clientId: "c", clientSecret: "s", reads: 0, ...more }
    return Object.defineProperty(provider, "issuer", {
      enumerable: true,
      get: () => {
        provider.reads++
        return "https://idp.example"
      }
    })
  }
  for (const [more, keeps] of [
    [{}, false],
    [{ logout: null }, false],
    [{ logout: "local" }, true],
    [{ options: { logout: "provider" } }, true]
  ] as const) {
    it(`${JSON.stringify(more)}: ${keeps}, and only a provider with the option is read`, () => {
      const provider = oidc(more)
      const settings = settingsOf({ providers: [provider] })
      const before = provider.reads
      assert.strictEqual(keepsIdToken(settings), keeps)
      assert.strictEqual(provider.reads > before, keeps)
    })
  }
  it("false, where the one with the option cannot be used", () => {
    assert.isFalse(keepsIdToken(settingsOf({ providers: [oidc({ logout: "provider", clientId: undefined })] })))
  })
  it("false, where the option throws when it is read", () => {
    const provider = Object.defineProperty(oidc({}), "logout", {
      enumerable: true,
      get: () => {
        throw new Error("from the option")
      }
    })
    assert.isFalse(keepsIdToken(settingsOf({ providers: [provider] })))
  })
})

describe("defaults", () => {
  it("are those of the configuration reference", () => {
    const settings = settingsOf()
    assert.deepStrictEqual(settings.session, {
      strategy: "jwt",
      maxAge: 2_592_000,
      absoluteMaxAge: undefined,
      updateAge: undefined,
      generateSessionToken: undefined,
      rememberMe: true,
      revocationCheck: undefined
    })
    assert.strictEqual(settings.jwt.maxAge, 2_592_000)
    assert.strictEqual(settings.basePath, "/auth")
    assert.deepStrictEqual(settings.theme, { colorScheme: "auto" })
    assert.deepStrictEqual([settings.skipCsrfCheck, settings.useSecureCookies], [false, undefined])
    assert.deepStrictEqual(settings.pages, {})
    assert.strictEqual(settingsOf({ basePath: undefined }).basePath, "/auth")
  })

  it("give way to what is set, times in seconds", () => {
    const settings = settingsOf({ session: { maxAge: 60, updateAge: 0 }, jwt: { maxAge: 30, secret: otherSecret } })
    assert.deepStrictEqual(settings.session, {
      strategy: "jwt",
      maxAge: 60,
      absoluteMaxAge: undefined,
      updateAge: 0,
      generateSessionToken: undefined,
      rememberMe: true,
      revocationCheck: undefined
    })
    assert.strictEqual(settings.jwt.maxAge, 30)
    assert.deepStrictEqual(settings.jwt.secrets.map(Redacted.value), [otherSecret])
    assert.deepStrictEqual(settings.secrets.map(Redacted.value), [secret])
    assert.strictEqual(settingsOf({ session: { maxAge: 60 } }).jwt.maxAge, 60)
    assert.strictEqual(settingsOf({ skipCSRFCheck }).skipCsrfCheck, true)
    assert.strictEqual(settingsOf({ skipCSRFCheck: true }).skipCsrfCheck, false)
  })

  for (const [basePath, expected] of [
    ["/auth/", "/auth"],
    ["/", ""],
    ["", ""],
    ["/a/b///", "/a/b"]
  ] as const) {
    it(`the base path ${JSON.stringify(basePath)} is ${JSON.stringify(expected)}`, () =>
      assert.strictEqual(settingsOf({ basePath }).basePath, expected))
  }

  it("cookies are secure for https, or as the option says", () => {
    const names = (members: object, url: string) => cookiesFor(settingsOf(members), new URL(url)).sessionToken.name
    assert.strictEqual(names({}, "https://a.example"), "__Host-authjs.session-token")
    assert.strictEqual(names({}, "http://a.example"), "authjs.session-token")
    assert.strictEqual(names({ useSecureCookies: true }, "http://a.example"), "__Host-authjs.session-token")
    assert.strictEqual(names({ useSecureCookies: false }, "https://a.example"), "authjs.session-token")
  })

  it("a secret is nowhere in the settings' text", () => {
    const text = `${JSON.stringify(settingsOf())} ${String(settingsOf().secrets)}`
    assert.notInclude(text, secret)
  })
})

describe("secrets", () => {
  it("count in the options of Auth when they are redacted, too", () => {
    const redacted: Options = Object.assign(options(), {
      secret: [Redacted.make(secret), Redacted.make(otherSecret)],
      jwt: { secret: Redacted.make(otherSecret) },
      retiredSecrets: [{ secret: Redacted.make("an older one"), until: "2026-12-31" }]
    })
    const { jwt, secrets } = Result.getOrThrow(compile(redacted).settings)
    assert.deepStrictEqual(secrets.map(Redacted.value), [secret, otherSecret])
    assert.deepStrictEqual(jwt.secrets.map(Redacted.value), [otherSecret])
    assert.deepStrictEqual(
      jwt.retired.map((one) => Redacted.value(one.secret)),
      ["an older one"]
    )
  })

  const weak: ReadonlyArray<readonly [string, unknown, string]> = [
    ["none", undefined, "MissingSecret"],
    ["an empty one", "", "MissingSecret"],
    ["an empty list", [], "MissingSecret"],
    ["a list of an empty one", [""], "MissingSecret"],
    ["an empty one among others", [secret, ""], "WeakSecret"],
    ["31 characters that are no base64", "seven tin kettles drift our way", "WeakSecret"],
    ["one letter", "a".repeat(64), "WeakSecret"],
    ["a few letters", "abcdefg".repeat(10), "WeakSecret"],
    ["a piece repeated", "abcdefghijk".repeat(4), "WeakSecret"],
    ["the sample of a tutorial", "complex_password_at_least_32_characters_long", "WeakSecret"],
    ["a sample in capitals", "CHANGEME-CHANGEME-1234567890-abcdef", "WeakSecret"],
    ["a weak one behind a good one", [secret, "pa55word"], "WeakSecret"]
  ]
  for (const [name, value, tag] of weak) {
    it(`H289, P241 ${name} is refused, and not repeated`, async () => {
      const [found, text] = problemOf({ secret: value })
      assert.strictEqual(found, tag)
      for (const one of [value].flat()) if (typeof one === "string" && one !== "") assert.notInclude(text, one)
      const response = await facade(given({ secret: value }))(new Request(`${site}/auth/session`))
      assert.strictEqual(response.status, 500)
    })
  }
  it("H289 a weak jwt.secret is refused too", () => {
    assert.deepStrictEqual(problemOf({ jwt: { secret: "short" } }), [
      "WeakSecret",
      "jwt.secret: shorter than 16 bytes in hex or base64 and shorter than 32 characters"
    ])
    assert.strictEqual(problemOf({ jwt: { secret: [] } })[0], "MissingSecret")
  })
  /** The answer of a site to a signed-out visitor, with its log. */
  const answers = async (members: Partial<Options>, origin: string) => {
    const { logger, told } = listener()
    const config = options({ ...members, logger })
    const ask = facade(config)
    const statuses: Array<number> = []
    for (let request = 0; request < 3; request++) {
      statuses.push((await ask(new Request(`${origin}/auth/providers`))).status)
    }
    return { ask, lines: told.advice, statuses, errors: told.errors.map(({ name }) => name) }
  }
  const local = ["http://localhost:3000", "http://127.0.0.1:3000", "https://app.localhost", "http://[::1]:3000"]
  const open = [site, "http://192.168.1.5:3000", "https://localhost.example.com"]

  const everywhere = [...local, ...open]

  it.each([
    ["production", "http://localhost:3000/auth", 500],
    [" Production ", "http://localhost:3000/auth", 500],
    ["PROD", "http://localhost:3000/auth", 500],
    ["development", `${site}/auth`, 200],
    ["Dev", `${site}/auth`, 200],
    [" test", `${site}/auth`, 200],
    ["local", undefined, 200],
    [undefined, `${site}/auth`, 500],
    ["staging", `${site}/auth`, 500],
    [undefined, "http://192.168.1.5:3000/auth", 500],
    [undefined, "http://localhost:3000/auth", 200],
    ["staging", "http://127.0.0.1:3000/auth", 200]
  ] as const)(
    "H289, P241 NODE_ENV %j, AUTH_URL %j: a weak one answers %d, whatever host is asked for",
    async (nodeEnv, authUrl, status) => {
      vi.stubEnv("NODE_ENV", nodeEnv)
      vi.stubEnv("AUTH_URL", authUrl)
      for (const origin of everywhere) {
        for (const members of [
          { secret: "pa55word" },
          { secret: [secret, "pa55word"] },
          { jwt: { secret: "pa55word" } }
        ]) {
          forgetAll()
          const { errors, lines, statuses } = await answers(members, origin)
          assert.deepStrictEqual(statuses, [status, status, status], origin)
          assert.strictEqual(errors.includes("WeakSecret"), status === 500, origin)
          assert.strictEqual(lines.filter((line) => line.includes("WeakSecret")).length, status === 500 ? 0 : 1, origin)
          assert.notInclude(lines.join(), "pa55word")
        }
      }
    }
  )

  it.each([
    [undefined, undefined],
    ["", undefined],
    ["staging", undefined],
    ["toString", undefined],
    [undefined, "nonsense"]
  ])("H289, P241 with NODE_ENV %j and AUTH_URL %j the host of a request decides", async (nodeEnv, authUrl) => {
    vi.stubEnv("NODE_ENV", nodeEnv)
    vi.stubEnv("AUTH_URL", authUrl)
    for (const [origins, status] of [
      [local, 200],
      [open, 500]
    ] as const) {
      for (const origin of origins) {
        forgetAll()
        assert.deepStrictEqual(
          (await answers({ secret: "pa55word" }, origin)).statuses,
          [status, status, status],
          origin
        )
      }
    }
  })

  it.each([undefined, "staging"])("H289 with NODE_ENV %j no host opens what served the public", async (nodeEnv) => {
    vi.stubEnv("NODE_ENV", nodeEnv)
    vi.stubEnv("AUTH_URL", undefined)
    const ask = facade(options({ secret: "pa55word", logger: listener().logger }))
    assert.strictEqual((await ask(new Request("http://localhost:3000/auth/session"))).status, 200)
    assert.strictEqual((await ask(new Request(`${site}/auth/session`))).status, 500)
    for (const headers of [
      {},
      { host: "localhost" },
      { "x-forwarded-host": "localhost", "x-forwarded-proto": "http" },
      { forwarded: "for=127.0.0.1;host=localhost" },
      { origin: "http://localhost:3000", referer: "http://localhost:3000/" }
    ]) {
      const answer = await ask(new Request("http://localhost:3000/auth/session", { headers }))
      assert.deepStrictEqual([answer.status, await answer.json()], [500, null], JSON.stringify(headers))
    }
  })

  it.each([[["", secret]], [[secret, ""]]])("H289 %j: an empty one in the list stops production", async (value) => {
    for (const [nodeEnv, status] of [
      ["production", 500],
      ["development", 200]
    ] as const) {
      vi.stubEnv("NODE_ENV", nodeEnv)
      const { statuses } = await answers({ secret: value }, "http://localhost:3000")
      assert.deepStrictEqual(statuses, [status, status, status])
    }
  })

  it.each([[""], [["", ""]], [[]], [undefined]])("H289 %j is refused everywhere", async (value) => {
    for (const nodeEnv of ["production", "development", "test", undefined]) {
      vi.stubEnv("NODE_ENV", nodeEnv)
      const { statuses } = await answers({ secret: value }, "http://localhost:3000")
      assert.deepStrictEqual(statuses, [500, 500, 500])
    }
  })

  it("P242 a weak one may be retired, which is a warning", async () => {
    const until = new Date("2027-01-31T00:00:00Z")
    const { errors, lines, statuses } = await answers(
      { origin: site, retiredSecrets: [{ secret: "pa55word", until }] },
      site
    )
    assert.deepStrictEqual([errors, statuses], [[], [200, 200, 200]])
    assert.strictEqual(lines.length, 1)
    assert.match(lines[0] ?? "", /WeakSecret: retiredSecrets\[0\]: .*2027-01-31/)
    assert.notInclude(lines.join(), "pa55word")
    const strong = await answers({ origin: site, retiredSecrets: [{ secret: otherSecret, until }] }, site)
    assert.deepStrictEqual([strong.lines, strong.statuses], [[], [200, 200, 200]])
  })

  it.each([
    ["pa55word"],
    [["pa55word"]],
    [{ secret: "pa55word" }],
    [[{ secret: "pa55word" }]],
    [[{ secret: "pa55word", until: "pa55word" }]],
    [[{ secret: "", until: "2027-01-31" }]],
    [Array.from({ length: 9 }, () => ({ secret: "pa55word", until: "2027-01-31" }))]
  ])("P242 retiredSecrets %j is refused, and not repeated", (retiredSecrets) => {
    const [tag, text] = problemOf({ retiredSecrets })
    assert.strictEqual(tag, "InvalidConfiguration")
    assert.match(text, /^retiredSecrets/)
    assert.notInclude(text, "pa55word")
  })

  it("H289 good ones are accepted", () => {
    for (const good of [
      secret,
      [secret, otherSecret],
      "\u{1f511}\u{1f512} äöüÄÖÜß gehören nicht in jedes Alphabet",
      "8f3a1c5b".repeat(2) + "0d2e4f6a7b9c1d3e"
    ]) {
      assert.strictEqual(problemOf({ secret: good })[0], "none", String(good))
    }
  })
})

describe("trust", () => {
  it("H290 in production a host is believed only when the operator says so", async () => {
    const started = async (env: Record<string, string>) => {
      const { logger, told } = listener()
      const config: Options = { providers: [password()], logger }
      setEnvDefaults({ AUTH_SECRET: secret, NODE_ENV: "production", ...env }, config)
      const { status } = await facade(config)(new Request(`${site}${config.basePath}/session`))
      return [status, told.errors.map((error) => Reflect.get(error, "type"))]
    }
    assert.deepStrictEqual(await started({ AUTH_TRUST_HOST: "false" }), [500, ["UntrustedHost"]])
    // Where nobody says anything, email alone is disabled: test/config/HostPolicy.test.ts.
    assert.deepStrictEqual(await started({}), [200, []])
    assert.deepStrictEqual(await started({ AUTH_URL: "nonsense" }), [200, ["InvalidConfiguration"]])
    assert.deepStrictEqual(await started({ AUTH_URL: `${site}/auth` }), [200, []])
    assert.deepStrictEqual(await started({ AUTH_TRUST_HOST: "true" }), [200, []])
    assert.deepStrictEqual(await started({ NODE_ENV: "development" }), [200, []])
  })
  it("H290 without a yes there is no trust", () => {
    for (const trustHost of [false, 0, "", "false", "no"]) {
      const { settings } = compile(given({ origin: undefined, trustHost }))
      assert.strictEqual(settings._tag === "Failure" && settings.failure._tag, "UntrustedHost", String(trustHost))
    }
  })
})

describe("pages", () => {
  const usable: ReadonlyArray<readonly [string, string]> = [
    ["/login", `${site}/login`],
    ["/login?from=auth", `${site}/login?from=auth`],
    ["/login?x=1#form", `${site}/login?x=1`],
    ["https://login.example/in?x=1", "https://login.example/in?x=1"],
    ["/anm\u00e9lden/\u65e5", `${site}/anm%C3%A9lden/%E6%97%A5`]
  ]
  for (const [page, expected] of usable) {
    it(`H016 ${page} works`, async () => {
      const browser = visitor(facade(options({ pages: { signIn: page, error: page } })))
      const shown = new URL(
        (await browser.get("/auth/signin?error=AccessDenied&callbackUrl=/x")).headers.get("location") ?? ""
      )
      assert.strictEqual(shown.searchParams.get("error"), "AccessDenied")
      assert.strictEqual(shown.searchParams.get("callbackUrl"), `${site}/x`)
      for (const name of ["error", "callbackUrl"]) shown.searchParams.delete(name)
      shown.hash = ""
      assert.strictEqual(shown.href, expected)
      const failed = (await browser.post("/auth/signout", {})).headers.get("location") ?? ""
      assert.strictEqual(new URL(failed).searchParams.get("error"), "MissingCSRF")
    })
  }

  for (const page of [
    "login",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "https:login",
    "/a b",
    "https://",
    "",
    "/a\nb"
  ]) {
    it(`H016 ${JSON.stringify(page)} is no page: the built-in one is shown, and the log names the option`, () => {
      for (const name of ["signIn", "signOut", "error", "verifyRequest"]) {
        assert.deepStrictEqual(problemOf({ pages: { [name]: page } }), [
          "InvalidConfiguration",
          `pages.${name} must be a path that begins with / or an absolute http(s) URL: the built-in page is shown`
        ])
        assert.deepStrictEqual(settingsOf({ pages: { [name]: page, newUser: "/welcome" } }).pages, {
          newUser: "/welcome"
        })
      }
    })
  }
  it("H016 a page that is no text is left out, and the log names the option", () => {
    for (const page of [1, {}, []]) {
      assert.strictEqual(problemOf({ pages: { signIn: page } })[0], "InvalidConfiguration")
      assert.deepStrictEqual(settingsOf({ pages: { signIn: page } }).pages, {})
    }
    assert.strictEqual(problemOf({ pages: { signIn: null } })[0], "none")
  })

  const loops: ReadonlyArray<Record<string, string>> = [
    { signIn: "/auth/signin" },
    { error: "/auth/error?x=1" },
    { signOut: "/auth/signout/" },
    { verifyRequest: "/auth/verify-request" },
    { signIn: "/auth/error", error: "/auth/signin" }
  ]
  for (const pages of loops) {
    it(`H016 ${JSON.stringify(pages)} leads back to itself: the built-in page is shown`, () => {
      const [tag, text] = problemOf({ pages })
      assert.strictEqual(tag, "InvalidConfiguration")
      assert.match(text, /^pages\.\w+ leads back to itself: the built-in page is shown$/)
      assert.deepStrictEqual(settingsOf({ pages }).pages, {})
    })
  }
  it("H016 one action may show another's page", () => {
    assert.strictEqual(problemOf({ pages: { error: "/auth/signin" } })[0], "none")
    assert.strictEqual(problemOf({ pages: { signIn: "/auth/signin" }, basePath: "/api/auth" })[0], "none")
  })
})

describe("providers", () => {
  it("H291 an id may be used once", () => {
    const [tag, text] = problemOf({ providers: [acme(), acme()] })
    assert.deepStrictEqual([tag, text.includes('"acme"')], ["InvalidConfiguration", true])
  })
  for (const id of [
    "undefined",
    "null",
    "__proto__",
    "constructor",
    "toString",
    "session",
    "signin",
    "csrf",
    "",
    ".",
    "..",
    "a/b",
    "a b",
    "%61",
    7
  ]) {
    it(`H291 ${JSON.stringify(id)} is no id`, () => {
      assert.strictEqual(problemOf({ providers: [acme({ id })] })[0], "InvalidConfiguration")
    })
  }

  const factories: ReadonlyArray<readonly [string, unknown]> = [
    [
      "that throws",
      () => {
        throw new Error("no")
      }
    ],
    ["that is async", async () => acme()],
    ["that answers nothing", () => undefined],
    ["that answers a text", () => "acme"]
  ]
  for (const [name, factory] of factories) {
    it(`H292 a factory ${name} is a configuration error`, async () => {
      assert.strictEqual(problemOf({ providers: [factory] })[0], "InvalidConfiguration")
      const { logger, told } = listener()
      const answer = facade(given({ providers: [factory, acme()], logger }))
      const response = await answer(new Request(`${site}/auth/providers`))
      assert.deepStrictEqual(Object.keys(await response.json()), ["acme"])
      assert.deepStrictEqual(
        told.errors.map((error) => Reflect.get(error, "field")),
        ["providers"]
      )
    })
  }
  it("H292 so is what is no provider", () => {
    for (const provider of [null, undefined, 1, "github", [], {}]) {
      assert.strictEqual(problemOf({ providers: [provider] })[0], "InvalidConfiguration", String(provider))
    }
  })
})

describe("other options", () => {
  const wrong: ReadonlyArray<readonly [string, object, string]> = [
    ["no providers", { providers: undefined }, "InvalidConfiguration"],
    ["providers that are no list", { providers: {} }, "InvalidConfiguration"],
    ["a base path without a slash", { basePath: "auth" }, "InvalidConfiguration"],
    ["a base path with a query", { basePath: "/auth?x" }, "InvalidConfiguration"],
    ["a base path with an escape", { basePath: "/%61uth" }, "InvalidConfiguration"],
    ["a base path with a space", { basePath: "/au th" }, "InvalidConfiguration"],
    ["a base path that is no text", { basePath: 7 }, "InvalidConfiguration"],
    ["a negative maxAge", { session: { maxAge: -1 } }, "InvalidConfiguration"],
    ["a maxAge of NaN", { session: { maxAge: Number.NaN } }, "InvalidConfiguration"],
    ["a maxAge that is text", { session: { maxAge: "one day" } }, "InvalidConfiguration"],
    ["a maxAge that is an empty object", { session: { maxAge: {} } }, "InvalidConfiguration"],
    ["a maxAge with a unit of another name", { session: { absoluteMaxAge: { hour: 8 } } }, "InvalidConfiguration"],
    ["a maxAge that is a date", { jwt: { maxAge: new Date(0) } }, "InvalidConfiguration"],
    ["an endless maxAge", { jwt: { maxAge: Number.POSITIVE_INFINITY } }, "InvalidConfiguration"],
    ["an unknown strategy", { session: { strategy: "cookie" } }, "InvalidConfiguration"],
    ["a callback that is no function", { callbacks: { signIn: true } }, "InvalidConfiguration"],
    ["an event that is no function", { events: { signIn: "yes" } }, "InvalidConfiguration"],
    ["a later event that is no function", { events: { reauthenticationRequired: "yes" } }, "InvalidConfiguration"],
    ["a colour that is none", { theme: { brandColor: "red;}" } }, "InvalidConfiguration"],
    ["an unknown scheme", { theme: { colorScheme: "blue" } }, "InvalidConfiguration"],
    ["a proxy that is no URL", { redirectProxyUrl: "nonsense" }, "InvalidConfiguration"],
    ["a proxy of another scheme", { redirectProxyUrl: "ftp://proxy.example" }, "InvalidConfiguration"],
    [
      "a __Host- cookie with a domain",
      { cookies: { csrfToken: { options: { domain: "app.example" } } } },
      "InvalidConfiguration"
    ],
    ["a cookie name with a space", { cookies: { sessionToken: { name: "my session" } } }, "InvalidConfiguration"],
    ["an adapter that lacks methods", { adapter: {} }, "MissingAdapterMethods"],
    ["an adapter that is no object", { adapter: () => ({}) }, "InvalidConfiguration"],
    ["a mailer that cannot send", { mailer: Object({ deliver: () => undefined }) }, "InvalidConfiguration"],
    ["a database without storage", { session: { strategy: "database" } }, "MissingAdapter"],
    [
      "credentials in a database without storage",
      { session: { strategy: "database" }, providers: [password()] },
      "MissingAdapter"
    ],
    [
      "credentials without authorize",
      { providers: [password(undefined, { authorize: undefined })] },
      "MissingAuthorize"
    ],
    ["a provider without endpoints", { providers: [acme({ token: undefined })] }, "InvalidEndpoints"],
    ["a client without id", { providers: [acme({ clientId: "" })] }, "InvalidConfiguration"],
    ["email links without storage", { providers: [mail] }, "MissingAdapter"],
    [
      "email links with a store that lacks methods",
      { providers: [mail], adapter: {}, mailer },
      "MissingAdapterMethods"
    ],
    ["email links that nobody sends", { providers: [mail], adapter: makeMemory() }, "InvalidConfiguration"],
    ["passkeys that are not enabled", { providers: [passkey] }, "ExperimentalFeatureNotEnabled"],
    ["passkeys without storage", { providers: [passkey], experimental: { enableWebAuthn: true } }, "MissingAdapter"],
    [
      "passkeys with a store that lacks methods",
      { providers: [passkey], experimental: { enableWebAuthn: true }, adapter: {} },
      "MissingAdapterMethods"
    ]
  ]
  for (const [name, members, tag] of wrong) {
    it(`refuses ${name}`, () => assert.strictEqual(problemOf(members)[0], tag))
  }

  it("ignores members that it does not know", () => {
    assert.strictEqual(problemOf({ unknown: 1, experimental: { enableWebAuthn: true } })[0], "none")
  })

  it.gen("the layer fails with the first problem, or holds the settings", function* () {
    const failure = yield* Effect.flip(Layer.build(settingsLayer(given({ secret: "" }))))
    assert.strictEqual(failure._tag, "MissingSecret")
    const { basePath } = yield* Effect.provide(Settings, settingsLayer(options({ basePath: "/api/auth" })))
    assert.strictEqual(basePath, "/api/auth")
  })
})
