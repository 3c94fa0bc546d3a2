/**
 * Attacks of published advisories that no other file plays: `docs/advisories.md` says which test answers which advisory.
 */
import { assert, describe, it } from "@effect/vitest"
import { makeMemory } from "../../src/Adapter.ts"
import { customFetch } from "../../src/index.ts"
import { WebAuthn } from "../../src/Provider/WebAuthn.ts"
import { acme, facade, network, type options, ownSite, password, site, visitor } from "../Visitor.ts"

const proxy = "https://proxy.example"
const names = {
  session: "__Secure-authjs.session-token",
  csrf: "__Host-authjs.csrf-token",
  link: "__Host-authjs.link",
  challenge: "__Secure-authjs.challenge"
}

/** A site with every kind of provider, and one browser that has begun every flow there. */
const everyFlow = async () => {
  const { asked, fetch } = network()
  const mails: Array<string> = []
  const mail = {
    id: "mail",
    name: "Mail",
    type: "email",
    sendVerificationRequest: ({ url }: { url: string }) => void mails.push(url)
  }
  const config = ownSite({
    origin: site,
    adapter: makeMemory(),
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    redirectProxyUrl: `${proxy}/auth`,
    providers: [password(), acme({ [customFetch]: fetch }), mail, WebAuthn()] as unknown as ReturnType<
      typeof options
    >["providers"]
  })
  const browser = visitor(facade(config))
  const csrfToken = await browser.csrfToken()
  const away = await browser.submit("/auth/signin/acme")
  const state = new URL(away.headers.get("location") ?? "").searchParams.get("state") ?? ""
  await browser.submit("/auth/signin/mail", { email: "ann@example.com" })
  await browser.get("/auth/webauthn-options/webauthn?action=register&email=bob%40example.com")
  const csrf = browser.cookies.get(names.csrf) ?? ""
  await browser.signIn("eve")
  const flow = [...browser.cookies.keys()].find((name) => name.includes(".flow.")) ?? ""
  const cookie = (name: string) => browser.cookies.get(name) ?? ""
  const link = new URL(mails[0] ?? "")
  const tokens: Record<string, string> = {
    session: cookie(names.session),
    csrf,
    csrfToken,
    flow: cookie(flow),
    state,
    linkCookie: cookie(names.link),
    linkToken: link.searchParams.get("token") ?? "",
    challenge: cookie(names.challenge)
  }
  return { asked, config, flow, link, tokens, send: facade(config) }
}

type World = Awaited<ReturnType<typeof everyFlow>>

const get = (path: string, headers: Record<string, string>) => new Request(`${site}${path}`, { headers })

/** Each place that takes a token of the library: does it accept this one? */
const places: Readonly<Record<string, (world: World, token: string) => Promise<boolean>>> = {
  session: async ({ send }, token) =>
    (await (await send(get("/auth/session", { cookie: `${names.session}=${token}` }))).json()) !== null,
  csrf: async ({ send }, token) => {
    const form = new URLSearchParams({ csrfToken: decodeURIComponent(token).split("|")[0] ?? "" })
    const headers = { cookie: `${names.csrf}=${token}` }
    const answer = await send(new Request(`${site}/auth/signin/acme`, { method: "POST", headers, body: form }))
    return (answer.headers.get("location") ?? "").startsWith("https://acme.example/")
  },
  flow: async ({ asked, flow, send, tokens }, token) => {
    const before = asked.length
    await send(get(`/auth/callback/acme?code=c&state=${tokens["state"]}`, { cookie: `${flow}=${token}` }))
    return asked.length > before
  },
  state: async ({ config }, token) => {
    const onProxy = facade({ ...config, origin: proxy })
    const answer = await onProxy(new Request(`${proxy}/auth/callback/acme?code=c&state=${encodeURIComponent(token)}`))
    return (answer.headers.get("location") ?? "").startsWith(site)
  },
  linkCookie: async ({ link, send }, token) => {
    const page = await send(get(`${link.pathname}${link.search}`, { cookie: `${names.link}=${token}` }))
    return (await page.text()).includes("<bdi>ann@example.com</bdi>")
  },
  linkToken: async ({ link, send }, token) => {
    const browser = visitor(send)
    const address = new URL(link)
    address.searchParams.set("token", token)
    await browser.submit(`${address.pathname}${address.search}`)
    return (await browser.session()) !== null
  }
}

describe("tokens of one site", () => {
  it("every token that the library issues is refused in every place but its own", { timeout: 240_000 }, async () => {
    const issued = Object.keys((await everyFlow()).tokens)
    for (const [place, accepts] of Object.entries(places)) {
      for (const kind of issued) {
        // A world of their own: some tokens count once.
        const world = await everyFlow()
        assert.strictEqual(await accepts(world, world.tokens[kind] ?? ""), kind === place, `${kind} as ${place}`)
      }
    }
  })
})

describe("headers", () => {
  it("no header but Cookie and Authorization says who is signed in", async () => {
    const { send, tokens } = await everyFlow()
    const token = tokens["session"] ?? ""
    const claims = Buffer.from(JSON.stringify({ sub: "1", email: "ann@example.com" })).toString("base64url")
    const inventions: ReadonlyArray<readonly [name: string, value: string]> = [
      ["x-middleware-subrequest", "middleware:middleware:middleware:middleware:middleware"],
      ["x-middleware-subrequest", "src/middleware:src/middleware:src/middleware:src/middleware:src/middleware"],
      ["x-middleware-request-cookie", `${names.session}=${token}`],
      ["x-clerk-auth-status", "signed-in"],
      ["x-clerk-auth-token", token],
      ["x-auth-token", token],
      ["x-auth-user", "ann@example.com"],
      ["x-forwarded-user", "ann@example.com"],
      ["x_forwarded_user", "ann@example.com"],
      ["x_authorization", `Bearer ${token}`],
      ["proxy-authorization", `Bearer ${token}`],
      ["x-forwarded-access-token", token],
      ["x-authjs-session-token", token],
      ["set-cookie", `${names.session}=${token}`],
      ["cookie2", `${names.session}=${token}`],
      ["authorization", `Bearer ${claims}`],
      ["authorization", `Basic ${btoa("ann:pw")}`],
      ["authorization", `Bearer e30.${claims}.`]
    ]
    for (const [name, value] of inventions) {
      const answer = await send(get("/auth/session", { [name]: value }))
      assert.strictEqual(await answer.text(), "null", name)
      assert.deepStrictEqual(answer.headers.getSetCookie(), [], name)
      // These headers do not replace the token of a form either.
      const form = await send(
        new Request(`${site}/auth/signout`, { method: "POST", headers: { [name]: value }, body: new URLSearchParams() })
      )
      assert.include(form.headers.get("location") ?? "", "MissingCSRF", name)
    }
  })
})
