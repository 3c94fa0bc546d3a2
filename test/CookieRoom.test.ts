/**
 * All cookies of the library in one `Cookie` header, at the server of Node behind the line of 8190 bytes that Apache and nginx take:
 * whatever is large, the browser gets answers and can sign out.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { customFetch, createAuth } from "../src/index.ts"
import { toNodeHandler } from "../src/node.ts"
import type { Options } from "../src/config/Settings.ts"
import { idp } from "./MemoryProvider.ts"
import { endSessionEndpoint, providerWith } from "./actions/LogoutSite.ts"
import { forFunctions } from "./ForFunctions.ts"
import { listener, ownSite, type Visitor, visitor } from "./Visitor.ts"

const running: Array<() => void> = []
afterEach(() => running.splice(0).forEach((close) => close()))

/** Most bytes of a line of a header that the front accepts, with its name. */
const largestLine = 8190

interface Sizes {
  readonly session?: number
  readonly accessToken?: number
  readonly idToken?: number
  /** Bytes that an update of the session adds. */
  readonly update?: number
  /** The provider answers by a form. */
  readonly formPost?: boolean
}

/** A site at a real server, and a browser at it. The server answers 431 where Apache and nginx refuse the line; Node does by itself. */
const serve = async (sizes: Sizes, front = largestLine) => {
  const { logger, told } = listener()
  const provider = providerWith()
  provider.claims["note"] = "n".repeat(sizes.idToken ?? 0)
  Object.assign(provider.tokens, { access: "a".repeat(sizes.accessToken ?? 20) })
  const longest = { line: 0 }
  const update = { bytes: sizes.update ?? 0 }
  const server = createServer((request, response) => {
    const line = `cookie: ${request.headers.cookie ?? ""}`.length
    longest.line = Math.max(longest.line, line)
    if (line > front) response.writeHead(431).end()
    else handler(request, response)
  }).listen(0, "127.0.0.1")
  running.push(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, "listening")
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const options: Options = ownSite({
    providers: [
      idp({
        logout: "provider",
        [customFetch]: provider.fetch,
        ...(sizes.formPost === true ? { authorization: { params: { response_mode: "form_post" } } } : {})
      })
    ],
    providerTokens: "cookie",
    origin,
    logger,
    callbacks: {
      jwt: ({ token, trigger }) => ({
        ...token,
        ...(trigger === "signIn" ? { large: "s".repeat(sizes.session ?? 0) } : {}),
        ...(trigger === "update" ? { added: "u".repeat(update.bytes) } : {})
      })
    }
  })
  const auth = createAuth(forFunctions({ ...options, env: {} }))
  const handler = toNodeHandler(auth)
  const crossSite = new Set<string>()
  const browser = visitor(async (request) => {
    const headers = new Headers(request.headers)
    const { pathname } = new URL(request.url)
    const isForm = request.method === "POST" && pathname === "/auth/callback/idp"
    const cookies = (headers.get("cookie") ?? "").split("; ").filter((pair) => {
      if (isForm) return crossSite.has(pair.slice(0, pair.indexOf("=")))
      return pathname.startsWith("/auth/signout") || !/^authjs\.(?:id-token|logout)[.=]/.test(pair)
    })
    headers.set("cookie", cookies.join("; "))
    const body = await request.text()
    const init = { method: request.method, headers, redirect: "manual" as const, ...(body === "" ? {} : { body }) }
    const answer = await fetch(request.url, init)
    for (const line of answer.headers.getSetCookie()) {
      if (line.includes("; SameSite=None")) crossSite.add(line.slice(0, line.indexOf("=")))
    }
    return answer
  }, origin)
  const signIn = async (callbackUrl = "/"): Promise<Response> => {
    const begun = await browser.submit("/auth/signin/idp", { callbackUrl })
    const back = provider.agree(begun.headers.get("location") ?? "")
    return sizes.formPost === true
      ? browser.post(back.pathname, [...back.searchParams], { origin: "https://idp.example" })
      : browser.get(back.pathname + back.search)
  }
  const said = () => told.advice.join()
  return { auth, browser, provider, signIn, said, longest, origin, update }
}

const has = ({ cookies }: Visitor, name: string): boolean =>
  [...cookies.keys()].some((one) => one === name || one.startsWith(`${name}.`))

const tokens = "authjs.provider-tokens"

/** The target of a sign-out: the provider with a hint, the provider, which asks then, or this site alone. */
type Reach = "hint" | "asks" | "local"

const signOut = async ({ browser }: { readonly browser: Visitor }): Promise<Reach> => {
  const answer = await browser.submit("/auth/signout", { logout: "provider" })
  assert.strictEqual(answer.status, 302)
  const location = answer.headers.get("location") ?? ""
  assert.isNull(await browser.session())
  if (!location.startsWith(endSessionEndpoint)) return "local"
  return new URL(location).searchParams.has("id_token_hint") ? "hint" : "asks"
}

