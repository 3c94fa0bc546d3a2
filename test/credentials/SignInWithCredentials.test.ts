import { assert, describe, it } from "@effect/vitest"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { ClientAddress } from "../../src/telemetry/AuditEmitter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { CredentialsSignin as ErrorOfAuthJs } from "../../src/compat/errors.ts"
import type { Account, JWT } from "../../src/Models.ts"
import { AccessDenied, CredentialsSignin } from "../../src/Errors.ts"
import {
  type Authorize,
  cookieOf,
  facade,
  form,
  layer,
  listener,
  locationOf,
  ownSite as options,
  otherSecret,
  password,
  program,
  site,
  visitor
} from "../Visitor.ts"

type Credentials = Readonly<Record<string, string>>

const wrong = `${site}/auth/signin?error=CredentialsSignin&code=credentials`
const throttled = `${site}/auth/signin?error=CredentialsSignin&code=throttled`
const configuration = `${site}/auth/error?error=Configuration`

/** A site that writes down what reaches `authorize`. */
const recording = (more: object = {}, answer: unknown = null) => {
  const asked: Array<Credentials> = []
  const authorize = (credentials: Credentials) => {
    asked.push(credentials)
    return answer
  }
  const { logger, told } = listener()
  return { asked, told, browser: visitor(facade(options({ providers: [password(authorize, more)], logger }))) }
}

const asJson = async (browser: ReturnType<typeof visitor>, fields: object) => {
  const csrfToken = await browser.csrfToken()
  return browser.send("POST", "/auth/callback/credentials", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken, ...fields })
  })
}

