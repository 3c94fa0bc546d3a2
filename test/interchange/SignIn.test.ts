/**
 * A sign-in at a provider that begins at one side and ends at the other. What began at `@auth/core` is finished here in any
 * case. A flow that began here is finished here.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Config } from "../differential/Implementation.ts"
import {
  agree,
  email,
  errorOf,
  oauth,
  oidc,
  type Pair,
  pair,
  type Setting,
  type Side,
  ways,
  whoAt,
  type World
} from "./Pair.ts"

interface Case {
  readonly name: string
  readonly kind: "oauth" | "oidc"
  readonly more?: Record<string, unknown>
  readonly config?: Config
  readonly origin?: string
}

const formPost =
  (kind: "oauth" | "oidc") =>
  ({ idp }: World) => ({
    authorization:
      kind === "oidc"
        ? { params: { response_mode: "form_post" } }
        : { url: `${idp.issuer}/authorize`, params: { response_mode: "form_post" } }
  })

const cases: ReadonlyArray<Case> = [
  ...[undefined, ["pkce"], ["state"], ["pkce", "state"]].map((checks): Case => ({
    name: `OAuth, ${checks?.join(" and ") ?? "nothing said of checks"}`,
    kind: "oauth",
    ...(checks === undefined ? {} : { more: { checks } })
  })),
  ...[
    undefined,
    ["pkce"],
    ["state"],
    ["nonce"],
    ["pkce", "state"],
    ["pkce", "nonce"],
    ["state", "nonce"],
    ["pkce", "state", "nonce"]
  ].map((checks): Case => ({
    name: `OpenID Connect, ${checks?.join(" and ") ?? "nothing said of checks"}`,
    kind: "oidc",
    ...(checks === undefined ? {} : { more: { checks } })
  })),
  { name: "OAuth over http", kind: "oauth", origin: "http://localhost:3000" },
  { name: "OpenID Connect over http", kind: "oidc", origin: "http://localhost:3000" },
  {
    name: "OAuth, two secrets",
    kind: "oauth",
    config: { secret: ["b".repeat(20) + "0123456789-abcdefgh", "a".repeat(20) + "0123456789-abcdefgh"] }
  },
  {
    name: "OAuth, a secret for tokens",
    kind: "oauth",
    config: { jwt: { secret: "for-tokens-0123456789-abcdefghijklmnopqrst" } }
  },
  {
    name: "OpenID Connect, cookies under other names",
    kind: "oidc",
    more: { checks: ["pkce", "state", "nonce"] },
    config: {
      cookies: { sessionToken: { name: "sid" }, csrfToken: { name: "xsrf" }, callbackUrl: { name: "back" } }
    }
  },
  { name: "OpenID Connect, profile from userinfo", kind: "oidc", more: { idToken: false } },
  {
    name: "OAuth, the secret in the body",
    kind: "oauth",
    more: { client: { token_endpoint_auth_method: "client_secret_post" } }
  }
]

const settingOf = (one: Case, more: Config = {}): Setting => ({
  openid: one.kind === "oidc",
  ...(one.origin === undefined ? {} : { origin: one.origin }),
  config: (world) => ({ providers: [(one.kind === "oidc" ? oidc : oauth)(world, one.more)], ...one.config, ...more })
})

const begin = (at: Pair, side: Side): Promise<Response> => {
  at.turn(side)
  return at.browser.submit("/auth/signin/acme", { callbackUrl: "/in" })
}

const end = (at: Pair, side: Side, path: string): Promise<Response> => {
  at.turn(side)
  return at.browser.get(path)
}

const arrived = async (at: Pair, answer: Response): Promise<void> => {
  assert.deepStrictEqual(at.logged, [])
  assert.strictEqual(new URL(answer.headers.get("location") ?? "").pathname, "/in")
  for (const side of ["here", "there"] as const) assert.strictEqual(await whoAt(at, side), "Ada Lovelace")
}

/** Cookies that belong to a sign-in on its way. */
const left = (at: Pair): ReadonlyArray<string> =>
  [...at.browser.cookies.keys()].filter((key) => /flow|state|pkce|nonce/.test(key))

describe("a sign-in", () => {
  for (const one of cases) {
    for (const strategy of ["jwt", "database"] as const) {
      it(`${one.name}, ${strategy}: begun there, finished here`, async () => {
        const { config = () => ({}), ...setting } = settingOf(one)
        const at = pair({
          ...setting,
          config: (world, side) => ({
            ...config(world, side),
            ...(strategy === "database" ? { adapter: world.store.adapter(), session: { strategy } } : {})
          })
        })
        const answer = await end(at, "here", agree(at, await begin(at, "there")))
        await arrived(at, answer)
        assert.deepStrictEqual(left(at), [])
      })
    }

    it(`${one.name}: begun and finished here`, async () => {
      const at = pair(settingOf(one))
      await arrived(at, await end(at, "here", agree(at, await begin(at, "here"))))
      assert.deepStrictEqual(left(at), [])
    })
  }

  for (const kind of ["oauth", "oidc"] as const)
    it(`${kind}, answered by a form of the provider: begun there, finished here`, async () => {
      const make = kind === "oidc" ? oidc : oauth
      const at = pair({
        openid: kind === "oidc",
        config: (world) => ({
          providers: [
            make(world, {
              checks: kind === "oidc" ? ["pkce", "state", "nonce"] : ["pkce", "state"],
              ...formPost(kind)(world)
            })
          ]
        })
      })
      const back = at.idp.authorize((await begin(at, "there")).headers.get("location") ?? "")
      at.turn("here")
      await arrived(at, await at.browser.post(back.pathname, Object.fromEntries(back.searchParams)))
    })

  it("begun there under names of the application is begun again here", async () => {
    const config = { cookies: { state: { name: "state" }, pkceCodeVerifier: { name: "proof" } } }
    const at = pair(settingOf({ name: "", kind: "oauth", config }))
    const path = agree(at, await begin(at, "there"))
    assert.strictEqual(errorOf(await end(at, "here", path)), "OAuthCallbackError/flow_missing")
  })

  it("begun here is not finished there: the person begins it again", async () => {
    const at = pair(settingOf({ name: "", kind: "oauth" }))
    const answer = await end(at, "there", agree(at, await begin(at, "here")))
    assert.isDefined(errorOf(answer))
    assert.isUndefined(await whoAt(at, "there"))
  })
})

