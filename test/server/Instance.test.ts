import { assert, describe, it, vi } from "@effect/vitest"
import type { Options } from "../../src/config/Settings.ts"
import { Auth, customFetch, raw, skipCSRFCheck } from "../../src/index.ts"
import * as Instance from "../../src/server/Instance.ts"
import { forFunctions } from "../ForFunctions.ts"
import { facade, listener, options, otherSecret, password, secret, site, visitor } from "../Visitor.ts"

describe("Instance", () => {
  it("is made once for a configuration object, and anew when a member changes", () => {
    const config = options()
    const first = Instance.of(config)
    assert.strictEqual(Instance.of(config), first)
    config.basePath = "/api/auth"
    const second = Instance.of(config)
    assert.notStrictEqual(second, first)
    assert.strictEqual(Instance.of(config), second)
    const providers = [password()]
    config.providers = providers
    const third = Instance.of(config)
    assert.notStrictEqual(third, second)
    providers.push(password(undefined, { id: "second" }))
    assert.notStrictEqual(Instance.of(config), third, "a list that grew is another")
    assert.notStrictEqual(Instance.of({ ...config }), Instance.of(config))
  })

  it("is kept for a configuration object of any kind, which shows nothing of it", () => {
    const config = options()
    const names = Reflect.ownKeys(config)
    const kinds = [config, Object.freeze(options()), Object.seal(options()), new Proxy(options(), {})]
    const instances = kinds.map((one) => Instance.of(one))
    assert.deepStrictEqual(
      kinds.map((one) => Instance.of(one)),
      instances
    )
    assert.strictEqual(new Set(instances).size, kinds.length)
    assert.deepStrictEqual(Reflect.ownKeys(config), names)
    assert.notStrictEqual(Instance.of({ ...config }), instances[0], "a copy has an instance of its own")
  })

  it("follows a configuration object that is changed between requests", async () => {
    const config = options()
    const person = visitor(facade(config))
    await person.signIn()
    assert.isNotNull(await person.session())
    config.secret = [otherSecret, secret]
    assert.isNotNull(await person.session(), "rotated: the old secret still opens")
    config.secret = otherSecret
    assert.isNotNull(await person.session(), "the reading before sealed it anew")
    config.callbacks = { session: ({ session }) => ({ ...session, tenant: "x" }) }
    assert.strictEqual(Reflect.get(Object(await person.session()), "tenant"), "x")
  })

  it("does not mind whether raw is set on the same object", async () => {
    const config = options()
    const instance = Instance.of(config)
    const answer = await Auth(new Request(`${site}/auth/session`), { ...forFunctions({ ...config }), raw })
    assert.isNull(answer.body)
    Object.assign(config, { raw })
    assert.strictEqual(Instance.of(config), instance)
  })

  it("H287 is independent of the others in the process", async () => {
    const one = visitor(facade(options()))
    const other = visitor(facade(options({ secret: otherSecret, basePath: "/x" })), site, "/x")
    await one.signIn("ann")
    await other.signIn("bob")
    assert.strictEqual((await one.session())?.user?.["name"], "ann")
    assert.strictEqual((await other.session())?.user?.["name"], "bob")
    other.cookies.set("__Secure-authjs.session-token", one.cookies.get("__Secure-authjs.session-token") ?? "")
    assert.isNull(await other.session())
  })

  it("keeps answering with the problem of a configuration that cannot work, and recovers with it", async () => {
    const { logger, told } = listener()
    const config = options({ logger, secret: "" })
    const answer = await Auth(new Request(`${site}/auth/session`), forFunctions(config))
    assert.strictEqual(answer.status, 500)
    assert.strictEqual(told.errors.length, 1)
    assert.strictEqual(told.errors[0]?.name, "MissingSecret")
    config.secret = secret
    assert.strictEqual((await Auth(new Request(`${site}/auth/session`), forFunctions(config))).status, 200)
  })

  it("a configuration that is refused never answers a session, for any Accept header", async () => {
    const refused = options({ secret: "" })
    const misplaced = options({ basePath: "/misplaced" })
    const accepted = [
      "*/*",
      "text/html",
      "application/json",
      "application/problem+json",
      "application/problem+json;q=1"
    ]
    for (const accept of accepted) {
      const bodyOf = async (config: Options, action: string) => {
        const answer = await Auth(new Request(`${site}/auth/${action}`, { headers: { accept } }), forFunctions(config))
        assert.isFalse(answer.ok)
        return answer.text()
      }
      const bodies = await Promise.all(["session", "providers", "csrf"].map((action) => bodyOf(refused, action)))
      assert.deepStrictEqual(bodies, ["null", "{}", ""], accept)
      assert.strictEqual(await bodyOf(misplaced, "session"), "null", accept)
    }
  })

  it("warns once, also where every request brings a configuration of its own", async () => {
    const { logger, told } = listener()
    const configure = () => options({ logger: { ...logger }, debug: true, secret: `once ${secret}` })
    for (let requests = 0; requests < 3; requests++)
      await Auth(new Request(`${site}/auth/session`), forFunctions(configure()))
    const config = configure()
    for (let requests = 0; requests < 3; requests++)
      await Auth(new Request(`${site}/auth/session`), forFunctions(config))
    assert.deepStrictEqual(told.warnings, ["debug-enabled"])
    await Auth(new Request(`${site}/auth/session`), forFunctions({ ...configure(), secret: `other ${secret}` }))
    assert.deepStrictEqual(told.warnings, ["debug-enabled", "debug-enabled"], "another configuration is another")
  })

  it.each(["development", undefined])(
    "tells each problem once, also where every request brings a configuration of its own (NODE_ENV %s)",
    async (environment) => {
      vi.stubEnv("NODE_ENV", environment)
      vi.stubEnv("AUTH_URL", "http://localhost:3000/auth")
      const { logger, told } = listener()
      const configure = () =>
        options({
          logger: { ...logger },
          secret: [`short ${environment ?? "unset"}`, "shorter"],
          retiredSecrets: [{ secret: "shortest", until: new Date(Date.now() + 3_600_000) }],
          pages: { signIn: "login" },
          theme: { brandColor: ";" },
          providers: [password(), password(undefined, { id: "other", authorize: undefined })]
        })
      for (const local of ["http://localhost:3000", "https://localhost:3000", "http://127.0.0.1:3000"])
        for (const path of ["session", "csrf", "providers"]) {
          const answer = await Auth(new Request(`${local}/auth/${path}`), forFunctions(configure()))
          assert.strictEqual(answer.status, 200, `${local} ${path}`)
        }
      const warnings = told.advice.map((text) => text.match(/secret\[1\]|secret|retiredSecrets|theme/)?.[0])
      vi.unstubAllEnvs()
      assert.deepStrictEqual(new Set(warnings), new Set(["retiredSecrets", "secret", "secret[1]", "theme"]))
      assert.lengthOf(warnings, 4)
      assert.deepStrictEqual(told.errors.map(({ name }) => name).toSorted(), [
        "InvalidConfiguration",
        "MissingAuthorize"
      ])
    }
  )

  it("says once that requests do not begin with the base path, and names both", async () => {
    const { logger, told } = listener()
    const configure = () => options({ logger: { ...logger }, basePath: "/accounts" })
    for (const path of ["/api/auth/session", "/api/auth/csrf", "/accountsx/session", "/"]) {
      const response = await Auth(new Request(`${site}${path}`), forFunctions(configure()))
      assert.isFalse(response.ok)
    }
    await Auth(new Request(`${site}/accounts/nope`), forFunctions(configure()))
    const lines = told.errors.filter(({ message }) => message.includes("basePath"))
    assert.lengthOf(lines, 1)
    assert.include(lines[0]?.message, "/api/auth/session")
    assert.include(lines[0]?.message, "/accounts")
  })

  it("answers a hundred requests at once", async () => {
    const config = options()
    const people = Array.from({ length: 100 }, () => visitor(facade(config)))
    await Promise.all(people.map((person, index) => person.signIn(`person ${index}`)))
    const sessions = await Promise.all(people.map((person) => person.session()))
    assert.deepStrictEqual(
      sessions.map((session) => session?.user?.["name"]),
      people.map((_, index) => `person ${index}`)
    )
  })
})