describe("the room of all cookies together", () => {
  it.each([
    [{}, true, "hint"],
    [{ idToken: 1200 }, true, "hint"],
    [{ idToken: 4000 }, true, "asks"],
    [{ idToken: 6000 }, true, "asks"],
    [{ accessToken: 2500 }, true, "hint"],
    [{ accessToken: 3000 }, true, "asks"],
    [{ accessToken: 8000 }, false, "hint"],
    [{ session: 1500, accessToken: 1000 }, true, "hint"],
    [{ session: 2500, accessToken: 1200, idToken: 1200 }, true, "asks"],
    [{ session: 4500, accessToken: 100, idToken: 1500 }, false, "asks"],
    [{ session: 4400, accessToken: 3000, idToken: 5000 }, false, "asks"]
  ] satisfies ReadonlyArray<readonly [Sizes, boolean, Reach]>)(
    "keeps a user of %o signed in: provider tokens %s, sign-out %s",
    async (sizes, keepsTokens, reach) => {
      const at = await serve(sizes)
      assert.strictEqual((await at.signIn()).status, 302)
      assert.isNotNull(await at.browser.session())
      assert.strictEqual(has(at.browser, tokens), keepsTokens)
      assert.strictEqual(/The tokens of idp are not kept/.test(at.said()), !keepsTokens)
      assert.strictEqual(/The ID token of idp is not kept/.test(at.said()), reach !== "hint")
      // Another attempt fits beside all of them.
      await at.browser.submit("/auth/signin/idp")
      assert.isNotNull(await at.browser.session())
      assert.strictEqual(await signOut(at), reach)
      assert.isAtMost(at.longest.line, largestLine)
    }
  )

  it("leaves out of the cookie of tokens what a refresh does not compare in the ID token", async () => {
    const [small, large] = [await serve({}), await serve({ idToken: 2000 })]
    const sizes = await Promise.all(
      [small, large].map(async ({ browser, signIn }) => {
        await signIn()
        return browser.cookies.get(tokens)?.length ?? 0
      })
    )
    assert.isAbove(Number(sizes[0]), 0)
    assert.strictEqual(sizes[0], sizes[1])
  })

  it("drops the ID token and then the provider tokens of a session that grows, and says so", async () => {
    for (const [update, keepsTokens, keepsIdToken] of [
      [10, true, true],
      [2500, true, false],
      [4500, false, false]
    ] as const) {
      const at = await serve({ accessToken: 1000, idToken: 500, update })
      await at.signIn()
      const csrfToken = await at.browser.csrfToken()
      const answer = await at.browser.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data: {} })
      })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(has(at.browser, tokens), keepsTokens, String(update))
      assert.strictEqual(/Removed from the browser: tokens of a provider/.test(at.said()), !keepsTokens)
      assert.isNotNull(await at.browser.session())
      assert.strictEqual(await signOut(at), keepsIdToken ? "hint" : "local")
      assert.isAtMost(at.longest.line, largestLine, String(update))
    }
  })

  it("keeps the ID token of a session that grows a little, and drops it before a sign-out has no room", async () => {
    const at = await serve({ accessToken: 2000, idToken: 500 })
    await at.signIn()
    const name = "authjs.id-token"
    const grow = async (bytes: number) => {
      at.update.bytes = bytes
      const csrfToken = await at.browser.csrfToken()
      const answer = await at.browser.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data: {} })
      })
      assert.strictEqual(answer.status, 200)
    }
    await grow(1)
    assert.isTrue(has(at.browser, name))
    assert.notMatch(at.said(), /Removed from the browser/)
    // Many small steps are one large one.
    for (let bytes = 60; bytes <= 3000; bytes += 60) await grow(bytes)
    assert.isFalse(has(at.browser, name))
    assert.match(at.said(), /Removed from the browser: any ID token for a logout/)
    assert.strictEqual(await signOut(at), "local")
    assert.isAtMost(at.longest.line, largestLine)
  })

  it("signs out beside a session that leaves no room for the name of its provider", async () => {
    for (const session of [4700, 4900, 5100, 5200, 5300, 5400]) {
      const at = await serve({ session })
      await at.signIn()
      assert.isNotNull(await at.browser.session())
      const reach = has(at.browser, "authjs.id-token") ? "asks" : "local"
      assert.strictEqual(/The name of the provider has no room/.test(at.said()), reach === "local", String(session))
      assert.strictEqual(await signOut(at), reach)
      assert.isAtMost(at.longest.line, largestLine, String(session))
    }
  })

  it.each([
    [{ accessToken: 1500, idToken: 600 }, "/"],
    [{ accessToken: 2500 }, "/"],
    [{ accessToken: 1500, idToken: 600 }, `/${"x".repeat(3000)}`],
    [{ session: 2000 }, `/${"x".repeat(3700)}`]
  ] satisfies ReadonlyArray<readonly [Sizes, string]>)(
    "signs out at the provider beside attempts that are open: %o",
    async (sizes, callbackUrl) => {
      const at = await serve(sizes)
      await at.signIn(callbackUrl)
      for (let attempts = 0; attempts < 6; attempts++) {
        await at.browser.submit("/auth/signin/idp", { callbackUrl })
        assert.isNotNull(await at.browser.session())
      }
      assert.strictEqual(await signOut(at), "hint")
      assert.isAtMost(at.longest.line, largestLine)
    }
  )

  it("counts what a browser does not send with an answer by a form, and removes it", async () => {
    for (const accessToken of [800, 3000, 4000]) {
      const at = await serve({ accessToken, formPost: true })
      assert.strictEqual((await at.signIn(`/?${"&".repeat(1270)}`)).status, 302)
      assert.isNotNull(await at.browser.session())
      await at.browser.submit("/auth/signin/idp")
      assert.isNotNull(await at.browser.session())
      await signOut(at)
      assert.isAtMost(at.longest.line, largestLine, String(accessToken))
    }
  })

  it("leaves no older tokens beside those of an answer by a form", async () => {
    const at = await serve({ formPost: true })
    const kept = async (size: number) => {
      at.provider.tokens.access = "a".repeat(size)
      await at.signIn()
      return [...at.browser.cookies.keys()].filter((name) => name.startsWith(tokens))
    }
    assert.deepStrictEqual(await kept(2600), [`${tokens}.0`, `${tokens}.1`])
    assert.deepStrictEqual(await kept(1000), [tokens])
    assert.deepStrictEqual(await kept(2600), [`${tokens}.0`, `${tokens}.1`])
    assert.deepStrictEqual(await kept(9000), [])
    assert.isAtMost(at.longest.line, largestLine)
  })

  it("keeps the tokens of a refresh beside attempts that are open: the refresh token before is spent", async () => {
    for (const accessToken of [2400, 2700, 3000]) {
      const at = await serve({ accessToken })
      await at.signIn()
      for (let attempts = 0; attempts < 3; attempts++) await at.browser.submit("/auth/signin/idp")
      let refreshes = 0
      at.provider.script["/token"] = () => {
        refreshes++
        const access = "b".repeat(accessToken)
        return Response.json({ access_token: access, refresh_token: "r2", token_type: "Bearer", expires_in: 36_000 })
      }
      for (let asked = 0; asked < 2; asked++) {
        const cookie = [...at.browser.cookies].map((pair) => pair.join("=")).join("; ")
        const answer = new Headers()
        const request = new Request(`${at.origin}/page`, { headers: { cookie } })
        const options = { provider: "idp", minimumValidity: 7200 }
        const { accessToken: got } = await at.auth.providerTokens.getCurrent(request, answer, options)
        assert.isTrue(got.startsWith("bbb"))
        for (const line of answer.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          if (line.includes("; Max-Age=0")) at.browser.cookies.delete(name)
          else at.browser.cookies.set(name, value)
        }
        assert.isTrue(has(at.browser, tokens), String(accessToken))
      }
      assert.strictEqual(refreshes, 1)
      assert.isNotNull(await at.browser.session())
      await signOut(at)
      assert.isAtMost(at.longest.line, largestLine, String(accessToken))
    }
  })

  it("counts cookies of the application as the browser sends them", async () => {
    for (const [name, value] of [
      ["undecodable", "%zz".repeat(1200)],
      ["json", '{"a":1},'.repeat(300)]
    ] as const) {
      const at = await serve({ accessToken: 800 })
      at.browser.cookies.set(name, value)
      await at.signIn()
      assert.isNotNull(await at.browser.session())
      assert.isTrue(has(at.browser, tokens), name)
      for (let attempts = 0; attempts < 6; attempts++) await at.browser.submit("/auth/signin/idp")
      assert.isNotNull(await at.browser.session())
      await signOut(at)
      assert.isAtMost(at.longest.line, largestLine, name)
    }
  })

  it("remembers no address of a link that leaves a signed-in browser no room", async () => {
    const at = await serve({ session: 2500, accessToken: 300 })
    const long = `/${"x".repeat(3800)}`
    assert.strictEqual((await at.signIn(long)).status, 302)
    assert.isNotNull(await at.browser.session())
    await at.browser.get(`/auth/signin?${new URLSearchParams({ callbackUrl: `/${"y".repeat(3500)}` })}`)
    await at.browser.submit("/auth/signin/idp", { callbackUrl: `/${"z".repeat(3500)}` })
    assert.isNotNull(await at.browser.session())
    assert.isTrue(has(at.browser, tokens))
    await signOut(at)
    assert.isAtMost(at.longest.line, largestLine)
  })

  it("writes no session that the server of Node would refuse: the sign-in fails, and the site goes on answering", async () => {
    for (const [session, isIn] of [
      [8500, true],
      [10_500, false],
      [14_000, false]
    ] as const) {
      const at = await serve({ session }, 16_384)
      await at.signIn()
      assert.strictEqual(has(at.browser, "authjs.session-token"), isIn, String(session))
      assert.strictEqual((await at.browser.get("/auth/session")).status, 200)
      if (isIn) {
        await at.browser.submit("/auth/signin/idp")
        await signOut(at)
      }
    }
  })
})
