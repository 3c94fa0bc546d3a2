import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import PeerPasskey from "@auth/core/providers/passkey"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { at, browser, config, type Seen } from "../Browser.ts"
import { password, site, withoutReference } from "../Visitor.ts"
import { challengeCookie, optionsOf, passkeys, person } from "./Person.ts"
import { create, type CreationOptions, type RequestOptions } from "./SoftwareAuthenticator.ts"

const ada = "ada@example.com"

const actionOf = (seen: Seen): unknown => (JSON.parse(seen.body) as { action?: unknown }).action

const refusal = (error: string) => [400, JSON.stringify({ error })] as const
const answerOf = ({ body, status }: Seen) => [status, body] as const

describe("options of a ceremony", () => {
  it.effect("P167 have a challenge of 32 bytes, another one each time, and are kept by no cache", () => {
    const visitor = person()
    return Effect.gen(function* () {
      const seen = yield* visitor.ask()
      const { challenge } = optionsOf<RequestOptions>(seen)
      assert.strictEqual(Buffer.from(challenge, "base64url").length, 32)
      assert.notStrictEqual((yield* visitor.request()).challenge, challenge)
      assert.include(seen.headers.get("cache-control") ?? "", "no-store")
      assert.strictEqual(seen.headers.get("content-type"), "application/json")
      const [line = ""] = seen.lines
      assert.match(line, new RegExp(`^${challengeCookie}=`))
      for (const part of ["Max-Age=300", "HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) assert.include(line, part)
      assert.notInclude(line, challenge)
    }).pipe(at(passkeys().options))
  })

  it.effect("H207 ask the store for nothing and leave nothing there", () => {
    const { options, store } = passkeys()
    const asked: Array<string> = []
    const watched: AdapterShape = new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        return typeof value === "function"
          ? (...args: ReadonlyArray<unknown>): unknown => {
              asked.push(String(name))
              return Reflect.apply(value, target, args)
            }
          : value
      }
    })
    const visitor = person()
    return Effect.gen(function* () {
      for (let count = 0; count < 200; count++) {
        yield* visitor.ask()
        yield* visitor.ask(`?action=register&email=someone-${count}@example.com`)
      }
      assert.deepStrictEqual(asked, [])
      assert.isBelow(visitor.browser.cookies.get(challengeCookie)?.length ?? 0, 4096)
    }).pipe(at({ ...options, adapter: watched }))
  })

  const table: ReadonlyArray<
    readonly [query: string, nobody: "authenticate" | "register" | 400, known: "authenticate" | "register" | 400]
  > = [
    ["", "authenticate", 400],
    ["?action=authenticate", "authenticate", "authenticate"],
    ["?action=register", 400, "register"],
    [`?email=${ada}`, "authenticate", 400],
    ["?email=nobody@example.com", "authenticate", 400],
    [`?action=authenticate&email=${ada}`, "authenticate", "authenticate"],
    [`?action=register&email=${ada}`, "register", "register"],
    ["?action=register&email=nobody@example.com", "register", "register"],
    ["?action=register&email=", 400, "register"],
    ["?action=register&email=no%20address", 400, "register"],
    [`?action=register&email=${ada}&email=eve@example.com`, 400, "register"]
  ]
  for (const [query, nobody, known] of table) {
    it.effect(
      `H197 ${query === "" ? "without a query" : query}: ${nobody} for a signed-out visitor, ${known} for a user`,
      () => {
        const { options } = passkeys()
        const visitor = person()
        return Effect.gen(function* () {
          yield* visitor.register(ada)
          const signedIn = yield* visitor.ask(query)
          yield* visitor.leave
          const alone = yield* visitor.ask(query)
          for (const [seen, expected] of [
            [alone, nobody],
            [signedIn, known]
          ] as const) {
            if (expected === 400) assert.deepStrictEqual(answerOf(seen), refusal("Invalid request"))
            else assert.deepStrictEqual([seen.status, actionOf(seen)], [200, expected])
          }
        }).pipe(at(options))
      }
    )
  }

  const actions = [
    "?action=",
    "?action=delete",
    "?action=__proto__",
    "?action=constructor",
    "?action=REGISTER",
    "?action=register&action=register",
    "?action=register&action=authenticate",
    "?action=register%00"
  ]
  for (const query of actions) {
    it.gen(`H197 ${query} is no action`, at(passkeys().options), function* () {
      const visitor = person()
      const seen = yield* visitor.ask(query)
      assert.deepStrictEqual(answerOf(seen), refusal("Invalid action"))
      assert.deepStrictEqual(seen.lines, [])
    })
  }

  it.gen("are those of providers of that kind alone", at(passkeys().options), function* () {
    const visitor = browser()
    for (const path of ["webauthn-options/credentials", "webauthn-options/unknown", "webauthn-options"]) {
      const { location } = yield* visitor.get(`/auth/${path}`)
      assert.strictEqual(withoutReference(location ?? ""), `${site}/auth/error?error=Configuration`)
    }
    assert.strictEqual((yield* visitor.send("POST", "/auth/webauthn-options/passkey")).status, 405)
  })

  it.effect("H047 name the relying party of the configuration, for any host", () => {
    const { options } = passkeys(
      {},
      { relayingParty: { id: "example.com", name: "Example", origin: ["https://example.com", "https://app.example"] } }
    )
    return Effect.gen(function* () {
      for (const origin of [site, "https://evil.example"]) {
        const visitor = person(origin)
        const { rp } = yield* visitor.creation(`?action=register&email=${ada}`)
        assert.deepStrictEqual(rp, { id: "example.com", name: "Example" })
        assert.strictEqual((yield* visitor.request()).rpId, "example.com")
      }
      const headers = { host: "evil.example", origin: "https://evil.example", "x-forwarded-host": "evil.example" }
      const seen = yield* browser().get("/auth/webauthn-options/passkey", headers)
      assert.strictEqual(optionsOf<RequestOptions>(seen).rpId, "example.com")
    }).pipe(at(options))
  })

  it.effect("H047 name the address that the request was received at, where the configuration names none", () =>
    Effect.gen(function* () {
      const headers = { host: "evil.example", origin: "https://evil.example", "x-forwarded-host": "evil.example" }
      const seen = yield* browser().get("/auth/webauthn-options/passkey", headers)
      assert.strictEqual(optionsOf<RequestOptions>(seen).rpId, "app.example")
    }).pipe(at(passkeys().options))
  )

  it.play("P188 exclude every key that the user has", passkeys(), function* () {
    const visitor = person()
    const made = [yield* visitor.register(ada), yield* visitor.add(), yield* visitor.add()]
    const { excludeCredentials, user } = yield* visitor.creation()
    assert.deepStrictEqual(
      excludeCredentials.map(({ id }) => id),
      made.map(({ credential }) => credential.id.toString("base64url"))
    )
    assert.deepStrictEqual([user.name, user.displayName], [ada, ada])
    const { allowCredentials } = yield* visitor.request()
    assert.strictEqual(allowCredentials?.length, 3)
    assert.deepStrictEqual(allowCredentials?.[0]?.transports, ["internal", "hybrid"])
  })

  it.gen("ask for what the presets say", at(passkeys().options), function* () {
    const visitor = person()
    const made: object = yield* visitor.creation(`?action=register&email=${ada}`)
    assert.deepInclude(made, {
      timeout: 300_000,
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required", requireResidentKey: true },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: "public-key" }))
    })
    const asked: object = yield* visitor.request()
    assert.deepInclude(asked, { timeout: 300_000, userVerification: "required" })
  })
})

