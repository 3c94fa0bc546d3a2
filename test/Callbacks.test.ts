import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Callbacks from "../src/Callbacks.ts"
import { AccessDenied, type AuthError, CredentialsSignin } from "../src/Errors.ts"
import { cookieOf, facade, listener, locationOf, options, site, visitor } from "./Visitor.ts"

const person = { user: { id: "1" }, account: null }

const throwing = (thrown: unknown) => () => {
  throw thrown
}

describe("defaults", () => {
  it.gen("let every user in, keep the token and show name, email and image", function* () {
    const callbacks = Callbacks.make({})
    assert.strictEqual(yield* callbacks.signIn(person), true)
    const token = { sub: "1", secret: "x" }
    assert.strictEqual(yield* callbacks.jwt({ token }), token)
    const session = {
      user: { id: "1", name: "Ann", email: "a@b.c", image: null, role: "admin" },
      expires: "2030",
      extra: 1
    }
    assert.deepStrictEqual(yield* callbacks.session({ session, token }), {
      user: { name: "Ann", email: "a@b.c", image: null },
      expires: "2030"
    })
  })

  const targets: ReadonlyArray<readonly [string, string]> = [
    ["/a", `${site}/a`],
    [`${site}/a`, `${site}/a`],
    [site, site],
    ["https://evil.example/a", site],
    ["https://app.example.evil.example", site],
    ["http://app.example/a", site],
    ["https://app.example:8443/a", site],
    ["nonsense", site]
  ]
  for (const [url, expected] of targets) {
    it.gen(`send ${url} to ${expected}`, function* () {
      assert.strictEqual(yield* Callbacks.make({}).redirect({ url, baseUrl: site }), expected)
    })
  }
})

describe("an answer of another kind", () => {
  const wrong: ReadonlyArray<readonly [title: string, run: (answer: never) => Effect.Effect<unknown, AuthError>]> = [
    [
      "callbacks.jwt must return a token, or null",
      (answer) => Callbacks.make({ jwt: () => answer }).jwt({ token: {} })
    ],
    ["callbacks.signIn must return true, false", (answer) => Callbacks.make({ signIn: () => answer }).signIn(person)]
  ]
  for (const [message, run] of wrong) {
    it.gen(`${message}: the message says what came and what to change`, function* () {
      const failure = yield* Effect.flip(run(["a secret"] as never))
      assert.include(failure.message, message)
      assert.include(failure.message, "It returned a list")
      assert.match(failure.remedy, /^Return /)
      assert.notInclude(failure.message, "a secret")
    })
  }
})

