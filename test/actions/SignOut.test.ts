import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Options } from "../../src/config/Settings.ts"
import { skipCSRFCheck } from "../../src/index.ts"
import { at, browser, config, cookieOf, type Log } from "../Browser.ts"
import { password, site } from "../Visitor.ts"

const name = "__Host-authjs.session-token"

const options = (more: Partial<Options> = {}) => config({ providers: [password()], ...more })

const tags = (log: Log) => log.entries.map(({ message }) => (message as { readonly _tag: string })._tag)

describe("POST signout", () => {
  it.effect("removes the session, tells the event whose it was, and goes where the client asked", () => {
    const told: Array<{ readonly token?: unknown }> = []
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword("ann")
      const seen = yield* person.submit("/auth/signout", { callbackUrl: "/bye?x=1" })
      assert.strictEqual(seen.status, 302)
      assert.strictEqual(seen.location, `${site}/bye?x=1`)
      assert.isTrue(seen.lines.map(cookieOf).some((cookie) => cookie.name === name && cookie.gone))
      assert.isNull(yield* person.session)
      assert.strictEqual(told.length, 1)
      assert.deepInclude(told[0]?.token, { name: "ann", email: "ann@example.com" })
    }).pipe(at(options({ events: { signOut: (message) => told.push(message) } })))
  })

  it.effect("emits no event for a signed-out visitor", () => {
    const told: Array<unknown> = []
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      const seen = yield* browser().submit("/auth/signout")
      assert.strictEqual(seen.location, site)
      assert.deepStrictEqual(
        seen.lines.map((line) => cookieOf(line).name),
        ["__Secure-authjs.callback-url"]
      )
      assert.deepStrictEqual(told, [])
      assert.deepStrictEqual(log.entries, [])
    }).pipe(at(options({ events: { signOut: (message) => told.push(message) } }), undefined, log))
  })

  it.gen("H014, P129, P125 signs out for any callback URL", at(options()), function* () {
    const hostile = [
      "https://evil.example",
      "//evil.example",
      "javascript:alert(1)",
      "\\\\evil",
      "/größe",
      "%",
      "/a\r\nb",
      "/auth/signout"
    ]
    for (const callbackUrl of hostile) {
      const person = browser()
      yield* person.signInWithPassword()
      const seen = yield* person.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(seen.status, 302, callbackUrl)
      assert.strictEqual(new URL(seen.location ?? "").origin, site, callbackUrl)
      assert.isNull(yield* person.session, callbackUrl)
    }
  })

  it.effect("H014 signs out although the address is no text, or the redirect callback fails", () => {
    const person = browser()
    return Effect.gen(function* () {
      for (const callbackUrl of [{ a: 1 }, ["/x"], 7, true]) {
        yield* person.signInWithPassword()
        const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
        const seen = yield* person.send("POST", "/auth/signout", {
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ csrfToken, callbackUrl })
        })
        assert.strictEqual(seen.location, site)
        assert.isNull(yield* person.session)
      }
    }).pipe(at(options({ callbacks: { redirect: () => Promise.reject(new Error("broken")) } })))
  })

  it.effect("removes a token that no key opens, and says so in the log", () => {
    const log: Log = { entries: [] }
    const told: Array<unknown> = []
    const person = browser()
    person.cookies.set(name, "broken")
    person.cookies.set(`${name}.1`, "stray")
    return Effect.gen(function* () {
      const seen = yield* person.submit("/auth/signout", { callbackUrl: "/bye" })
      assert.strictEqual(seen.location, `${site}/bye`)
      assert.sameMembers(
        seen.lines
          .map(cookieOf)
          .filter(({ gone }) => gone)
          .map((cookie) => cookie.name),
        [name, `${name}.1`]
      )
      assert.deepStrictEqual(told, [])
      assert.deepStrictEqual(tags(log), ["SignOutError"])
    }).pipe(at(options({ events: { signOut: (message) => told.push(message) } }), undefined, log))
  })

  it.gen("says that a sign-out at a provider was asked for and is not possible", at(options()), function* () {
    const person = browser()
    yield* person.signInWithPassword("ann")
    const seen = yield* person.submit("/auth/signout", { callbackUrl: "/bye", logout: "provider" })
    assert.strictEqual(seen.location, `${site}/bye?logout=local`)
    assert.isNull(yield* person.session)
  })

  it.effect("signs out although the event handler fails", () => {
    const log: Log = { entries: [] }
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      const seen = yield* person.submit("/auth/signout")
      assert.strictEqual(seen.location, site)
      assert.isNull(yield* person.session)
      assert.deepStrictEqual(tags(log), ["EventError"])
    }).pipe(at(options({ events: { signOut: () => Promise.reject(new Error("full")) } }), undefined, log))
  })

  it.gen("H092, P127, H227 changes nothing by GET or without the token of this browser", at(options()), function* () {
    const person = browser()
    yield* person.signInWithPassword()
    const page = yield* person.get("/auth/signout")
    assert.strictEqual(page.status, 200)
    assert.include(page.headers.get("content-type") ?? "", "text/html")
    assert.isNotNull(yield* person.session)
    const forged = yield* person.send("POST", "/auth/signout", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "csrfToken=forged"
    })
    assert.strictEqual(forged.location, `${site}/auth/signin?error=MissingCSRF`)
    assert.deepStrictEqual(forged.lines, [])
    assert.isNotNull(yield* person.session)
  })

  it.gen("asks for no token when the framework checks itself", at(options({ skipCSRFCheck })), function* () {
    const person = browser()
    const { lines } = yield* person.send("POST", "/auth/callback/credentials", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "username=ann&password=pw"
    })
    assert.isTrue(lines.some((line) => cookieOf(line).name === name))
    const seen = yield* person.send("POST", "/auth/signout")
    assert.strictEqual(seen.location, site)
    assert.isNull(yield* person.session)
  })
})
