import { createActionURL as peerCreateActionURL, setEnvDefaults as peerSetEnvDefaults } from "@auth/core"
import PeerCredentials from "@auth/core/providers/credentials"
import PeerDiscord from "@auth/core/providers/discord"
import PeerGitHub from "@auth/core/providers/github"
import PeerGoogle from "@auth/core/providers/google"
import PeerHubSpot from "@auth/core/providers/hubspot"
import PeerKeycloak from "@auth/core/providers/keycloak"
import { assert, describe, it, vi } from "@effect/vitest"
import { createActionURL, setEnvDefaults } from "../../src/config/Environment.ts"
import type { EnvironmentConfig } from "../../src/config/Environment.ts"
import { hostPolicy } from "../../src/config/HostPolicy.ts"
import { warningText, warningTexts } from "../../src/internal/WarningTexts.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { Google } from "../../src/Provider/Google.ts"
import { MicrosoftEntraId } from "../../src/Provider/MicrosoftEntraId.ts"
import { isRedirectProvider } from "../../src/Provider/internal/Provider.ts"
import * as Registry from "../../src/Provider/internal/ReadProvider.ts"
import { Video } from "../../src/Provider/Video.ts"
import { providerOf } from "../Provider/Read.ts"

const sink = () => {
  const codes: Array<string> = []
  return { codes, logger: { warn: (code: string) => void codes.push(code), error() {}, debug() {} } }
}

const ours = (env: Record<string, unknown>, config: EnvironmentConfig = {}, suppress = false) => {
  const { codes, logger } = sink()
  const completed: EnvironmentConfig = { providers: [], logger, ...config }
  setEnvDefaults(env, completed, suppress)
  const { basePath, secret, trustHost, redirectProxyUrl } = completed
  return { basePath, secret, trustHost, redirectProxyUrl, codes }
}

const peers = (env: Record<string, unknown>, config: EnvironmentConfig = {}, suppress = false) => {
  const { codes, logger } = sink()
  // The peer's option types are its own; the members are the same.
  const completed = { providers: [], logger, ...config } as unknown as Parameters<typeof peerSetEnvDefaults>[1]
  peerSetEnvDefaults(env, completed, suppress)
  const { basePath, secret, trustHost, redirectProxyUrl } = completed
  return { basePath, secret, trustHost, redirectProxyUrl, codes }
}

describe("setEnvDefaults, as Auth.js", () => {
  const production = { NODE_ENV: "production" }
  const cases: ReadonlyArray<
    readonly [name: string, env: Record<string, string>, config?: EnvironmentConfig, suppress?: boolean]
  > = [
    ["nothing", {}],
    ["nothing in production", production],
    ["AUTH_URL with a path", { ...production, AUTH_URL: "https://x.com/api/auth" }],
    ["AUTH_URL without a path", { AUTH_URL: "https://x.com" }],
    ["AUTH_URL and basePath", { AUTH_URL: "https://x.com/api/auth" }, { basePath: "/api/auth" }],
    ["AUTH_URL and basePath, suppressed", { AUTH_URL: "https://x.com/api/auth" }, { basePath: "/auth" }, true],
    ["AUTH_URL that is no URL", { AUTH_URL: "nonsense" }],
    ["AUTH_SECRET", { AUTH_SECRET: "s" }],
    [
      "numbered secrets",
      { AUTH_SECRET: "s", AUTH_SECRET_1: "1", AUTH_SECRET_2: "2", AUTH_SECRET_3: "3", AUTH_SECRET_4: "4" }
    ],
    ["a gap in the numbers", { AUTH_SECRET: "s", AUTH_SECRET_3: "3" }],
    ["secret of the application", { AUTH_SECRET: "s" }, { secret: "own" }],
    ["empty secret of the application", { AUTH_SECRET: "s" }, { secret: "" }],
    ["empty list of secrets", { AUTH_SECRET: "s" }, { secret: [] }],
    ["AUTH_TRUST_HOST", { ...production, AUTH_TRUST_HOST: "true" }],
    ["AUTH_TRUST_HOST=1", { ...production, AUTH_TRUST_HOST: "1" }],
    ["VERCEL", { ...production, VERCEL: "1" }],
    ["CF_PAGES", { ...production, CF_PAGES: "1" }],
    ["trustHost of the application", { AUTH_URL: "https://x.com" }, { trustHost: false }],
    ["AUTH_REDIRECT_PROXY_URL", { AUTH_REDIRECT_PROXY_URL: "https://proxy.com/auth" }],
    [
      "redirectProxyUrl of the application",
      { AUTH_REDIRECT_PROXY_URL: "https://proxy.com" },
      { redirectProxyUrl: "https://own.com" }
    ]
  ]
  for (const [name, env, config, suppress] of cases) {
    it(name, () => assert.deepStrictEqual(ours(env, config, suppress), peers(env, config, suppress)))
  }
})

