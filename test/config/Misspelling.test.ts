import { forgetAll } from "../../src/internal/OncePerProcess.ts"
import { assert, describe, it, vi } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import { Doorman } from "../../src/Doorman.ts"
import type { Options } from "../../src/config/Settings.ts"
import { findMisspellings } from "../../src/config/ReadOptions.ts"
import { acme, facade, listener, options, password, site, visitor } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

const fieldsOf = (given: object) => findMisspellings(given).problems.map(({ error }) => error.field)

/** Applications may be written without types. */
const given = (members: object): Options => ({ ...options(), ...members })

const misspelt: ReadonlyArray<readonly [given: object, field: string, intended: string]> = [
  [{ adaptor: {} }, "adaptor", "adapter"],
  [{ basepath: "/x" }, "basepath", "basePath"],
  [{ provider: [] }, "provider", "providers"],
  [{ secrets: "x" }, "secrets", "secret"],
  [{ trusthost: true }, "trusthost", "trustHost"],
  [{ callback: {} }, "callback", "callbacks"],
  [{ skipcsrfcheck: true }, "skipcsrfcheck", "skipCSRFCheck"],
  [{ jwts: {} }, "jwts", "jwt"],
  [{ callbacks: { sigIn: () => true } }, "callbacks.sigIn", "callbacks.signIn"],
  [{ callbacks: { singIn: () => true } }, "callbacks.singIn", "callbacks.signIn"],
  [{ callbacks: { authorised: () => true } }, "callbacks.authorised", "callbacks.authorized"],
  [{ callbacks: { sesion: () => ({}) } }, "callbacks.sesion", "callbacks.session"],
  [{ session: { maxage: 1 } }, "session.maxage", "session.maxAge"],
  [{ session: { stratgy: "jwt" } }, "session.stratgy", "session.strategy"],
  [{ jwt: { secrets: "x" } }, "jwt.secrets", "jwt.secret"],
  [{ pages: { signin: "/x" } }, "pages.signin", "pages.signIn"],
  [{ pages: { errors: "/x" } }, "pages.errors", "pages.error"],
  [{ events: { signout: () => undefined } }, "events.signout", "events.signOut"],
  [{ theme: { brandColour: "red" } }, "theme.brandColour", "theme.brandColor"],
  [{ cookies: { sesionToken: {} } }, "cookies.sesionToken", "cookies.sessionToken"],
  [{ cookies: { state: { option: {} } } }, "cookies.state.option", "cookies.state.options"],
  [
    { cookies: { state: { options: { samesite: "lax" } } } },
    "cookies.state.options.samesite",
    "cookies.state.options.sameSite"
  ],
  [{ experimental: { enableWebauthn: true } }, "experimental.enableWebauthn", "experimental.enableWebAuthn"],
  [{ providers: [acme({ clientID: "x" })] }, "providers.acme.clientID", "providers.acme.clientId"],
  [{ providers: [{ id: "x", options: { client_id: "x" } }] }, "providers.x.client_id", "providers.x.clientId"]
]