describe("arguments that plain JavaScript passes", () => {
  // This test passes values that the types forbid.
  const call = Auth as (...args: ReadonlyArray<unknown>) => Promise<Response>

  const notRequests: ReadonlyArray<readonly [unknown, string]> = [
    [undefined, "undefined"],
    [null, "null"],
    [`${site}/auth/session`, "a string"],
    [new URL(`${site}/auth/session`), "class URL"],
    [{ url: "/auth/session", method: "GET", headers: {} }, "class Object"],
    [{ url: "/auth/session", method: "GET", headers: new Headers() }, "class Object"],
    [() => undefined, "a function"]
  ]
  for (const [request, kind] of notRequests) {
    it(`no Request but ${kind}: one line says so, and every visitor is signed out`, async () => {
      const { logger, told } = listener()
      const response = await call(request, options({ logger }))
      assert.deepStrictEqual([response.status, await response.json()], [400, null])
      assert.lengthOf(told.errors, 1)
      assert.match(told.errors[0]?.message ?? "", /Request with an absolute URL/)
      assert.include(told.errors[0]?.message, kind)
    })
  }

  const notConfigs: ReadonlyArray<readonly [unknown, string]> = [
    [undefined, "undefined"],
    [null, "null"],
    ["config", "a string"],
    [() => options(), "a function"],
    [Promise.resolve(options()), "class Promise"],
    [[], "class Array"]
  ]
  for (const [config, kind] of notConfigs) {
    it(`no configuration but ${kind}: one line says so, and every visitor is signed out`, async () => {
      const lines: Array<string> = []
      const log = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)))
      const request = new Request(`${site}/api/auth/session`)
      const response = await (config === undefined ? call(request) : call(request, config))
      log.mockRestore()
      assert.deepStrictEqual([response.status, await response.json()], [500, null])
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "configuration as its second argument")
      assert.include(lines[0], kind)
    })
  }

  it("a request of another implementation of the Fetch standard is one", async () => {
    const { headers, method, url } = new Request(`${site}/auth/session`)
    const response = await call({ headers, method, url, body: null, bodyUsed: false }, options())
    assert.deepStrictEqual([response.status, await response.json()], [200, null])
  })
})