describe("setEnvDefaults, our rules", () => {
  for (const value of ["false", "0", "no", "off", "", "FALSE", " no "]) {
    it(`AUTH_TRUST_HOST=${JSON.stringify(value)} means no`, () => {
      assert.strictEqual(ours({ NODE_ENV: "development", AUTH_TRUST_HOST: value }).trustHost, false)
    })
  }
  it("AUTH_URL pins the origin and vouches for no host", () => {
    const pinned = (env: Record<string, string>, config: EnvironmentConfig = {}) => {
      setEnvDefaults({ AUTH_URL: "https://x.com:8443/auth", ...env }, config)
      return [config.origin, config.trustHost]
    }
    assert.deepStrictEqual(pinned({}), ["https://x.com:8443", true])
    assert.deepStrictEqual(pinned({ AUTH_TRUST_HOST: "false" }), ["https://x.com:8443", false])
    assert.deepStrictEqual(pinned({}, { origin: "https://own.com" }), ["https://own.com", true])
  })
  it("an empty AUTH_URL is as none", () => {
    assert.deepStrictEqual(ours({ AUTH_URL: "", NODE_ENV: "development" }), ours({ NODE_ENV: "development" }))
  })
  for (const AUTH_URL of [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "ftp://x.com/auth",
    "https://x.com*/a",
    "nonsense"
  ]) {
    it(`AUTH_URL=${AUTH_URL} names no site and trusts no host`, () => {
      const { basePath, trustHost } = ours({ AUTH_URL, NODE_ENV: "production" })
      assert.deepStrictEqual([basePath, trustHost], ["/auth", false])
    })
  }
  it("the trustHost that no variable states vouches for no host, and refuses none", () => {
    for (const env of [{}, { NODE_ENV: "production" }, { AUTH_URL: "nonsense" }]) {
      const config: EnvironmentConfig = {}
      setEnvDefaults(env, config)
      assert.strictEqual(hostPolicy({ ...config }).voucher, "nothing", JSON.stringify(env))
    }
    const config: EnvironmentConfig = {}
    setEnvDefaults({ NODE_ENV: "production" }, config)
    assert.strictEqual(hostPolicy({ ...config, trustHost: true }).voucher, "trustHost")
  })
  it("two paths that differ are a mismatch, and the text has both", () => {
    const told: Array<unknown> = []
    const logger = { warn: (...words: ReadonlyArray<unknown>) => void told.push(words) }
    setEnvDefaults({ AUTH_URL: "https://x.com/api/auth" }, { basePath: "/auth", logger })
    setEnvDefaults({ AUTH_URL: "https://x.com/auth/" }, { basePath: "/auth", logger })
    setEnvDefaults({ AUTH_URL: "https://x.com" }, { basePath: "/auth", logger })
    assert.deepStrictEqual(told, [
      [
        "env-url-basepath-mismatch",
        "AUTH_URL has the path /api/auth, and basePath is /auth: basePath is used. Write the same path into both, or remove basePath."
      ],
      ["env-url-basepath-redundant", warningText(warningTexts["env-url-basepath-redundant"])],
      ["env-url-basepath-redundant", warningText(warningTexts["env-url-basepath-redundant"])]
    ])
  })
  it("a warning without a logger is its code and its text", () => {
    const console_ = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    setEnvDefaults({ AUTH_URL: "https://x.com/api/auth" }, { basePath: "/auth" })
    const [line] = console_.mock.calls.map((words) => words.join(" "))
    console_.mockRestore()
    assert.match(line ?? "", /^\[auth\]\[warn\] \[env-url-basepath-mismatch\] AUTH_URL has the path \/api\/auth, /)
  })
  it("a trailing slash of AUTH_URL is no part of the base path", () => {
    assert.strictEqual(ours({ AUTH_URL: "https://x.com/base/" }).basePath, "/base")
  })
  it("a second call changes nothing and does not warn of what the first one set", () => {
    const { codes, logger } = sink()
    const env = {
      AUTH_URL: "https://x.com/a",
      AUTH_SECRET: "s",
      AUTH_GITHUB_ID: "id",
      AUTH_GOOGLE_ISSUER: "https://i.com"
    }
    const config: EnvironmentConfig = { providers: [GitHub, Google({}), Video], logger }
    setEnvDefaults(env, config)
    const { providers, secret } = config
    setEnvDefaults(env, config)
    assert.strictEqual(config.providers, providers)
    assert.strictEqual(config.secret, secret)
    assert.deepStrictEqual(codes, [])
  })
})