describe("signIn", () => {
  const answers: ReadonlyArray<readonly [string, unknown, boolean]> = [
    ["true", true, true],
    ["a path", "/welcome", true],
    ["false", false, false],
    ["nothing", undefined, false],
    ["null", null, false],
    ["1", 1, false],
    ["an object", {}, false],
    ["an empty text", "", false],
    ["the text of an object", new String("true"), false]
  ]
  for (const [name, answer, allows] of answers) {
    it.gen(`${name} ${allows ? "lets a person in" : "refuses a person"}, as value, promise and Effect`, function* () {
      for (const given of [answer, Promise.resolve(answer), Effect.succeed(answer)]) {
        const exit = yield* Effect.exit(Callbacks.make({ signIn: () => given as boolean }).signIn(person))
        if (allows) assert.deepStrictEqual(exit, Exit.succeed(answer as true))
        else assert.isTrue(Exit.isFailure(exit))
      }
    })
  }

  const thrown: ReadonlyArray<readonly [string, unknown, string]> = [
    ["an error", new Error("not you"), "AccessDenied"],
    ["a text", "not you", "AccessDenied"],
    ["nothing", undefined, "AccessDenied"],
    ["a failure of ours", new CredentialsSignin({ code: "locked" }), "CredentialsSignin"],
    ["AccessDenied", new AccessDenied({}), "AccessDenied"],
    [
      "an error that names itself",
      Object.assign(new Error(), { type: "OAuthAccountNotLinked" }),
      "OAuthAccountNotLinked"
    ]
  ]
  for (const [name, cause, tag] of thrown) {
    it.gen(`${name} thrown is ${tag}`, function* () {
      for (const signIn of [throwing(cause), () => Promise.reject(cause), () => Effect.fail(cause)]) {
        const failure = yield* Effect.flip(Callbacks.make({ signIn }).signIn(person))
        assert.strictEqual(failure._tag, tag)
      }
    })
  }

  it("a refusal ends at the error page, an address is followed without a session", async () => {
    const refused = visitor(facade(options({ callbacks: { signIn: () => false } })))
    const denied = await refused.signIn()
    assert.strictEqual(locationOf(denied), `${site}/auth/error?error=AccessDenied`)
    assert.isNull(await refused.session())

    const sent = visitor(facade(options({ callbacks: { signIn: () => "/upgrade?plan=1" } })))
    const response = await sent.signIn()
    assert.strictEqual(response.headers.get("location"), `${site}/upgrade?plan=1`)
    assert.notInclude(cookieOf(response), "session-token")

    const away = visitor(facade(options({ callbacks: { signIn: () => "https://evil.example" } })))
    assert.strictEqual((await away.signIn()).headers.get("location"), site)
  })

  it("what it throws is in the log, and not in the answer", async () => {
    const { logger, told } = listener()
    const browser = visitor(
      facade(options({ callbacks: { signIn: throwing(new Error("db://user:pass@host is down")) }, logger }))
    )
    const response = await browser.signIn()
    assert.notInclude(JSON.stringify([...response.headers]) + (await response.text()), "db:")
    assert.deepStrictEqual(
      told.errors.map(({ message }) => message),
      ["db://user:pass@host is down"]
    )
  })
})

describe("jwt and session", () => {
  it("null from jwt signs a person in to nothing, and ends a session that there is", async () => {
    const none = visitor(facade(options({ callbacks: { jwt: () => null } })))
    const response = await none.signIn()
    assert.strictEqual(response.headers.get("location"), site)
    assert.notInclude(cookieOf(response), "session-token")

    let revoked = false
    const browser = visitor(facade(options({ callbacks: { jwt: ({ token }) => (revoked ? null : token) } })))
    await browser.signIn()
    assert.isNotNull(await browser.session())
    revoked = true
    const ended = await browser.get("/auth/session")
    assert.strictEqual(await ended.text(), "null")
    assert.match(ended.headers.getSetCookie().join(), /session-token=; Max-Age=0/)
  })

  it("keep and show what the application wants, and say why a token is made", async () => {
    const triggers: Array<unknown> = []
    const browser = visitor(
      facade(
        options({
          callbacks: {
            jwt: ({ session, token, trigger, user }) => {
              triggers.push(trigger)
              if (user !== undefined) return { ...token, role: "editor" }
              return trigger === "update" ? { ...token, update: session } : token
            },
            session: ({ session, token }) => ({ ...session, role: token?.["role"], update: token?.["update"] })
          }
        })
      )
    )
    await browser.signIn()
    assert.strictEqual(Reflect.get((await browser.session()) ?? {}, "role"), "editor")
    const csrfToken = await browser.csrfToken()
    const data = { name: "Zoe", sub: "other", exp: 1 }
    const updated = await browser.send("POST", "/auth/session", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken, data })
    })
    assert.deepStrictEqual(Reflect.get((await updated.json()) as object, "update"), { name: "Zoe" })
    assert.deepStrictEqual(triggers, ["signIn", undefined, "update"])
  })

  it("one that fails shows no user, keeps the cookie and writes to the log", async () => {
    for (const callbacks of [{ jwt: throwing(new Error("down")) }, { session: throwing(new Error("down")) }]) {
      const browser = visitor(facade(options()))
      await browser.signIn()
      const { logger, told } = listener()
      const broken = visitor(facade(options({ callbacks, logger })))
      for (const [name, value] of browser.cookies) broken.cookies.set(name, value)
      const response = await broken.get("/auth/session")
      assert.deepStrictEqual([response.status, await response.text(), cookieOf(response)], [200, "null", ""])
      assert.strictEqual(told.errors.length, 1)
      assert.isNotNull(await browser.session())
    }
  })
})