describe("a configuration that is made for every request", () => {
  it("keeps what a function of the provider fetched, for this function, secret and base path alone", async () => {
    const asked: Array<string> = []
    const issuer = "https://dynamic.example"
    const discovery =
      (round: string): typeof fetch =>
      (url) => {
        asked.push(`${round} ${String(url instanceof Request ? url.url : url)}`)
        const endpoints = { authorization_endpoint: `${issuer}/${round}`, token_endpoint: `${issuer}/t` }
        return Promise.resolve(Response.json({ issuer, ...endpoints, jwks_uri: `${issuer}/k` }))
      }
    const configure = (fetch: typeof globalThis.fetch) =>
      options({
        skipCSRFCheck,
        providers: [
          {
            id: "dynamic",
            name: "Dynamic",
            type: "oidc",
            issuer,
            clientId: "client",
            clientSecret: "client-secret-0123456789-abcdefghijk",
            [customFetch]: fetch
          }
        ]
      })
    const begin = async (fetch: typeof globalThis.fetch) => {
      const sent = await visitor(facade(configure(fetch))).post("/auth/signin/dynamic", {})
      return new URL(sent.headers.get("location") ?? "").pathname
    }
    const once = discovery("once")
    for (let round = 0; round < 5; round++) assert.strictEqual(await begin(once), "/once")
    assert.deepStrictEqual(asked, [`once ${issuer}/.well-known/openid-configuration`])
    await visitor(facade({ ...configure(once), secret: otherSecret })).post("/auth/signin/dynamic", {})
    assert.lengthOf(asked, 2, "another secret is another configuration")
    const path = "/other/auth"
    await visitor(facade({ ...configure(once), basePath: path }), site, path).post(`${path}/signin/dynamic`, {})
    assert.lengthOf(asked, 3, "another base path is another site")
    const anew = ["first", "second"]
    for (const round of anew)
      assert.strictEqual(await begin(discovery(round)), `/${round}`, "with the same source text")
    assert.lengthOf(asked, 5, "another function is asked itself")
  })

  it("keeps counting attempts at an account, by provider and secret", async () => {
    const wrong = { username: "carol", password: "no" }
    const attempt = async (key: string, id = "credentials") => {
      const config = options({ secret: key, skipCSRFCheck, providers: [password(() => null, { id })] })
      const answer = await visitor(facade(config)).post(`/auth/callback/${id}`, wrong)
      return new URL(answer.headers.get("location") ?? "").searchParams.get("code")
    }
    const key = `counted ${secret}`
    const codes: Array<unknown> = []
    for (let count = 0; count < 12; count++) codes.push(await attempt(key))
    assert.deepStrictEqual(codes.slice(-1), ["throttled"])
    assert.strictEqual(await attempt(`other ${secret}`), "credentials")
    assert.strictEqual(await attempt(key, "second"), "credentials")
  })
})