/** An answer without its random parts. */
const shapeOf = (seen: Seen): string => {
  const { options } = JSON.parse(seen.body) as { options: CreationOptions & RequestOptions }
  const text = JSON.stringify({
    status: seen.status,
    headers: [...seen.headers.entries()].filter(([name]) => name !== "set-cookie"),
    cookies: seen.lines.map((line) => line.replace(/=[^;]*/, "").replace(/Expires=[^;]*/, "")),
    lengths: seen.lines.map((line) => (/=([^;]*)/.exec(line)?.[1] ?? "").length),
    body: seen.body
      .replaceAll(options.challenge, "challenge")
      .replaceAll(options.user === undefined ? "-" : options.user.id, "handle")
  })
  return text.replaceAll("ada@example.com", "address").replaceAll("eve@example.com", "address")
}

describe("a visitor who types an address", () => {
  const sites: ReadonlyArray<readonly [string, object]> = [
    ["a passkey of ours", {}],
    ["one of Auth.js", { peer: true }],
    [
      "one with a function of the application",
      {
        getUserInfo: (
          options: { adapter: { getUserByEmail(email: string): Promise<object | null> } },
          request: object
        ) => {
          const { email } = (request as { query: { email: string } }).query
          return options.adapter
            .getUserByEmail(email)
            .then((user) => (user === null ? { user: { email }, exists: false } : { user, exists: true }))
        }
      }
    ]
  ]
  for (const [title, given] of sites) {
    it.effect(`P201, H196 learns nothing about it: ${title}`, () => {
      const { options, store } = passkeys({}, "peer" in given ? {} : given)
      const peer = { ...PeerPasskey({}) } as unknown as (typeof options)["providers"][number]
      const asked = "peer" in given ? { ...options, providers: [peer, password()] } : options
      return Effect.gen(function* () {
        yield* person().register(ada)
        const user = Option.getOrThrow(yield* store.getUserByEmail(ada))
        yield* store.updateUser({ id: user.id, name: "Ada Lovelace", image: "https://img.example/ada" })
        for (const action of ["", "&action=authenticate", "&action=register"]) {
          const known = yield* person().ask(`?email=${ada}${action}`)
          const unknown = yield* person().ask(`?email=eve@example.com${action}`)
          assert.strictEqual(shapeOf(known), shapeOf(unknown))
          assert.notInclude(known.body, "Lovelace")
          assert.isUndefined(optionsOf<RequestOptions>(known).allowCredentials)
        }
      }).pipe(at(asked))
    })
  }

  it.effect("P201, H196 is told of one key for every address, where names go first", () => {
    const { options } = passkeys({}, { usernameFirst: true })
    return Effect.gen(function* () {
      const { credential } = yield* person().register(ada)
      const ask = (email: string) => person().request(`?action=authenticate&email=${email}`)
      const known = (yield* ask(ada)).allowCredentials ?? []
      const unknown = (yield* ask("eve@example.com")).allowCredentials ?? []
      const other = (yield* ask("mallory@example.com")).allowCredentials ?? []
      assert.deepStrictEqual<unknown>(known, [{ id: credential.id.toString("base64url"), type: "public-key" }])
      for (const list of [unknown, other]) {
        assert.deepStrictEqual(Object.keys(list[0] ?? {}), Object.keys(known[0] ?? {}))
        assert.strictEqual(list.length, 1)
        assert.strictEqual(Buffer.from(list[0]?.id ?? "", "base64url").length, 32)
      }
      assert.deepStrictEqual((yield* ask("eve@example.com")).allowCredentials, unknown)
      assert.notDeepEqual(unknown, other)
      // Spelled otherwise it is the same address.
      assert.deepStrictEqual((yield* ask("ADA@example.com")).allowCredentials, known)
    }).pipe(at(options))
  })

  it.play("H231, P201 is told that it is taken once a key was made, and not before", passkeys(), function* () {
    const visitor = person()
    yield* visitor.register(ada)
    yield* visitor.leave
    const made = yield* visitor.creation(`?action=register&email=${ada}`)
    assert.deepStrictEqual(made.excludeCredentials, [])
    const seen = yield* visitor.post("register", create(made, site).data)
    assert.strictEqual(seen.location, `${site}/auth/signin?error=AccountNotLinked`)
  })
})

