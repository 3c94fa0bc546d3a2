/**
 * The example for Next.js: installed with the packed library, built, started behind another address, and used. Slow, so it is
 * no part of `npm test`: `npm run test:frameworks` runs it.
 */
import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { run, timed } from "../frameworks/Packed.ts"
import type { TestBrowser } from "../real/Browser.ts"
import { launchBrowser } from "../real/Browser.ts"
import { CookieJarClient } from "../real/CookieJarClient.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Balancer } from "./Balancer.ts"
import { startBalancer } from "./Balancer.ts"
import type { Example } from "./Example.ts"
import { knowing, sessionOf, signInOnTheWay, signOut, startProvider, startServer } from "./Example.ts"

const folder = fileURLToPath(new URL("../../examples/nextjs", import.meta.url))

let provider: OpenIdProvider
let balancer: Balancer
let example: Example
let browser: TestBrowser

beforeAll(async () => {
  await rm(`${folder}/.next`, { recursive: true, force: true })
  const next = `${folder}/node_modules/next/dist/bin/next`
  await timed("next build", run(folder, next, "build"))
  ;[provider, balancer, browser] = await Promise.all([startProvider(), startBalancer(), launchBrowser()])
  const environment = { ...knowing(provider), AUTH_URL: `${balancer.origin}/auth`, NEXT_TELEMETRY_DISABLED: "1" }
  example = await timed("next start", startServer([next, "start", "-H", "127.0.0.1"], folder, environment))
  balancer.state.targets = [example.origin]
}, 600_000)

afterAll(async () => {
  await Promise.all([example?.stop(), provider?.close(), balancer?.close(), browser?.close()])
})

describe("examples/nextjs", () => {
  it("signs in at a provider, shows the private page, and signs out", async () => {
    const client = new CookieJarClient()
    const { origin } = balancer
    assert.include((await client.visit(origin)).body, `<a href="/auth/signin">`)
    const page = await signInOnTheWay(client, origin)
    assert.equal(page.url.href, `${origin}/private`)
    assert.include(page.body.replaceAll("<!-- -->", ""), "<p>Hello alice of the test</p>")
    assert.include((await client.visit(origin)).body.replaceAll("<!-- -->", ""), "Signed in as alice of the test")
    assert.deepNestedInclude(await sessionOf(client, origin), { "user.email": "alice@provider.example" })
    await signOut(client, origin)
    assert.isNull(await sessionOf(client, origin))
    assert.equal((await client.visit(`${origin}/private`)).url.pathname, "/auth/signin")
  })

  it("sends strangers away before a page is rendered, to the public address", async () => {
    const client = new CookieJarClient()
    await client.jar.setCookie("authjs.session-token=eyJhbGciOiJkaXIifQ..a.b.c; Path=/", balancer.origin)
    const answer = await client.fetch(`${balancer.origin}/private?a=b`)
    assert.equal(answer.status, 307)
    assert.equal(answer.location?.href, `${balancer.origin}/auth/signin?callbackUrl=%2Fprivate%3Fa%3Db`)
    assert.notInclude(answer.body, "Hello")
  })

  it("works in a browser, without a complaint", async () => {
    const { complaints, context, page, strangers } = await browser.visitor()
    await page.goto(balancer.origin)
    await page.getByRole("link", { name: "Sign in" }).click()
    await page.getByRole("button", { name: "the provider" }).click()
    await page.getByText("Signed in as alice of the test").waitFor()
    await page.getByRole("link", { name: "Private page" }).click()
    await page.getByText("Hello alice of the test").waitFor()
    await page.goto(balancer.origin)
    await page.getByRole("link", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.getByRole("link", { name: "Sign in" }).waitFor()
    assert.deepEqual(strangers, [])
    assert.deepEqual(
      complaints.filter((line) => !line.includes("404")),
      []
    )
    await context.close()
  })
})