describe("Instance.deliver", () => {
  const request = (headers: Record<string, string> = {}) => new Request(`${site}/auth/signin`, { headers })

  const answered: Instance.Answered = {
    response: { headers: {}, cookies: [], redirect: `${site}/x` },
    failure: undefined,
    final: false
  }

  it("gives a Response, or plain data in raw mode", () => {
    const response = Instance.deliver(answered, request(), options())
    assert.instanceOf(response, Response)
    assert.deepStrictEqual(Instance.deliver(answered, request(), options({ raw })), {
      headers: {},
      cookies: [],
      redirect: `${site}/x`
    })
  })

  it("gives a body of the caller's own in raw mode, and that of the application as it is", () => {
    const bodyOf = (response: object) =>
      Object(
        Instance.deliver(
          { ...answered, response: { headers: {}, cookies: [], ...response } },
          request(),
          options({ raw })
        )
      ).body
    const shared = { body: { one: { id: "one" } }, isShared: true }
    bodyOf(shared).one.id += " changed"
    assert.deepStrictEqual(bodyOf(shared), { one: { id: "one" } })
    const body = Object.freeze({ user: { name: "Ann" }, isAllowed: () => true })
    assert.strictEqual(bodyOf({ body }), body)
  })

  it("gives a list of providers that the caller may change", async () => {
    const config = options()
    const list = async () =>
      Object(await Auth(new Request(`${site}/auth/providers`), { ...forFunctions({ ...config }), raw })).body
    const first = await list()
    const { name } = first.credentials
    first.credentials.name = "changed"
    assert.strictEqual((await list()).credentials.name, name)
  })

  it("gives cookies with the members that they have in Auth.js", () => {
    const cookie = { name: "a", value: "b", options: { path: "/" } }
    const response = { ...answered.response, cookies: [cookie] }
    const plain = Instance.deliver({ ...answered, response }, request(), options({ raw }))
    const web = Instance.deliver(
      { ...answered, response },
      request({ "x-auth-return-redirect": "1" }),
      options({ raw })
    )
    assert.deepStrictEqual([Object(plain).cookies, Object(web).cookies], [[cookie], [cookie]])
  })

  it("gives what could not even be read as a Response, in raw mode too", () => {
    assert.instanceOf(Instance.deliver({ ...answered, final: true }, request(), options({ raw })), Response)
  })

  it("gives redirects as JSON to clients that ask for it", async () => {
    const response = Instance.deliver(answered, request({ "x-auth-return-redirect": "1" }), options())
    assert.instanceOf(response, Response)
    if (response instanceof Response) assert.deepStrictEqual(await response.json(), { url: `${site}/x` })
  })
})
