import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { check, policy } from "../../src/http/Cookie.ts"
import { against, issuing, json, oidc, scripted, sign, signIn } from "../oauth/ScriptedProvider.ts"
import { Auth, customFetch, encode } from "../../src/index.ts"
import { forFunctions } from "../ForFunctions.ts"
import {
  acme,
  cookieOf,
  facade,
  form,
  layer,
  listener,
  locationOf,
  network,
  options,
  password,
  program,
  secret,
  site,
  visitor
} from "../Visitor.ts"

const sessionCookie = async (claims: Record<string, unknown> = { sub: "1", name: "Ann" }) =>
  `__Secure-authjs.session-token=${await encode({ token: claims, secret, salt: "__Secure-authjs.session-token" })}`

/** `GET session` of somebody who is signed in, and what the log was told. */
const read = async (more: Parameters<typeof options>[0], cookie?: string) => {
  const { logger, told } = listener()
  const request = new Request(`${site}/auth/session`, { headers: { cookie: cookie ?? (await sessionCookie()) } })
  const response = await Auth(request, forFunctions(options({ logger, ...more })))
  return {
    status: response.status,
    body: await response.text(),
    cookies: response.headers.getSetCookie(),
    types: told.errors.map((error): unknown => Reflect.get(error, "type"))
  }
}

describe("answers of the application", () => {
  it("a thenable that works anew whenever it is asked is asked once", async () => {
    let runs = 0
    const query = {
      // oxlint-disable-next-line unicorn/no-thenable
      then: (resolve: (user: object) => void, reject: (cause: Error) => void) => {
        if (++runs > 1) reject(new Error("this query was executed already"))
        else setImmediate(() => resolve({ id: "7", name: "Ann" }))
      }
    }
    const browser = visitor(facade(options({ providers: [password(() => query)] })))
    assert.strictEqual((await browser.signIn()).status, 302)
    assert.strictEqual((await browser.session())?.user?.["name"], "Ann")
    assert.strictEqual(runs, 1)
  })

  it("H187 a user with accessors keeps name and email, for any kind of id", async () => {
    class Person {
      readonly #name: string
      readonly #id: unknown
      constructor(name: string, id: unknown) {
        this.#name = name
        this.#id = id
      }
      get id() {
        return this.#id
      }
      get name() {
        return this.#name
      }
      get email() {
        return `${this.#name}@example.com`
      }
    }
    for (const id of ["7", 7, undefined]) {
      const browser = visitor(facade(options({ providers: [password(() => new Person("ann", id))] })))
      await browser.signIn()
      const user = (await browser.session())?.user
      assert.deepStrictEqual([user?.["name"], user?.["email"]], ["ann", "ann@example.com"], String(id))
    }
  })

  for (const [what, session] of [
    ["a number that JSON does not have", { id: 1n }],
    ["a circle", Object.assign({}, { self: {} })]
  ] as const) {
    it(`H068 a session with ${what} is no user's and the cookie stays`, async () => {
      if ("self" in session) Object.assign(session, { self: session })
      const answer = await read({ callbacks: { session: (given) => ({ ...given.session, ...session }) } })
      assert.deepStrictEqual(answer, { status: 200, body: "null", cookies: [], types: ["JWTSessionError"] })
    })
  }

  for (const token of [undefined, "text", 5, []]) {
    it(`H068 a jwt callback that answers ${JSON.stringify(token)} signs no user out`, async () => {
      const answer = await read({ callbacks: { jwt: () => token as unknown as null } })
      assert.deepStrictEqual(answer, { status: 200, body: "null", cookies: [], types: ["JWTSessionError"] })
    })
  }

  for (const exp of [undefined, "soon", Number.NaN, -1e308, 1e308]) {
    it(`a token of the application's own format whose exp is ${String(exp)} is read`, async () => {
      const answer = await read({
        session: { updateAge: 1000 },
        jwt: { encode: () => "sealed", decode: () => ({ sub: "1", name: "Ann", iat: 4e9, exp: exp as number }) }
      })
      assert.deepStrictEqual([answer.status, answer.types], [200, []])
      assert.isFalse(Number.isNaN(Date.parse((JSON.parse(answer.body) as { expires: string }).expires)))
    })
  }
})