describe("what reaches authorize", () => {
  const nested: ReadonlyArray<unknown> = [{ $ne: null }, ["pw"], 1, true, null, {}, { toString: "pw" }]
  for (const value of nested) {
    it(`H177 ${JSON.stringify(value)} is no password`, async () => {
      const { asked, browser } = recording()
      assert.strictEqual((await asJson(browser, { username: "ann", password: value })).status, 400)
      const free = recording({ credentials: {} })
      assert.strictEqual((await asJson(free.browser, { anything: value })).status, 400)
      assert.deepStrictEqual([asked, free.asked], [[], []])
    })
  }

  it("H178 is what the provider declares, and nothing else", async () => {
    const { asked, browser } = recording()
    const fields = { username: "ann", password: "pw", role: "admin", callbackUrl: "/x", id: "1", redirect: "false" }
    await browser.submit("/auth/callback/credentials", fields)
    await asJson(browser, fields)
    await browser.submit("/auth/callback/credentials", { username: "ann" })
    await browser.submit("/auth/callback/credentials?username=query&password=query", {})
    assert.deepStrictEqual(asked, [
      { username: "ann", password: "pw" },
      { username: "ann", password: "pw" },
      { username: "ann" },
      {}
    ])
  })
  it("is the request as the second argument", async () => {
    const seen: Array<unknown> = []
    const authorize: Authorize = (_, request) => {
      seen.push(request)
      return null
    }
    const browser = visitor(facade(options({ providers: [password(authorize)] })))
    await browser.submit("/auth/callback/credentials", { username: "ann", password: "pw" })
    assert.lengthOf(seen, 1)
    assert.instanceOf(seen[0], Request)
  })

  it("H178 is everything but our own fields when the provider declares none", async () => {
    const { asked, browser } = recording({ credentials: {} })
    await browser.submit("/auth/callback/credentials", { email: "a@b.c", otp: "1", callbackUrl: "/x" })
    assert.deepStrictEqual(asked, [{ email: "a@b.c", otp: "1" }])
  })

  for (const key of ["__proto__", "constructor", "prototype"]) {
    it(`H179 ${key} does not, however it is sent`, async () => {
      const { asked, browser } = recording({ credentials: { [key]: {}, username: {} } })
      const csrfToken = await browser.csrfToken()
      const json = await browser.send("POST", "/auth/callback/credentials", {
        headers: { "content-type": "application/json" },
        body: `{"csrfToken":"${csrfToken}","${key}":"x","username":"ann"}`
      })
      const sent = await browser.submit("/auth/callback/credentials", { [key]: "x", username: "ann" })
      assert.deepStrictEqual([json.status, sent.status, asked], [400, 400, []])
    })
  }

  const bodies: ReadonlyArray<readonly [string, string, () => BodyInit, number]> = [
    ["H181 ten megabytes", "application/json", () => `{"password":"${"a".repeat(10_000_000)}"}`, 413],
    ["H181 fifty megabytes", "application/x-www-form-urlencoded", () => `password=${"a".repeat(50_000_000)}`, 413],
    ["H182 a deep body", "application/json", () => `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, 400],
    ["H182 a deeper body", "application/json", () => "[".repeat(100_000), 413],
    ["H183 too many fields", "application/x-www-form-urlencoded", () => "a=1&".repeat(15_000), 400],
    ["H183 a hundred thousand fields", "application/x-www-form-urlencoded", () => "a=&".repeat(100_000), 413],
    ["H184 broken UTF-8", "application/x-www-form-urlencoded", () => Uint8Array.of(0x61, 0x3d, 0xff), 400],
    ["H184 UTF-16", "application/json", () => Uint8Array.from(Buffer.from('{"a":"b"}', "utf16le")), 400]
  ]
  for (const [title, type, body, status] of bodies) {
    it(`${title} is ${status}, and reaches no function of the application`, async () => {
      const { asked, browser, told } = recording()
      const init = { headers: { "content-type": type }, body: body() }
      const response = await browser.send("POST", "/auth/callback/credentials", init)
      assert.deepStrictEqual([response.status, asked.length, told.errors.length], [status, 0, 0])
    })
  }

  const passwords = [
    "",
    " ",
    " leading and trailing ",
    "a\u0000b",
    "line\r\nbreak\ttab",
    "\u00e9 is not e\u0301",
    "\ufb01 \u212b \u2126",
    "p".repeat(73),
    `${"p".repeat(72)}x`,
    "\u{1f511}".repeat(300),
    "%00%zz+&=;",
    "p".repeat(60_000)
  ]
  for (const given of passwords) {
    it(`H190 a password of ${given.length} characters arrives as it is: ${JSON.stringify(given.slice(0, 12))}`, async () => {
      const { asked, browser } = recording()
      await browser.submit("/auth/callback/credentials", { username: "ann", password: given })
      await asJson(browser, { username: "ann", password: given })
      assert.deepStrictEqual(
        asked.map(({ password }) => password === given),
        [true, true]
      )
    })
  }
  it("H190 one of a megabyte is refused as a whole", async () => {
    const { asked, browser } = recording()
    const response = await browser.submit("/auth/callback/credentials", {
      username: "ann",
      password: "p".repeat(1_000_000)
    })
    assert.deepStrictEqual([response.status, asked], [413, []])
  })

  it("H195 nothing, before the token was checked", async () => {
    const { asked, browser } = recording({}, { id: "1" })
    for (const csrfToken of ["", "ab".repeat(32)]) {
      const response = await browser.post("/auth/callback/credentials", { csrfToken, username: "ann", password: "pw" })
      assert.strictEqual(response.headers.get("location"), `${site}/auth/signin?error=MissingCSRF`)
    }
    await browser.csrfToken()
    const typed = await browser.post("/auth/callback/credentials", "username[]=1")
    assert.strictEqual(typed.headers.get("location"), `${site}/auth/signin?error=MissingCSRF`)
    assert.deepStrictEqual(asked, [])
  })
})

describe("what authorize answers", () => {
  const refusals: ReadonlyArray<readonly [string, unknown]> = [
    ["null", null],
    ["undefined", undefined],
    ["false", false],
    ["an empty text", ""],
    ["0", 0]
  ]
  for (const [name, answer] of refusals) {
    it(`H187 ${name} is a refusal`, async () => {
      const { browser } = recording({}, answer)
      const response = await browser.signIn()
      assert.strictEqual(response.headers.get("location"), wrong)
      assert.isNull(await browser.session())
    })
  }

  const thrower = (what: unknown) => () => {
    throw what
  }
  const mistakes: ReadonlyArray<readonly [string, () => unknown, string?]> = [
    ["a text", () => "ann"],
    ["true", () => true],
    ["a number", () => 7],
    ["an id 0", () => ({ id: 0 })],
    ["an empty id", () => ({ id: "" })],
    ["an id that is an object", () => ({ id: {} })],
    ["an id of NaN", () => ({ id: Number.NaN })],
    ["a fraction as id", () => ({ id: 1.5 })],
    ["a function", () => () => ({ id: "1" })],
    ["the rows of a query that found nothing", () => []],
    ["the rows of a query that found a user", () => [{ id: "1" }]],
    ["a user of 100 kB", () => ({ id: "1", name: "n".repeat(100_000) }), "JWTSessionError"],
    ["an error", thrower(new Error("down"))],
    ["a thrown text", thrower("down")],
    ["a thrown null", thrower(null)],
    ["a rejection", () => Promise.reject(new Error("down"))],
    ["an Effect that fails", () => Effect.fail("down")],
    ["an Effect that dies", () => Effect.die("down")],
    [
      "a user with a getter that throws",
      () => Object.defineProperty({ id: "1" }, "name", { enumerable: true, get: thrower(new Error("trap")) }),
      "UnexpectedError"
    ]
  ]
  for (const [name, authorize, type = "CallbackRouteError"] of mistakes) {
    it(`H187 ${name} makes no session, and says who is to blame`, async () => {
      const { logger, told } = listener()
      const browser = visitor(facade(options({ providers: [password(authorize)], logger })))
      const response = await browser.signIn()
      assert.strictEqual(locationOf(response), configuration)
      assert.notInclude(cookieOf(response), "session-token")
      assert.isNull(await browser.session())
      assert.deepStrictEqual(
        told.errors.map((error) => Reflect.get(error, "type")),
        [type]
      )
    })
  }

  const page = new Response("no", { status: 401 })
  class Row {
    readonly role = "admin"
  }
  const instead: ReadonlyArray<readonly [title: string, answer: () => unknown, seen: string]> = [
    ["an Error", () => new Error("down"), "an Error"],
    ["an Error of Auth.js", () => new ErrorOfAuthJs(), "an Error"],
    ["an Error of another realm", () => runInNewContext("new Error('down')"), "an Error"],
    ["a Response", () => page, "a Response of status 401"],
    ["an array of users", () => [{ id: "1", name: "Ann" }], "an array"],
    ["a promise of an Error", () => Promise.resolve(new Error("down")), "an Error"],
    ["a promise of a Response", () => Promise.resolve(page), "a Response of status 401"],
    ["a promise of an array", () => Promise.resolve([{ id: "1" }]), "an array"],
    ["an object without members", () => ({}), "an object without members"],
    ["the body of an error", () => ({ error: "no", statusCode: 401 }), "an object with error, statusCode"],
    ["a promise of it", () => Promise.resolve({ message: "no" }), "an object with message"],
    ["an object of a class", () => new Row(), "an object with role"],
    ["members without values", () => ({ id: null, name: "", email: undefined }), "an object with id, name, email"],
    ["names of another kind", () => ({ id: null, name: false, email: [] }), "an object with id, name, email"],
    ["an id that is none", () => ({ id: 0 }), "an object with id, whose id is neither text nor a whole number"]
  ]
  for (const [title, authorize, seen] of instead) {
    for (const [callback, callbacks] of [
      ["without a jwt callback", {}],
      ["with a jwt callback that adds nothing", { jwt: ({ token }: { readonly token: JWT }) => ({ sub: token.sub }) }],
      [
        "with a jwt callback that adds what it knows of the account",
        { jwt: ({ account }: { readonly account?: Account | null }) => ({ account, provider: account?.provider }) }
      ]
    ] as const) {
      it(`H187 ${title}, ${callback}: signs nobody in, and the log says what came`, async () => {
        const { logger, told } = listener()
        const browser = visitor(facade(options({ providers: [password(authorize)], callbacks, logger })))
        assert.strictEqual(locationOf(await browser.signIn()), configuration)
        assert.isNull(await browser.session())
        const [error] = told.errors
        assert.strictEqual(told.errors.length, 1)
        assert.isTrue(error?.message.endsWith(`It returned ${seen}`), error?.message)
        assert.strictEqual(Reflect.get(error ?? {}, "type"), "CallbackRouteError")
      })
    }
  }
  it("H187 the body of an error counts as a wrong password", async () => {
    for (const callbacks of [{}, { jwt: ({ token }: { readonly token: JWT }) => token }]) {
      const { logger } = listener()
      const providers = [password(() => ({ error: "wrong" }))]
      const browser = visitor(facade(options({ providers, callbacks, logger })))
      for (let attempt = 0; attempt < 10; attempt++)
        assert.strictEqual(locationOf(await browser.signIn()), configuration)
      assert.strictEqual(locationOf(await browser.signIn()), throttled)
    }
  })

  it("H187 an object of other members is a user where a jwt callback makes claims of them", async () => {
    const callbacks = {
      jwt: ({ token, user }: { readonly token: JWT; readonly user?: object }) =>
        user === undefined ? token : { ...token, role: Reflect.get(user, "role") },
      session: ({ session, token }: { readonly session: object; readonly token: JWT }) => ({
        ...session,
        role: token["role"]
      })
    }
    const providers = [password(() => ({ role: "admin" }))]
    const browser = visitor(facade(options({ providers, callbacks: callbacks as never })))
    await browser.signIn()
    assert.strictEqual(Reflect.get((await browser.session()) ?? {}, "role"), "admin")
  })

  const people: ReadonlyArray<readonly [string, unknown, RegExp]> = [
    ["a text as id", { id: "a b/ü" }, /^a b\/ü$/],
    ["a number as id", { id: 42 }, /^42$/],
    ["no id", { name: "Ann" }, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ["id null", { id: null, email: "ann@example.com" }, /^[0-9a-f-]{36}$/]
  ]
  for (const [name, user, id] of people) {
    it(`H187 ${name}: the session has an id`, async () => {
      const seen: Array<unknown> = []
      const callbacks = {
        session: ({ session, token }: { session: never; token: { sub?: unknown } }) => (seen.push(token.sub), session)
      }
      const browser = visitor(facade(options({ providers: [password(() => user)], callbacks: callbacks as never })))
      await browser.signIn()
      assert.isNotNull(await browser.session())
      assert.match(String(seen[0]), id)
    })
  }

  it("is taken from values and promises alike", async () => {
    for (const answer of [{ id: "1" }, Promise.resolve({ id: "1" })]) {
      const { browser } = recording({}, answer)
      const response = await browser.signIn()
      assert.deepStrictEqual([response.status, response.headers.get("location")], [302, site])
      assert.isNotNull(await browser.session())
    }
  })

  it("tells the callbacks and events who it was", async () => {
    const told: Array<unknown> = []
    const user = { id: "1", name: "Ann", email: "ann@example.com", image: "https://x.example/a.png", role: "editor" }
    const account = { providerAccountId: "1", type: "credentials", provider: "credentials" }
    const browser = visitor(
      facade(
        options({
          providers: [password(() => user)],
          callbacks: {
            signIn: (params) => (told.push(params), true),
            jwt: (params) => (params.trigger === undefined || told.push(params), params.token)
          },
          events: { signIn: (message) => told.push(message) }
        })
      )
    )
    await browser.signIn()
    const token = { name: "Ann", email: "ann@example.com", picture: "https://x.example/a.png", sub: "1" }
    assert.deepStrictEqual(told, [
      { user, account, credentials: { username: "ann", password: "pw" } },
      { token, user, account, isNewUser: false, trigger: "signIn" },
      { user, account }
    ])
  })

  it.effect("H188 is waited for half a minute", () => {
    let answered: (user: unknown) => void = () => {}
    const slow = () => new Promise((resolve) => (answered = resolve))
    return Effect.gen(function* () {
      const { cookie, csrfToken } = yield* pair
      const fields = { csrfToken, username: "ann", password: "pw" }
      const fiber = yield* Effect.forkChild(program(form("/auth/callback/credentials", fields, { cookie })))
      yield* turn
      yield* TestClock.adjust("29 seconds")
      yield* turn
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      const { failure, response } = yield* Fiber.join(fiber)
      assert.strictEqual(failure?._tag, "CallbackRouteError")
      assert.strictEqual(locationOf(response), configuration)
      answered({ id: "1" })
    }).pipe(Effect.provide(layer(options({ providers: [password(slow)] }))))
  })

  it.effect("H188 hangs for at most ten attempts at an account and a hundred of a client, and others sign in", () => {
    const asked: Array<string> = []
    const slow = ({ password, username = "" }: Credentials) => {
      asked.push(username)
      return password === "pw" ? { id: "1" } : new Promise<null>(() => {})
    }
    const count = () => asked.splice(0).length
    return Effect.gen(function* () {
      const { cookie, csrfToken } = yield* pair
      const attempt = (username: string, typed = "x") =>
        program(form("/auth/callback/credentials", { csrfToken, username, password: typed }, { cookie }))
      const hang = (from: string, nameOf: (index: number) => string) =>
        Effect.forEach(
          Array.from({ length: 200 }, (_, index) => index),
          (index) => Effect.forkChild(Effect.provideService(attempt(nameOf(index)), ClientAddress, from))
        )
      const fibers = [...(yield* hang("10.0.0.1", () => "ann")), ...(yield* hang("10.0.0.1", (index) => `${index}`))]
      yield* turn
      assert.strictEqual(count(), 210, "nothing says who the client is")
      fibers.push(...(yield* hang("203.0.113.7", (index) => `other ${index}`)))
      yield* turn
      assert.strictEqual(count(), 100, "a client")
      const { response } = yield* attempt("zoe", "pw")
      assert.strictEqual(locationOf(response), site)
      yield* TestClock.adjust("31 seconds")
      yield* Effect.forEach(fibers, Fiber.join)
    }).pipe(Effect.provide(layer(options({ providers: [password(slow)] }))))
  })

  it("H189 an unknown person and a wrong password are answered alike", async () => {
    const people = new Map([["ann", "pw"]])
    const authorize = ({ password, username }: Credentials) =>
      people.get(username ?? "") === password ? { id: "1" } : null
    const answers: Array<string> = []
    for (const fields of [
      { username: "ann", password: "x" },
      { username: "zoe", password: "x" }
    ]) {
      const browser = visitor(facade(options({ providers: [password(authorize)] })))
      const response = await browser.submit("/auth/callback/credentials", fields)
      answers.push(
        JSON.stringify([
          response.status,
          [...response.headers].filter(([name]) => name !== "set-cookie"),
          await response.text()
        ])
      )
      assert.strictEqual(response.headers.get("location"), wrong)
    }
    assert.strictEqual(answers[0], answers[1])
  })

  it("H194 a code comes from this library or from the application, never from a client", async () => {
    const own = () => Promise.reject(new CredentialsSignin({ code: "second_factor" }))
    const browser = visitor(facade(options({ providers: [password(own)] })))
    const response = await browser.submit("/auth/callback/credentials?code=forged", {
      username: "ann",
      password: "pw",
      code: "forged"
    })
    assert.strictEqual(locationOf(response), `${site}/auth/signin?error=CredentialsSignin&code=second_factor`)

    const page = await (await browser.get("/auth/signin?error=CredentialsSignin")).text()
    const message = (html: string) => /role="(?:alert|status)"[^>]*>[\s\S]*?<\/(?:p|div)>/.exec(html)?.[0]
    for (const code of ["<script>", "flow_used", "__proto__", "a".repeat(100), "constructor"]) {
      const html = await (
        await browser.get(`/auth/signin?error=CredentialsSignin&code=${encodeURIComponent(code)}`)
      ).text()
      assert.strictEqual(message(html), message(page))
      assert.notInclude(html, "<script>")
    }
    const pages = { signIn: "/login" }
    const custom = visitor(facade(options({ pages })))
    const sent = await custom.get(`/auth/signin?error=CredentialsSignin&code=${encodeURIComponent("<x>")}`)
    assert.notInclude(sent.headers.get("location") ?? "", "code=")
    const unknown = await custom.get("/auth/signin?error=Invented")
    assert.notInclude(unknown.headers.get("location") ?? "", "error=")
  })

  it("may be a failure of this library, which decides the answer", async () => {
    const denied = () => {
      throw new AccessDenied({})
    }
    const browser = visitor(facade(options({ providers: [password(denied)] })))
    assert.strictEqual(locationOf(await browser.signIn()), `${site}/auth/error?error=AccessDenied`)
  })
})

/** A token and its cookie. */
const pair = Effect.gen(function* () {
  const { response } = yield* program(new Request(`${site}/auth/csrf`))
  const { csrfToken } = (yield* Effect.promise(() => response.json())) as { csrfToken: string }
  return { csrfToken, cookie: cookieOf(response) }
})

/** Lets bodies and promises arrive. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))

describe("guessing", () => {
  /** Tries a password; says whether `authorize` was asked and what the answer was. */
  const guessing = (more: object = {}) => {
    const asked: Array<string> = []
    const authorize = ({ password, username }: Credentials) => {
      asked.push(username ?? "nobody")
      return password === "pw" ? { id: "1", name: username } : null
    }
    const config: Options = options({ providers: [password(authorize, more)] })
    const guess = Effect.fnUntraced(function* (username: string, typed = "x", fields: Credentials = {}) {
      const { cookie, csrfToken } = yield* pair
      const body = { csrfToken, username, password: typed, ...fields }
      const { response } = yield* program(form("/auth/callback/credentials", body, { cookie }))
      return locationOf(response)
    })
    return { asked, config, guess }
  }
  const times = (count: number) => Array.from({ length: count }, (_, index) => index)

  it.effect(
    "H191 of two hundred guesses within a minute fewer than twenty are looked at, and nobody stays locked out",
    () => {
      const { asked, config, guess } = guessing()
      return Effect.gen(function* () {
        yield* TestClock.setTime(1_800_000_000_000)
        for (const index of times(200)) {
          const answer = yield* guess("ann")
          if (index < 10) assert.strictEqual(answer, wrong)
          yield* TestClock.adjust(300)
        }
        assert.strictEqual(asked.length, 10)
        assert.strictEqual(yield* guess("ann"), wrong, "one more after a minute")
        assert.strictEqual(yield* guess("ann", "pw"), throttled)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* guess("ann", "pw"), site)
        assert.strictEqual(yield* guess("ann"), wrong, "a sign-in takes its own attempt back")
        assert.strictEqual(yield* guess("ann"), throttled, "and no attempt of others")
        yield* TestClock.adjust("10 minutes")
        for (const _ of times(10)) assert.strictEqual(yield* guess("ann"), wrong)
        assert.strictEqual(yield* guess("ann"), throttled)
      }).pipe(Effect.provide(layer(config)))
    }
  )

  it.effect("H191 guesses in parallel count too", () => {
    const { asked, config, guess } = guessing()
    return Effect.gen(function* () {
      const answers = yield* Effect.forEach(times(50), () => guess("ann"), { concurrency: "unbounded" })
      assert.strictEqual(asked.length, 10)
      assert.strictEqual(answers.filter((answer) => answer === throttled).length, 40)
    }).pipe(Effect.provide(layer(config)))
  })

  it.effect("H191 another spelling is the same account, another account is not", () => {
    const { asked, config, guess } = guessing()
    return Effect.gen(function* () {
      const spellings = ["ann", "Ann", " ann ", "\uff41nn", "a\u200an n"]
      for (const index of times(20)) yield* guess(spellings[index % spellings.length] ?? "")
      assert.strictEqual(asked.length, 10)
      assert.strictEqual(yield* guess("zoe"), wrong)
    }).pipe(Effect.provide(layer(config)))
  })

  it.effect("H191 the account is the field that says so", () => {
    const credentials = {
      tenant: { label: "Tenant" },
      password: { type: "password" },
      login: { label: "Login", autocomplete: "username" }
    }
    const { asked, config, guess } = guessing({ credentials })
    return Effect.gen(function* () {
      for (const index of times(15)) yield* guess("-", "x", { tenant: `${index}`, login: "ann" })
      assert.strictEqual(asked.length, 10)
      yield* guess("-", "x", { tenant: "1", login: "zoe" })
      assert.strictEqual(asked.length, 11)
    }).pipe(Effect.provide(layer(config)))
  })

  it.effect("H191 an authorize that throws may mean a refusal by it", () => {
    let asked = 0
    const refusing = () => {
      asked++
      throw new Error("this is not the password")
    }
    const { guess } = guessing()
    return Effect.gen(function* () {
      for (const _ of times(30)) yield* guess("ann")
      assert.strictEqual(asked, 10)
    }).pipe(Effect.provide(layer(options({ providers: [password(refusing)] }))))
  })

  it.effect("H191 invisible characters make no other account", () => {
    const { asked, config, guess } = guessing()
    return Effect.gen(function* () {
      for (const index of times(20)) yield* guess(`a\u0301nn${"\u200b".repeat(index)}${"\u00ad".repeat(index % 3)}`)
      assert.strictEqual(asked.length, 10)
    }).pipe(Effect.provide(layer(config)))
  })

  it.effect("H191 a form without a name is one account, and so is one where the name was left out", () => {
    const { asked, config, guess } = guessing({ credentials: { password: { type: "password" } } })
    return Effect.gen(function* () {
      for (const index of times(20)) yield* guess("", `${index}`)
      assert.strictEqual(asked.length, 10)
    }).pipe(Effect.provide(layer(config)))
  })

  it.effect("H191 the field that names the account cannot be left out to escape", () => {
    const credentials = { username: {}, email: { type: "email" }, password: { type: "password" } }
    const { asked, config, guess } = guessing({ credentials })
    return Effect.gen(function* () {
      for (const _ of times(20)) yield* guess("ann")
      assert.strictEqual(asked.length, 10)
    }).pipe(Effect.provide(layer(config)))
  })

  it("H193 two configurations count apart", async () => {
    const authorize = () => null
    const exhaust = async (config: Options) => {
      const browser = visitor(facade(config))
      const answers: Array<string | null> = []
      for (let index = 0; index < 12; index++) answers.push((await browser.signIn()).headers.get("location"))
      return answers.filter((answer) => answer === wrong).length
    }
    const first = options({ providers: [password(authorize)] })
    assert.strictEqual(await exhaust(first), 10)
    assert.strictEqual(await exhaust({ ...first }), 0, "the same configuration in another object")
    assert.strictEqual(await exhaust({ ...first, providers: [password(() => null)] }), 0, "made for another request")
    const admins = () => (first.basePath === "/auth" ? null : { id: "admin" })
    assert.strictEqual(await exhaust({ ...first, providers: [password(admins)] }), 0, "another function")
    const elsewhere = visitor(facade({ ...first, basePath: "/admin/auth" }), site, "/admin/auth")
    const answer = await elsewhere.submit("/admin/auth/callback/credentials", { username: "ann", password: "x" })
    assert.include(answer.headers.get("location"), "code=credentials", "another base path")
    assert.strictEqual(await exhaust(options({ providers: [password(authorize)], secret: otherSecret })), 10)
    assert.strictEqual(await exhaust({ ...first, providers: [password(authorize, { id: "other" }), password()] }), 0)
  })

  it("says so on the page", async () => {
    const html = await (
      await visitor(facade(options())).get("/auth/signin?error=CredentialsSignin&code=throttled")
    ).text()
    assert.include(html, "There were too many attempts. Wait a minute, then try again.")
  })

  it("is told to the log as information", async () => {
    const { logger, told } = listener()
    const browser = visitor(facade(options({ providers: [password(() => null)], logger })))
    for (let index = 0; index < 15; index++) await browser.signIn()
    assert.deepStrictEqual(
      [told.errors.length, told.mistakes.length, told.messages.filter((text) => text.includes("throttled")).length],
      [0, 15, 5]
    )
  })
})