describe("functions of the application", () => {
  const peerStyle = (more: object) => passkeys({}, more)
  it.effect("say who registers", () => {
    const { options, store } = peerStyle({
      getUserInfo: () => ({ user: { email: "Grace@Example.com", name: "Grace", image: null }, exists: false })
    })
    const visitor = person()
    return Effect.gen(function* () {
      const made = yield* visitor.creation()
      assert.deepInclude(made.user, { name: "grace@example.com", displayName: "grace@example.com" })
      assert.strictEqual((yield* visitor.post("register", create(made, site).data)).failure, undefined)
      const user = Option.getOrThrow(yield* store.getUserByEmail("grace@example.com"))
      assert.strictEqual(user.name, "Grace")
    }).pipe(at(options))
  })

  const wrong: ReadonlyArray<readonly [string, object]> = [
    ["throws", { getUserInfo: () => assert.fail("no") }],
    ["answers nothing that is known", { getUserInfo: () => ({ user: {}, exists: false }) }],
    ["answers a text", { getUserInfo: () => "ada" }],
    ["names no relying party", { getRelayingParty: () => ({}) }],
    ["names a relying party that is an address", { getRelayingParty: () => ({ id: site, name: "", origin: site }) }],
    ["names an origin with a path", { getRelayingParty: () => ({ id: "app.example", name: "", origin: `${site}/x` }) }],
    ["names no origin", { getRelayingParty: () => ({ id: "app.example", name: "", origin: [] }) }]
  ]
  for (const [what, more] of wrong) {
    it.effect(`get an error of the application when one ${what}`, () => {
      const { options } = peerStyle(more)
      return Effect.gen(function* () {
        const seen = yield* person().ask("?action=register&email=a@example.com")
        assert.deepStrictEqual(
          [seen.failure?._tag, seen.location],
          ["CallbackRouteError", `${site}/auth/error?error=Configuration`]
        )
      }).pipe(at(options))
    })
  }

  it.gen("may say that there is no user", at(peerStyle({ getUserInfo: () => null }).options), function* () {
    const seen = yield* person().ask("?action=register")
    assert.deepStrictEqual(answerOf(seen), refusal("Invalid request"))
  })

  it.effect("say what the relying party is", () =>
    Effect.gen(function* () {
      const { rp } = yield* person().creation("?action=register&email=a@example.com")
      assert.deepStrictEqual(rp, { id: "example", name: "From a function" })
    }).pipe(
      at(
        peerStyle({
          getRelayingParty: ({ url }: { url: URL }) =>
            Promise.resolve({ id: "example", name: "From a function", origin: url.origin })
        }).options
      )
    )
  )
})

describe("a site without an adapter", () => {
  it.gen("has no such thing", at(config()), function* () {
    const { location } = yield* browser().get("/auth/webauthn-options/passkey")
    assert.strictEqual(withoutReference(location ?? ""), `${site}/auth/error?error=Configuration`)
  })
})