describe("setEnvDefaults, providers", () => {
  const env = {
    AUTH_GITHUB_ID: "gh",
    AUTH_GITHUB_SECRET: "ghs",
    AUTH_DISCORD_ID: "dc",
    AUTH_DISCORD_SECRET: "dcs",
    AUTH_KEYCLOAK_ID: "kc",
    AUTH_KEYCLOAK_SECRET: "kcs",
    AUTH_KEYCLOAK_ISSUER: "https://kc.com/realms/r",
    AUTH_GOOGLE_ID: "g",
    AUTH_GOOGLE_SECRET: "gs",
    AUTH_HUBSPOT_ID: "hs",
    AUTH_HUBSPOT_SECRET: "hss"
  }
  const effective = (provider: unknown) => {
    const read = providerOf(provider)
    return !isRedirectProvider(read) ? read.id : [read.id, read.clientId, read.issuer, read.authorization.url]
  }

  it("fills factories, prebuilt objects and plain objects as Auth.js does", () => {
    const list = () => [
      PeerGitHub,
      PeerDiscord({}),
      PeerKeycloak,
      PeerGoogle({ clientId: "own" }),
      PeerHubSpot,
      PeerCredentials({ authorize: () => null })
    ]
    const our: EnvironmentConfig = { providers: list() }
    setEnvDefaults(env, our)
    const their = { providers: list() as Array<unknown>, logger: sink().logger } as unknown as Parameters<
      typeof peerSetEnvDefaults
    >[1]
    peerSetEnvDefaults(env, their)
    assert.deepStrictEqual(our.providers?.map(effective), their.providers.map(effective))
    assert.deepStrictEqual(effective(our.providers?.[4])[1], "hs")
  })

  it("a factory is called once", () => {
    let calls = 0
    const factory = () => {
      calls++
      return GitHub({ clientSecret: "s" })
    }
    const config: EnvironmentConfig = { providers: [factory] }
    setEnvDefaults(env, config)
    setEnvDefaults(env, config)
    Registry.make(config.providers ?? []).get("github")
    assert.strictEqual(calls, 1)
  })

  it("a custom id has variables of its own, and those of its preset otherwise", () => {
    const config: EnvironmentConfig = { providers: [GitHub({ id: "work-hub" }), GitHub({ id: "home-hub" })] }
    setEnvDefaults({ ...env, AUTH_WORK_HUB_ID: "work" }, config)
    assert.deepStrictEqual(
      config.providers?.map((provider) => effective(provider).slice(0, 2)),
      [
        ["work-hub", "work"],
        ["home-hub", "gh"]
      ]
    )
  })

  it("the issuer of the environment wins over the default of a preset, not over the application's", () => {
    const variables = { ...env, AUTH_GOOGLE_ISSUER: "https://env.com" }
    const own = { id: "google", name: "G", type: "oidc", issuer: "https://own.com" }
    const config: EnvironmentConfig = {
      providers: [Google, Google({}), PeerGoogle({}), Google({ issuer: "https://own.com" }), own]
    }
    setEnvDefaults(variables, config)
    assert.deepStrictEqual(
      config.providers?.map((provider) => effective(provider)[2]),
      ["https://env.com", "https://env.com", "https://env.com", "https://own.com", "https://own.com"]
    )
  })

  it("without a variable the default issuer stays", () => {
    const config: EnvironmentConfig = { providers: [MicrosoftEntraId] }
    setEnvDefaults({ AUTH_MICROSOFT_ENTRA_ID_ID: "a", AUTH_MICROSOFT_ENTRA_ID_SECRET: "b" }, config)
    assert.strictEqual(effective(config.providers?.[0])[2], "https://login.microsoftonline.com/common/v2.0")
  })

  for (const [name, provider] of [
    ["bare", Video],
    ["prebuilt", Video({})],
    ["renamed", { ...Video({}), name: "Clips" }]
  ] as const) {
    it(`the video platform takes its addresses from the environment: ${name}`, () => {
      const config: EnvironmentConfig = { providers: [provider] }
      setEnvDefaults(
        {
          AUTH_VIDEO_ID: "key",
          AUTH_VIDEO_SECRET: "secret",
          AUTH_VIDEO_AUTH_URL: "https://www.video.example",
          AUTH_VIDEO_API_URL: "https://open.video.example/"
        },
        config
      )
      const read = providerOf(config.providers?.[0])
      assert(read._tag === "OAuth")
      assert.deepStrictEqual(
        [read.authorization.url, read.token.url, read.userinfo.url],
        [
          "https://www.video.example/v2/auth/authorize?client_key=key&scope=user.info.profile",
          "https://open.video.example/v2/oauth/token/",
          "https://open.video.example/v2/user/info/?fields=open_id,avatar_url,display_name,username"
        ]
      )
    })
  }

  it("leaves the objects of the application as they were", () => {
    const options = Object.freeze({ clientSecret: "s" })
    const provider = Object.freeze(GitHub(options))
    const config: EnvironmentConfig = { providers: Object.freeze([provider]) }
    setEnvDefaults(env, config)
    assert.strictEqual(provider.clientId, undefined)
    assert.deepStrictEqual(options, { clientSecret: "s" })
  })
})

