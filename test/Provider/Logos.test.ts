import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Auth } from "../../src/index.ts"
import { define } from "../../src/Provider/internal/Definition.ts"
import { GitLab } from "../../src/Provider/GitLab.ts"
import { GitLab as outline } from "../../src/Provider/internal/logos/GitLab.ts"
import type { ProviderInput } from "../../src/Provider/internal/ProviderOptions.ts"
import { forFunctions } from "../ForFunctions.ts"
import type { Fixture } from "./fixtures/Fixture.ts"

const folder = fileURLToPath(new URL("fixtures/", import.meta.url))
const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "Fixture.ts")
const credentials = { clientId: "client", clientSecret: "secret" }

const fixtures = await Promise.all(
  names.map(async (name) => {
    const { fixture }: { readonly fixture: Fixture } = await import(`./fixtures/${name}`)
    return fixture
  })
)

const signInPage = async (providers: ReadonlyArray<ProviderInput>) => {
  const response = await Auth(
    new Request("https://app.example/auth/signin"),
    forFunctions({ providers, secret: "a secret of 32 bytes, or even more of them", trustHost: true })
  )
  assert.strictEqual(response.status, 200)
  return { html: await response.text(), policy: response.headers.get("content-security-policy") ?? "" }
}

describe("logos of platforms", () => {
  it("are in the page with every preset, so that showing it sends no request to another site", async () => {
    const providers = fixtures.map(
      ({ options, preset }) => preset({ ...credentials, ...options } as never) as ProviderInput
    )
    const { html, policy } = await signInPage(providers)
    assert.lengthOf([...html.matchAll(/<form action="[^"]*\/signin\//g)], providers.length)
    assert.lengthOf([...html.matchAll(/<button [^>]*>\s*<svg /g)], providers.length)
    assert.notMatch(html, /<(img|script|link|iframe|object|use|image)\b[^>]*\b(src|href)=/)
    assert.notMatch(html, /url\(/)
    assert.match(policy, /img-src 'self';/)
  })

  it("keep with the preset under another id, and give way to an image of the application", async () => {
    const { html } = await signInPage([GitLab({ ...credentials, id: "work" })])
    assert.include(html, `d="${outline}"`)
    const own = await signInPage([GitLab({ ...credentials, style: { logo: "/work.svg" } })])
    assert.notInclude(own.html, outline)
    assert.include(own.html, 'src="/work.svg"')
  })

  for (const wrong of [
    'M0 0"/><script>alert(1)</script>',
    "M0 0&quot;",
    "",
    "x".repeat(10),
    `M${"1 ".repeat(10_000)}`,
    1
  ]) {
    it(`are outlines and nothing else: ${JSON.stringify(wrong).slice(0, 40)}`, () => {
      const defined = define({ id: "a", name: "A", type: "oauth", [Symbol("platform-logo")]: wrong })
      assert.isTrue(defined._tag === "Success" && defined.success.style?.outline === undefined)
    })
  }
})
