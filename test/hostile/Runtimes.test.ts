import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Index from "../../src/index.ts"
import { forFunctions } from "../ForFunctions.ts"
import { acme, facade, options, otherSecret, secret, type Site, site, visitor } from "../Visitor.ts"

/** The library as a runtime without the modules of Node loads it: an edge worker, for example. */
const elsewhere = async (): Promise<typeof Index> => {
  vi.resetModules()
  vi.stubGlobal("process", { env: {} })
  const fresh = await import("../../src/index.ts")
  // The engine is loaded by the first request, and looks at the runtime then.
  await fresh.Auth(new Request(`${site}/auth/csrf`), forFunctions(options()))
  const { defaultEngine } = await import("../../src/crypto/CryptoEngine.ts")
  engine = defaultEngine()._tag
  return fresh
}

let engine = "none"

type Library = Pick<typeof Index, "Auth" | "encode" | "decode">

let edge: Library = Index

beforeAll(async () => {
  edge = await elsewhere()
  vi.unstubAllGlobals()
})
afterAll(() => void vi.resetModules())

const at =
  ({ Auth }: Library, config = options()): Site =>
  (request) =>
    Auth(request, forFunctions(config))

/** An answer without its random parts and times. */
const told = async (response: Response): Promise<unknown> => {
  const mask = (text: string): string =>
    text
      .replaceAll(/d00a4a57[0-9a-f]{56}/g, "token")
      .replaceAll(/\b[0-9a-f]{64}\b/g, "digest")
      .replaceAll(/(authjs\.browser=)[\w-]{22}\.\d+(\.[\w-]+\.)[\w-]{43}/g, "$1id.time$2proof")
      .replaceAll(/eyJ[\w-]+\.[\w.-]*/g, "sealed")
      .replaceAll(/[\w-]{40,}/g, "random")
      .replaceAll(/flow\.[\w-]+/g, "flow.id")
      .replaceAll(/request_id=[\w-]+/g, "request_id=random")
      .replaceAll(/Expires=[^;]+/g, "Expires=time")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
  const cookies = response.headers.getSetCookie().map(mask)
  const headers = [...response.headers]
    .filter(([name]) => name !== "set-cookie")
    .map(([name, value]) => [name, name === "x-request-id" ? "random" : mask(value)])
  return [response.status, headers, cookies, mask(await response.text())]
}

describe("a runtime without the modules of Node", () => {
  it("H296 is another copy, which runs on WebCrypto", () => {
    assert.notStrictEqual(edge.Auth, Index.Auth)
    assert.strictEqual(engine, "WebCrypto")
  })

  it("H296 gives the same answers", async () => {
    const journey = async (library: Library): Promise<ReadonlyArray<unknown>> => {
      const browser = visitor(at(library))
      const answers: Array<unknown> = []
      const keep = async (response: Response) => void answers.push(await told(response))
      for (const path of [
        "session",
        "csrf",
        "providers",
        "signin",
        "signout",
        "error?error=AccessDenied",
        "verify-request",
        "nope",
        "callback/acme?code=c&state=s"
      ]) {
        await keep(await browser.get(`/auth/${path}`))
      }
      await keep(await browser.post("/auth/signout", {}))
      await keep(await browser.submit("/auth/signin/acme", { callbackUrl: "/x" }))
      await keep(await browser.submit("/auth/callback/credentials", { username: "ann", password: "no" }))
      await keep(await browser.signIn())
      await keep(await browser.get("/auth/session"))
      await keep(await browser.submit("/auth/signout", { callbackUrl: "//evil.example" }))
      await keep(await browser.get("/auth/session", { cookie: "__Secure-authjs.session-token=garbage" }))
      return answers
    }
    assert.deepStrictEqual(await journey(edge), await journey(Index))
  })

  it("H296 shares its sessions, forms and attempts with the others", async () => {
    for (const [from, to] of [
      [edge, Index],
      [Index, edge]
    ] as const) {
      const browser = visitor(at(from))
      await browser.signIn()
      const moved = visitor(at(to))
      const token = await browser.csrfToken()
      for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
      assert.strictEqual((await moved.session())?.user?.["name"], "ann")
      const out = await moved.post("/auth/signout", { csrfToken: token })
      assert.strictEqual(out.headers.get("location"), site)

      const asked: Array<string> = []
      const fetch = async (input: RequestInfo | URL) => {
        asked.push(input instanceof Request ? input.url : String(input))
        return new Response("{}", { status: 500 })
      }
      const config = options({ providers: [acme({ [Index.customFetch]: fetch })] })
      const started = visitor(at(from, config))
      const response = await started.submit("/auth/signin/acme")
      const state = new URL(response.headers.get("location") ?? "").searchParams.get("state") ?? ""
      const back = visitor(at(to, config))
      for (const [name, value] of started.cookies) back.cookies.set(name, value)
      await back.get(`/auth/callback/acme?code=c&state=${state}`)
      assert.deepStrictEqual(asked, ["https://acme.example/token"])
    }
  })

  it("H296 refuses the same tokens", async () => {
    const salt = "authjs.session-token"
    const good = await Index.encode({ token: { sub: "1" }, secret, salt })
    for (const token of [good, `${good}x`, good.slice(0, -2), "a.b.c.d.e", "", good.replace(/^./, "f")]) {
      for (const key of [secret, otherSecret]) {
        const [one, other] = await Promise.all(
          [Index, edge].map((library) =>
            library.decode({ token, secret: key, salt }).then(
              (claims) => claims?.sub ?? null,
              () => "error"
            )
          )
        )
        assert.strictEqual(one, other)
      }
    }
  })

  it("the answers of this runtime are those of the facade", async () => {
    const one = await told(await facade(options())(new Request(`${site}/auth/signin`)))
    assert.deepStrictEqual(await told(await at(edge)(new Request(`${site}/auth/signin`))), one)
  })
})