describe("createActionURL", () => {
  it("takes the base path alone, as clients of earlier versions pass it, and no configuration at all", () => {
    const headers = new Headers({ host: "app.example" })
    for (const [given, expected] of [
      ["/api/auth", "https://app.example/api/auth/session"],
      [{ basePath: "/api/auth" }, "https://app.example/api/auth/session"],
      [undefined, "https://app.example/session"]
    ] as const)
      assert.strictEqual(createActionURL("session", "https", headers, {}, given).href, expected)
    const env = { AUTH_URL: "https://site.example/base" }
    assert.strictEqual(
      createActionURL("session", "https", headers, env, "/base").href,
      "https://site.example/base/session"
    )
  })

  const both = (
    env: Record<string, string>,
    basePath: string | undefined,
    headers: Record<string, string>,
    protocol = "https"
  ) => {
    const our = sink()
    const their = sink()
    const url = createActionURL("session", protocol, new Headers(headers), env, { basePath, logger: our.logger })
    const peer = peerCreateActionURL("session", protocol, new Headers(headers), env, {
      ...(basePath === undefined ? {} : { basePath }),
      logger: their.logger
    })
    return [
      [url.href, our.codes],
      [peer.href, their.codes]
    ] as const
  }
  const table: ReadonlyArray<
    readonly [url: string | undefined, basePath: string | undefined, expected: string, warnings: number]
  > = [
    ["https://x.com", "/api/auth", "https://x.com/api/auth/session", 0],
    ["https://x.com/api/auth", undefined, "https://x.com/api/auth/session", 0],
    ["https://x.com/api/auth", "/api/auth", "https://x.com/api/auth/session", 0],
    ["https://x.com/other", "/api/auth", "https://x.com/api/auth/session", 1],
    ["https://x.com/base/", undefined, "https://x.com/base/session", 0],
    [undefined, "/auth", "https://h.com/auth/session", 0]
  ]
  for (const [AUTH_URL, basePath, expected, warnings] of table) {
    it(`${AUTH_URL} and ${basePath}, as Auth.js`, () => {
      const [our, their] = both(AUTH_URL === undefined ? {} : { AUTH_URL }, basePath, { host: "h.com" })
      assert.deepStrictEqual(our, their)
      assert.deepStrictEqual([our[0], our[1].length], [expected, warnings])
    })
  }
  it("forwarded headers win over host and protocol, as Auth.js", () => {
    const [our, their] = both({}, "/auth", {
      host: "h.com",
      "x-forwarded-host": "f.com:8443",
      "x-forwarded-proto": "http"
    })
    assert.deepStrictEqual(our, their)
    assert.strictEqual(our[0], "http://f.com:8443/auth/session")
  })
  it("NEXTAUTH_URL is used when AUTH_URL is absent, as Auth.js", () => {
    const [our, their] = both({ NEXTAUTH_URL: "https://n.com/api/auth" }, undefined, {})
    assert.deepStrictEqual(our, their)
  })

  const url = (headers: Record<string, string>, env = {}, basePath: string | undefined = "/auth", protocol = "https") =>
    createActionURL("session", protocol, new Headers(headers), env, { basePath }).href

  it("a list of forwarded values: the first valid one counts", () => {
    assert.strictEqual(
      url({ "x-forwarded-host": "a b, good.com, other.com", "x-forwarded-proto": "ws, https,http", host: "h.com" }),
      "https://good.com/auth/session"
    )
  })
  for (const host of ["evil.com/path", "user@evil.com", "evil.com?x", "evil.com#x", "a\tb", ".", "-", "h:99999", ""]) {
    it(`the forwarded host ${JSON.stringify(host)} is passed over`, () => {
      assert.strictEqual(url({ "x-forwarded-host": host, host: "h.com" }), "https://h.com/auth/session")
    })
  }
  it("the origin of the configuration wins, and trustedHosts passes other hosts over", () => {
    const of = (headers: Record<string, string>, config: object) =>
      createActionURL("session", "https", new Headers(headers), { NEXTAUTH_URL: "" }, { basePath: "/auth", ...config })
        .href
    const forwarded = { "x-forwarded-host": "evil.com", host: "a.h.com" }
    assert.strictEqual(of(forwarded, { origin: "http://own.com:81" }), "http://own.com:81/auth/session")
    assert.strictEqual(of(forwarded, { trustedHosts: ["*.h.com"] }), "https://a.h.com/auth/session")
    assert.strictEqual(
      typeOf(() => of(forwarded, { trustedHosts: ["h.com"] })),
      "UntrustedHost"
    )
  })
  for (const protocol of ["javascript", "file:", "", "httpsx"]) {
    it(`the protocol ${JSON.stringify(protocol)} is passed over`, () => {
      assert.strictEqual(url({ host: "h.com" }, {}, "/auth", protocol), "https://h.com/auth/session")
    })
  }
  it("accepts an IPv6 literal with a port", () => {
    assert.strictEqual(url({ host: "[::1]:3000" }, {}, "/auth", "http:"), "http://[::1]:3000/auth/session")
  })
  it("a base path of / gives one slash", () =>
    assert.strictEqual(url({ host: "h.com" }, {}, "/"), "https://h.com/session"))
  it("query, fragment and user information of AUTH_URL do not reach the address", () => {
    assert.strictEqual(url({}, { AUTH_URL: "https://u:p@x.com/auth?q#f" }), "https://x.com/auth/session")
  })
  const typeOf = (thunk: () => unknown): unknown => {
    try {
      thunk()
      return undefined
    } catch (error) {
      return error instanceof Error && "type" in error ? error.type : error
    }
  }
  it("without any host it fails and names no host", () =>
    assert.strictEqual(
      typeOf(() => url({})),
      "UntrustedHost"
    ))
  it("AUTH_URL must be http or https", () => {
    assert.strictEqual(
      typeOf(() => url({ host: "h.com" }, { AUTH_URL: "javascript:alert(1)" })),
      "InvalidConfiguration"
    )
  })
})