const broken: ReadonlyArray<readonly [what: string, answer: () => unknown]> = [
  ["an Effect that interrupts itself", () => Effect.interrupt],
  [
    "an object whose then throws",
    () =>
      // oxlint-disable-next-line unicorn/no-thenable
      Object.defineProperty({}, "then", {
        get: () => {
          throw new Error("no")
        }
      })
  ]
]

for (const [what, answer] of broken) {
  describe(`H273 ${what}`, () => {
    const given = answer as () => never

    it("as an answer of authorize is the application's failure", async () => {
      const { logger, told } = listener()
      const browser = visitor(facade(options({ providers: [password(given)], logger })))
      const response = await browser.signIn()
      assert.strictEqual(locationOf(response), `${site}/auth/error?error=Configuration`)
      assert.deepStrictEqual(
        told.errors.map((error): unknown => Reflect.get(error, "type")),
        ["CallbackRouteError"]
      )
    })

    for (const name of ["session", "jwt"] as const) {
      it(`as an answer of callbacks.${name} signs no user out`, async () => {
        const { body, cookies, status, types } = await read({ callbacks: { [name]: given } })
        assert.deepStrictEqual([status, body, cookies, types], [200, "null", [], ["JWTSessionError"]])
      })
    }

    it("as an answer of jwt.decode is no session", async () => {
      // A visitor's input that the function refuses raises no alarm.
      const { body, status, types } = await read({ jwt: { decode: given } })
      assert.deepStrictEqual([status, body, types], [200, "null", []])
    })

    it("as an answer of an event harms nothing", async () => {
      const { body, types } = await read({ events: { session: given } })
      assert.include(body, "Ann")
      assert.deepStrictEqual(types, ["EventError"])
    })

    it("as an answer of callbacks.redirect leads home", async () => {
      const browser = visitor(facade(options({ callbacks: { redirect: given } })))
      assert.strictEqual((await browser.signIn()).headers.get("location"), site)
    })
  })
}

describe("H286 a logger that rejects", () => {
  const rejections: Array<unknown> = []
  const count = (reason: unknown) => void rejections.push(reason)
  beforeAll(() => void process.on("unhandledRejection", count))
  afterAll(() => void process.off("unhandledRejection", count))

  it("leaves no rejection behind", async () => {
    // The type asks for nothing in return, so that a function which answers a promise passes for one.
    const error: () => unknown = () => Promise.reject(new Error("the log is down"))
    const { status } = await read({ logger: { error } }, "__Secure-authjs.session-token=junk")
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepStrictEqual([status, rejections], [200, []])
  })
})

describe("configurations", () => {
  it("P239 two cookies of one name are refused: one value would pass for the other", () => {
    const refusal = check(policy(true, { state: { name: "__Host-authjs.session-token" } }))
    assert.isTrue(Result.isFailure(refusal))
    assert.isTrue(Result.isFailure(check(policy(true, { csrfToken: { name: "__Host-authjs.flow" } }))))
    assert.isTrue(Result.isSuccess(check(policy(true, { state: { name: "__Secure-state" } }))))
  })

  it("P239 the record of an attempt is no session", async () => {
    const config = options({ cookies: { state: { name: "__Secure-authjs.session-token" } } })
    const response = await Auth(new Request(`${site}/auth/csrf`), forFunctions(config))
    assert.strictEqual(response.status, 500)
  })

  for (const [what, wrong, status] of [
    ["a provider that is false", { providers: [false], session: { strategy: "database" } }, 500],
    // It counts as absent.
    ["a logger that is null", { logger: null }, 200]
  ] as const) {
    it(`H292 ${what} is answered, not thrown`, async () => {
      const given = options(wrong as unknown as Parameters<typeof options>[0])
      // Without a logger the problem is told on the console.
      const { error } = console
      console.error = () => undefined
      try {
        assert.strictEqual((await Auth(new Request(`${site}/auth/session`), forFunctions(given))).status, status)
      } finally {
        console.error = error
      }
    })
  }

  it("P016 a base path with an empty segment is refused: as an address it would name a host", async () => {
    for (const basePath of ["//evil.example", "/auth//x", "//"]) {
      const config = options({ basePath })
      const path = `${basePath}/callback/credentials`
      const response = await Auth(new Request(`${site}${path}`, { method: "POST" }), forFunctions(config))
      const { origin } = new URL(response.headers.get("location") ?? site)
      assert.deepStrictEqual([basePath, origin], [basePath, site])
    }
  })

  it("P218 an encoder of cookies that throws is as none", async () => {
    const encode = () => {
      throw new Error("no")
    }
    const browser = visitor(facade(options({ cookies: { callbackUrl: { options: { encode } } } })))
    assert.strictEqual((await browser.signIn()).status, 302)
    assert.strictEqual(decodeURIComponent(browser.cookies.get("__Secure-authjs.callback-url") ?? ""), site)
  })
})

