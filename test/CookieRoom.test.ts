/**
 * All cookies of the library in one `Cookie` header, at the server of Node behind the line of 8190 bytes that Apache and nginx take:
 * whatever is large, the browser gets answers and can sign out.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { customFetch, createAuth } from "../src/index.ts"
import { toNodeHandler } from "../src/node.ts"
import type { Options } from "../src/config/Settings.ts"
import { idp } from "./MemoryProvider.ts"
import { endSessionEndpoint, providerWith } from "./actions/LogoutSite.ts"
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
}

/** A site at a real server, and a browser at it. The server answers 431 where Apache and nginx refuse the line; Node does by itself. */
const serve = async (sizes: Sizes, front = largestLine) => {
  const { logger } = listener()
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
  running.push(() => warn.mockRestore())
  const provider = providerWith()
  provider.claims["note"] = "n".repeat(sizes.idToken ?? 0)
  Object.assign(provider.tokens, { access: "a".repeat(sizes.accessToken ?? 20) })
  const longest = { line: 0 }
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
    providers: [idp({ logout: "provider", [customFetch]: provider.fetch })],
    providerTokens: "cookie",
    origin,
    logger,
    callbacks: {
      jwt: ({ token, trigger }) => ({
        ...token,
        ...(trigger === "signIn" ? { large: "s".repeat(sizes.session ?? 0) } : {}),
        ...(trigger === "update" ? { added: "u".repeat(sizes.update ?? 0) } : {})
      })
    }
  })
  const auth = createAuth({ ...options, env: {} })
  const handler = toNodeHandler(auth)
  const browser = visitor((request) => {
    const headers = new Headers(request.headers)
    const { pathname } = new URL(request.url)
    const cookies = (headers.get("cookie") ?? "").split("; ").filter((pair) => {
      return pathname.startsWith("/auth/signout") || !/^authjs\.(?:id-token|logout)[.=]/.test(pair)
    })
    headers.set("cookie", cookies.join("; "))
    return request.text().then((body) =>
      fetch(request.url, {
        method: request.method,
        headers,
        redirect: "manual",
        ...(body === "" ? {} : { body })
      })
    )
  }, origin)
  const signIn = async (callbackUrl = "/"): Promise<Response> => {
    const begun = await browser.submit("/auth/signin/idp", { callbackUrl })
    const back = provider.agree(begun.headers.get("location") ?? "")
    return browser.get(back.pathname + back.search)
  }
  const said = () => warn.mock.calls.join()
  return { browser, signIn, said, longest }
}

const has = ({ cookies }: Visitor, name: string): boolean =>
  [...cookies.keys()].some((one) => one === name || one.startsWith(`${name}.`))

const tokens = "authjs.provider-tokens"

/** What a sign-out reaches: the provider with a hint, the provider, which asks then, or this site alone. */
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
      assert.strictEqual(/The tokens of a provider are removed/.test(at.said()), !keepsTokens)
      assert.isNotNull(await at.browser.session())
      assert.strictEqual(await signOut(at), keepsIdToken ? "hint" : "local")
      assert.isAtMost(at.longest.line, largestLine, String(update))
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
