import { assert, describe, it } from "vitest"
import { createAuth, customFetch } from "../../src/index.ts"
import { forFunctions } from "../ForFunctions.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { ownSite, visitor } from "../Visitor.ts"

const shop = "https://shop.app.example"
const login = "https://login.app.example"

/** A browser that begins at one host and comes back at another, with the cookies whose domain lets it. */
const signIn = async (cookies: object) => {
  const provider = memoryProvider()
  const redirect_uri = `${login}/auth/callback/idp`
  const authorization = { params: { redirect_uri, scope: "openid" } }
  const auth = createAuth(
    forFunctions({
      ...ownSite(),
      trustHost: true,
      env: {},
      providers: [idp({ authorization, [customFetch]: provider.fetch })],
      cookies,
      logger: {}
    })
  )
  const first = visitor(auth.handler, shop)
  const sent = await first.submit("/auth/signin/idp")
  const attempt = sent.headers.getSetCookie().find((line) => line.includes("Max-Age=900")) ?? ""
  const back = provider.agree(sent.headers.get("location") ?? "")
  assert.strictEqual(`${back.origin}${back.pathname}`, redirect_uri)
  const second = visitor(auth.handler, login)
  if (/; Domain=app\.example;/.test(attempt))
    for (const [name, value] of first.cookies) if (attempt.startsWith(`${name}=`)) second.cookies.set(name, value)
  const answer = await second.get(`${back.pathname}${back.search}`)
  return { attempt, location: answer.headers.get("location") ?? "", session: await second.session() }
}

describe("A sign-in that begins on one subdomain and ends on another", () => {
  it.each([
    [{ state: { options: { domain: "app.example" } } }, "__Secure-authjs.flow."],
    [{ state: { name: "own.state", options: { domain: "app.example" } } }, "own.state."]
  ])("is completed where cookies.state has a domain: %o", async (cookies, name) => {
    const { attempt, session } = await signIn(cookies)
    assert.isTrue(attempt.startsWith(name), attempt)
    assert.strictEqual(session?.user?.["name"], "Ada")
  })

  it("is refused without one", async () => {
    const { attempt, location, session } = await signIn({})
    assert.isTrue(attempt.startsWith("__Host-authjs.flow."), attempt)
    assert.include(location, "error=")
    assert.isNull(session)
  })
})