describe("a redirect proxy", () => {
  const proxy = "https://proxy.example"
  const config = options({ redirectProxyUrl: `${proxy}/auth`, providers: [acme(), acme({ id: "other" })] })
  const world = layer(config)

  it.effect("P008, H121 forwards no answer of one provider to the address of another", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_800_000_000_000)
      const token = yield* program(new Request(`${site}/auth/csrf`))
      const { csrfToken } = (yield* Effect.promise(() => token.response.json())) as { csrfToken: string }
      const cookie = cookieOf(token.response)
      const { response } = yield* program(form("/auth/signin/acme", { csrfToken }, { cookie }))
      const state = new URL(response.headers.get("location") ?? "").searchParams.get("state") ?? ""
      const back = (id: string) =>
        Effect.map(
          program(new Request(`${proxy}/auth/callback/${id}?code=c&state=${encodeURIComponent(state)}`)),
          (answer) => new URL(answer.response.headers.get("location") ?? "")
        )
      const crossed = yield* back("other")
      assert.strictEqual(`${crossed.origin}${crossed.pathname}`, `${proxy}/auth/signin`)
      assert.isNull(crossed.searchParams.get("state"))
      const own = yield* back("acme")
      assert.strictEqual(`${own.origin}${own.pathname}`, `${site}/auth/callback/acme`)
    }).pipe(Effect.provide(world))
  )
})

describe("a form post", () => {
  const issuer = "https://acme.example"
  const authorization = `${issuer}/authorize?response_mode=form_post`

  for (const [name, first] of [
    ["state", "forged"],
    ["code", "forged"],
    ["iss", "https://evil.example"]
  ] as const) {
    it(`P035 that names ${name} twice and differently is refused before any provider is asked`, async () => {
      const { asked, fetch } = network()
      const provider = acme({ id: "posts", issuer, authorization, [customFetch]: fetch })
      const browser = visitor(facade(options({ providers: [provider] })))
      const started = await browser.submit("/auth/signin/posts")
      const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? ""
      const fields = Object.entries({ code: "good", state, iss: issuer })
      const answer = await browser.post("/auth/callback/posts", [[name, first], ...fields])
      assert.strictEqual(answer.status, 400)
      assert.isFalse(answer.headers.has("set-cookie"))
      assert.deepStrictEqual(asked, [])
    })
  }
})

describe("signatures by the client secret", () => {
  it.gen("P262 of an ID token and of userinfo are each checked with the algorithm that was registered", function* () {
    const clientSecret = "a client secret of sixty-four bytes, as long as the hash of HS512"
    const key = new TextEncoder().encode(clientSecret)
    const provider = oidc({
      idToken: false,
      clientSecret: Redacted.make(clientSecret),
      clientMetadata: { id_token_signed_response_alg: "HS256", userinfo_signed_response_alg: "HS512" }
    })
    const idp = scripted({
      ...issuing({}, { alg: "HS256" }, key),
      "/userinfo": () =>
        Effect.map(
          Effect.promise(() => sign({ sub: "person-1", name: "Ada" }, { alg: "HS512" }, key)),
          (token) => json(token, { headers: { "content-type": "application/jwt" } })
        )
    })
    assert.strictEqual((yield* against(idp, signIn(provider))).user.name, "Ada")
  })
})