describe("a name that is one or two letters away from an option", () => {
  for (const [change, field, intended] of misspelt) {
    it(`is a misspelling: ${field}`, async () => {
      assert.deepStrictEqual(fieldsOf(change), [field])
      const { logger, told } = listener()
      const session = await facade(given({ ...change, logger }))(new Request(`${site}/auth/session`))
      assert.strictEqual(session.status, 500, "refused where this is developed")
      const [error] = told.errors
      assert.include(error?.message, field)
      assert.include(error?.message, intended)
    })
  }
  it("is an error in the log of production, once, and stops nothing", async () => {
    vi.stubEnv("NODE_ENV", "production")
    try {
      for (const [change, field] of misspelt) {
        const { logger, told } = listener()
        // Providers without their client id are told of besides.
        const at = visitor(facade(given({ ...change, logger })))
        assert.strictEqual((await at.get("/auth/session")).status, 200, field)
        await at.get("/auth/session")
        assert.lengthOf(
          told.errors.filter((error) => Reflect.get(error, "field") === field),
          1
        )
      }
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe("without NODE_ENV", () => {
  it("the public origin says whether it is production, else the address of the request", async () => {
    for (const [authUrl, statuses] of [
      [undefined, [500, 200]],
      [`${site}/auth`, [200, 200]],
      ["http://localhost:3000/auth", [500, 500]]
    ] as const) {
      vi.stubEnv("NODE_ENV", "")
      vi.stubEnv("AUTH_URL", authUrl)
      forgetAll()
      try {
        const { logger, told } = listener()
        const ask = facade(given({ adaptor: {}, logger }))
        for (const [at, origin] of ["http://localhost:3000", site].entries())
          assert.strictEqual((await ask(new Request(`${origin}/auth/session`))).status, statuses[at], origin)
        assert.include(told.errors[0]?.message, "adaptor")
      } finally {
        vi.unstubAllEnvs()
      }
    }
  })
})

describe("a misspelt callback that keeps people out", () => {
  for (const name of ["sigIn", "signin", "singIn", "onSignIn", "authorised", "autorized"]) {
    it(`refuses every sign-in in production: ${name}`, async () => {
      vi.stubEnv("NODE_ENV", "production")
      try {
        const browser = visitor(facade(given({ callbacks: { [name]: () => false } })))
        const signedIn = await browser.submit("/auth/callback/credentials", { username: "ann", password: "pw" })
        assert.strictEqual(new URL(signedIn.headers.get("location") ?? "").searchParams.get("error"), "Configuration")
        const started = await browser.submit("/auth/signin/acme")
        assert.strictEqual(new URL(started.headers.get("location") ?? "").pathname, "/auth/error")
        assert.isNull(await browser.session())
        const providers = await (await browser.get("/auth/providers")).json()
        assert.deepStrictEqual(Object.keys(Object(providers)), ["credentials", "acme"])
      } finally {
        vi.unstubAllEnvs()
      }
    })
  }
  class Misspelt {
    singIn() {
      return false
    }
    jwt({ token }: { token: object }) {
      return token
    }
  }
  const unguarded: ReadonlyArray<readonly [name: string, members: object, field: string]> = [
    ["signIn is undefined", { callbacks: { signIn: undefined } }, "callbacks.signIn"],
    ["signIn is null", { callbacks: { signIn: null } }, "callbacks.signIn"],
    ["a method of a class is misspelt", { callbacks: new Misspelt() }, "callbacks.singIn"],
    ...["callback", "calbacks", "Callbacks", "callBacks"].flatMap((group) =>
      ["signIn", "authorized", "singIn"].map(
        (name) => [`${group}.${name}`, { [group]: { [name]: () => false } }, group] as const
      )
    ),
    ["a class in a misspelt group", { callback: new Misspelt() }, "callback"]
  ]
  for (const [name, members, field] of unguarded) {
    it(`refuses every sign-in in production: ${name}`, async () => {
      vi.stubEnv("NODE_ENV", "production")
      try {
        const { logger, told } = listener()
        const browser = visitor(facade(given({ ...members, logger })))
        const signedIn = await browser.submit("/auth/callback/credentials", { username: "ann", password: "pw" })
        assert.strictEqual(new URL(signedIn.headers.get("location") ?? "").searchParams.get("error"), "Configuration")
        assert.isNull(await browser.session())
        const lines = told.errors.filter(
          (error) => Reflect.get(error, "field") === field && /is refused/.test(error.message)
        )
        assert.isAtLeast(lines.length, 1)
      } finally {
        vi.unstubAllEnvs()
      }
    })
  }
  it("lets people in where a misspelt group holds none", async () => {
    vi.stubEnv("NODE_ENV", "production")
    try {
      const browser = visitor(facade(given({ callback: { jwt: () => null } })))
      await browser.submit("/auth/callback/credentials", { username: "ann", password: "pw" })
      assert.isNotNull(await browser.session())
    } finally {
      vi.unstubAllEnvs()
    }
  })
  it("refuses them although the right one is there as well", async () => {
    vi.stubEnv("NODE_ENV", "production")
    try {
      const browser = visitor(facade(given({ callbacks: { signIn: () => true, sigIn: () => false } })))
      await browser.submit("/auth/callback/credentials", { username: "ann", password: "pw" })
      assert.isNull(await browser.session())
    } finally {
      vi.unstubAllEnvs()
    }
  })
  it.gen("fails a layer too, whose callbacks are Effects", function* () {
    const untyped = (callbacks: object): {} => callbacks
    const layer = Doorman.layer(forLayer({ ...options(), callbacks: untyped({ sigIn: () => Effect.succeed(false) }) }))
    const client = Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make(() => Effect.die("nothing is fetched"))
    )
    const failure = yield* Effect.flip(Effect.scoped(Layer.build(Layer.provide(layer, client))))
    assert.strictEqual(failure.field, "callbacks.sigIn")
  })
})

describe("a misspelt member by which a provider keeps people out", () => {
  const guards = [
    "normalizeIdentifer",
    "normaliseIdentifier",
    "authorise",
    "authorized",
    "profil",
    "sendVerificationRequests"
  ]
  const refuse = () => null
  for (const name of guards)
    for (const [place, provider] of [
      ["the provider", { ...acme(), [name]: refuse }],
      ["its options", { ...acme(), options: { [name]: refuse } }],
      ["what a factory answers", () => ({ ...acme(), [name]: refuse })]
    ] as const) {
      it(`disables that provider alone: ${name} on ${place}`, async () => {
        vi.stubEnv("NODE_ENV", "production")
        try {
          const { logger, told } = listener()
          const browser = visitor(facade(given({ providers: [provider, password()], logger })))
          const started = await browser.submit("/auth/signin/acme")
          assert.strictEqual(new URL(started.headers.get("location") ?? "").pathname, "/auth/error")
          await browser.submit("/auth/callback/credentials", { username: "ann", password: "pw" })
          assert.isNotNull(await browser.session())
          const lines = told.errors.filter((error) => Reflect.get(error, "field") === `providers.acme.${name}`)
          assert.include(lines[0]?.message, "the provider is disabled")
        } finally {
          vi.unstubAllEnvs()
        }
      })
    }
  it("is reported once, at any place", () => {
    const provider = { ...acme(), profil: refuse, options: { profil: refuse } }
    assert.deepStrictEqual(fieldsOf({ providers: [provider] }), ["providers.acme.profil"])
  })
})

describe("a name of its own", () => {
  const own: ReadonlyArray<object> = [
    // Members that framework packages take beside ours.
    {
      prefix: "/api/auth",
      enableEmail: true,
      site: "x",
      url: "x",
      js: 1,
      db: 1,
      log: 1,
      logging: {},
      env: {},
      database: {}
    },
    { callbacks: { authorized: () => true, jwt: () => null, signOut: () => undefined } },
    { pages: { signUp: "/x", signup: "/x", register: "/x", login: "/x", home: "/", verify: "/x" } },
    { events: { signUp: () => undefined, unlinkAccount: () => undefined, deleteUser: () => undefined } },
    { session: { jwt: true, cookie: {}, store: {} } },
    { jwt: { alg: "x", encryption: true, signingKey: "x" } },
    { theme: { dark: true, mode: "dark", font: "x" } },
    { logger: { errors: 1, wran: 1 } },
    { adaptor: undefined, callbacks: { sigIn: undefined } },
    Object.create({ adaptor: {} }) as object,
    { providers: [acme({ service: "gmail", scope: "x", url: "x", users: [], form: {}, tenantId: "x", realm: "x" })] },
    { providers: [password(), () => acme(), null, 1, "x"] },
    { callbacks: [() => true], session: null, jwt: 1, pages: "x" }
  ]
  for (const members of own) {
    it(`passes: ${Object.keys(members).join()} ${JSON.stringify(members).slice(0, 60)}`, () =>
      assert.deepStrictEqual(fieldsOf(members), []))
  }
  it("passes in every preset of ours and in every provider of Auth.js", async () => {
    const folder = dirname(createRequire(import.meta.url).resolve("@auth/core/providers/github"))
    const theirs = readdirSync(folder).filter(
      (file) => file.endsWith(".js") && !/nodemailer|email\.js|index|oauth/.test(file)
    )
    const ours = readdirSync(new URL("../../src/compat/providers/", import.meta.url))
    assert.isAtLeast(theirs.length, 90)
    const names = [
      ...theirs.map((file) => `@auth/core/providers/${file.slice(0, -3)}`),
      ...ours.map((file) => new URL(`../../src/compat/providers/${file}`, import.meta.url).href)
    ]
    for (const name of names) {
      const factory: unknown = Reflect.get(Object(await import(name)), "default")
      if (typeof factory !== "function") continue
      const base = {
        clientId: "x",
        clientSecret: "x",
        issuer: "https://x.example",
        apiKey: "x",
        baseUrl: "https://x.example"
      }
      const provider: unknown = factory({
        ...base,
        prompt: 1,
        scope: "x",
        tenantId: "x",
        accountID: "x",
        redirectUri: "x",
        server: "smtp://x",
        from: "a@b.example"
      })
      assert.deepStrictEqual(fieldsOf({ providers: [provider] }), [], name)
      assert.deepStrictEqual(fieldsOf({ providers: [{ ...Object(provider), options: undefined }] }), [], name)
    }
  })
})