describe("what binds a sign-in to its browser", () => {
  it("is asked for here when it began there: another browser is refused", async () => {
    const at = pair(settingOf({ name: "", kind: "oidc", more: { checks: ["pkce", "state", "nonce"] } }))
    const path = agree(at, await begin(at, "there"))
    at.browser.cookies.clear()
    const answer = await end(at, "here", path)
    assert.isDefined(errorOf(answer))
    assert.isUndefined(await whoAt(at, "here"))
  })

  it("is used once: the answer of the provider comes here a second time", async () => {
    const at = pair(settingOf({ name: "", kind: "oauth" }))
    const path = agree(at, await begin(at, "there"))
    const cookies = new Map(at.browser.cookies)
    await arrived(at, await end(at, "here", path))
    at.browser.cookies.clear()
    for (const [key, value] of cookies) at.browser.cookies.set(key, value)
    assert.isDefined(errorOf(await end(at, "here", path)))
    assert.isUndefined(await whoAt(at, "here"))
  })

  for (const key of ["state", "pkce.code_verifier", "nonce"]) {
    it(`is there whole: without its ${key} a sign-in that began there is not finished here`, async () => {
      const at = pair(settingOf({ name: "", kind: "oidc", more: { checks: ["pkce", "state", "nonce"] } }))
      const path = agree(at, await begin(at, "there"))
      assert.isTrue(at.browser.cookies.delete(`__Secure-authjs.${key}`))
      assert.match(errorOf(await end(at, "here", path)) ?? "", /^OAuthCallbackError\//)
      assert.isUndefined(await whoAt(at, "here"))
    })
  }

  it("is there at all: without checks, a sign-in that began there is begun again here", async () => {
    const at = pair(settingOf({ name: "", kind: "oauth", more: { checks: [] } }))
    const path = agree(at, await begin(at, "there"))
    assert.strictEqual(errorOf(await end(at, "here", path)), "OAuthCallbackError/flow_missing")
    await arrived(
      at,
      await end(at, "here", agree(at, await begin(at, "here"))).then((answer) => {
        at.logged.length = 0
        return answer
      })
    )
  })

  it("is the nonce, where there is nothing else: the code of another user is not good here", async () => {
    const at = pair(settingOf({ name: "", kind: "oidc", more: { checks: ["nonce"] } }))
    const theirs = agree(at, await begin(at, "there"))
    at.browser.cookies.clear()
    const own = agree(at, await begin(at, "there"))
    assert.strictEqual(errorOf(await end(at, "here", theirs)), "OAuthCallbackError/invalid_token")
    assert.isUndefined(await whoAt(at, "here"))
    at.logged.length = 0
    at.browser.cookies.clear()
    assert.strictEqual(errorOf(await end(at, "here", own)), "OAuthCallbackError/flow_missing")
  })

  it("names the provider: what began there at one is not finished here at another", async () => {
    const at = pair({
      config: (world) => ({ providers: [oauth(world), oauth(world, { id: "other", name: "Other" })] })
    })
    const path = agree(at, await begin(at, "there"))
    assert.match(errorOf(await end(at, "here", path.replace("/acme", "/other"))) ?? "", /^OAuthCallbackError\//)
  })
})

describe("a redirect proxy", () => {
  const proxy = "https://proxy.example"
  const sides: ReadonlyArray<Side> = ["there", "here"]
  for (const kind of ["oauth", "oidc"] as const) {
    for (const first of sides) {
      for (const middle of sides) {
        // A flow that began here is finished here.
        for (const last of first === "here" ? (["here"] as const) : sides) {
          it(`${kind}: begun ${first}, forwarded ${middle}, finished ${last}`, async () => {
            const at = pair({
              origin: "https://preview.example",
              openid: kind === "oidc",
              config: (world) => ({
                redirectProxyUrl: `${proxy}/auth`,
                providers: [(kind === "oidc" ? oidc : oauth)(world)]
              })
            })
            const back = at.idp.authorize((await begin(at, first)).headers.get("location") ?? "")
            assert.strictEqual(back.origin, proxy)
            const forwarded = await at.ask(middle, new Request(back))
            const next = new URL(forwarded.headers.get("location") ?? "")
            assert.strictEqual(next.origin, "https://preview.example")
            await arrived(at, await end(at, last, `${next.pathname}${next.search}`))
          })
        }
      }
    }
  }
})

describe("an account", () => {
  for (const [first, second] of ways) {
    it(`that was linked ${first} signs in ${second}`, async () => {
      const at = pair({
        config: (world) => ({ adapter: world.store.adapter(), providers: [oauth(world), email(world)] })
      })
      await end(at, first, agree(at, await begin(at, first)))
      at.browser.cookies.clear()
      await arrived(at, await end(at, second, agree(at, await begin(at, second))))
      assert.lengthOf(at.store.users, 1)
      assert.lengthOf(at.store.accounts, 1)
    })
  }
})
