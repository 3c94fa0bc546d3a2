/**
 * What every server of the examples does: a user signs in, reads a page and signs out, and strangers are told apart.
 */
import { request as nodeRequest } from "node:http"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { CookieJarClient } from "../real/CookieJarClient.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Example } from "./Example.ts"
import { knowing, sessionOf, signInOnTheWay, signOut } from "./Example.ts"

/** A request with a header that `fetch` does not let a program choose. */
const askAs = (host: string, url: string): Promise<{ status: number; headers: Headers; body: string }> =>
  new Promise((resolve, reject) => {
    nodeRequest(url, { headers: { host, "x-forwarded-host": "evil.example" } }, (answer) => {
      let body = ""
      answer.on("data", (chunk) => (body += String(chunk)))
      answer.on("end", () => {
        const headers = new Headers()
        for (const [name, values] of Object.entries(answer.headersDistinct)) {
          for (const value of values ?? []) headers.append(name, value)
        }
        resolve({ status: answer.statusCode ?? 0, headers, body })
      })
    })
      .on("error", reject)
      .end()
  })

/** Starts an example with these variables. */
type Start = (environment: Readonly<Record<string, string>>) => Promise<Example>

/** The tests of an example. */
export const behave = (name: string, start: Start, provider: () => OpenIdProvider): void => {
  describe(name, () => {
    let example: Example

    beforeAll(async () => {
      example = await start(knowing(provider()))
    })
    afterAll(async () => void (await example.stop()))
    afterEach(() => {
      provider().script.consent = "allow"
    })

    it("signs in at a provider, shows the private page, and signs out", async () => {
      const client = new CookieJarClient()
      assert.isNull(await sessionOf(client, example.origin))
      const page = await signInOnTheWay(client, example.origin)
      assert.equal(page.url.href, `${example.origin}/private`)
      assert.equal(page.body, "Hello alice of the test\n")
      assert.equal(page.headers.get("cache-control"), "private, no-store")
      assert.deepNestedInclude(await sessionOf(client, example.origin), { "user.email": "alice@provider.example" })
      assert.isNull(await sessionOf(new CookieJarClient(), example.origin), "another browser is nobody")

      await signOut(client, example.origin)
      assert.isNull(await sessionOf(client, example.origin))
      assert.equal((await client.visit(`${example.origin}/private`)).url.pathname, "/auth/signin")
      assert.include((await client.visit(example.origin)).body, `<a href="/auth/signin">`)
    })

    it("signs no user in who declined at the provider", async () => {
      provider().script.consent = "deny"
      const client = new CookieJarClient()
      const page = await signInOnTheWay(client, example.origin)
      assert.include(["/auth/error", "/auth/signin"], page.url.pathname)
      assert.isNull(await sessionOf(client, example.origin))
    })

    it("takes no cookie for a session that it did not seal", async () => {
      const client = new CookieJarClient()
      await client.jar.setCookie("authjs.session-token=eyJhbGciOiJkaXIifQ..a.b.c; Path=/", example.origin)
      assert.equal((await client.visit(`${example.origin}/private`)).url.pathname, "/auth/signin")
    })

    it("takes the body of a form as it comes", async () => {
      const client = new CookieJarClient()
      const { csrfToken } = JSON.parse((await client.fetch(`${example.origin}/auth/csrf`)).body)
      const parts = ["csrfToken=", csrfToken, "&callbackUrl=", "%2Fprivate"]
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const part = parts.shift()
          if (part === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(part))
        }
      })
      const init = {
        method: "POST",
        redirect: "manual" as const,
        duplex: "half",
        body,
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          cookie: await client.jar.getCookieString(example.origin)
        }
      }
      const answer = await fetch(`${example.origin}/auth/signin/idp`, init)
      assert.equal(answer.status, 302)
      assert.isTrue(answer.headers.get("location")?.startsWith(`${provider().issuer}/auth?`))
      assert.isAbove(answer.headers.getSetCookie().length, 1, "several cookies stay several")
    })

    it("answers what cannot be a request, and goes on", async () => {
      const before = example.said()
      const answer = await askAs("no host", `${example.origin}/auth/session`)
      assert.equal(answer.status, 400)
      assert.equal((await fetch(`${example.origin}/auth/session`)).status, 200)
      assert.equal(example.said(), before, "nothing to log")
    })
  })

  describe(`${name} behind an address of its own`, () => {
    it("has the address of AUTH_URL for any headers", async () => {
      const example = await start({ ...knowing(provider()), AUTH_URL: "https://app.example/auth" })
      try {
        const providers = await askAs("evil.example", `${example.origin}/auth/providers`)
        assert.equal(JSON.parse(providers.body).idp.callbackUrl, "https://app.example/auth/callback/idp")
        const csrf = await askAs("evil.example", `${example.origin}/auth/csrf`)
        assert.match(csrf.headers.getSetCookie().join("\n"), /^__Host-authjs\.csrf-token=.*; Secure/m)
        const there = await askAs("evil.example", `${example.origin}/private`)
        assert.match(there.headers.get("location") ?? "", /^(?:https:\/\/app\.example)?\/auth\/signin\?callbackUrl=/)
        const slashes = await askAs("evil.example", `${example.origin}//evil.example/auth/session`)
        assert.equal(slashes.status, 404)
      } finally {
        await example.stop()
      }
    })
  })
}
