/**
 * Nothing cosmetic stops a site: what no page can show is left out, with a warning.
 */
import { assert, describe, it } from "@effect/vitest"
import { compile, type Options } from "../../src/config/Settings.ts"
import { acme, facade, options } from "../Visitor.ts"

/** Applications may be written without types. */
const given = (members: object): Options => ({ ...options(), ...members })

const hostile = [
  "red;}body{background:url(//evil.example)}",
  "</style><script>alert(1)</script>",
  '"><script>alert(1)</script>',
  "javascript:alert(1)",
  "a".repeat(100_000)
]

const page = async (members: object) => {
  const response = await facade(given(members))(new Request("http://localhost:3000/auth/signin"))
  return {
    status: response.status,
    html: await response.text(),
    policy: response.headers.get("content-security-policy")
  }
}

describe("a theme", () => {
  for (const color of ["rgba(10, 20, 30, 0.5)", "#11223344", "#1234", "rebeccapurple", "hsl(120 100% 25%)"]) {
    it(`may have the color ${color}`, async () => {
      assert.deepStrictEqual(compile(given({ theme: { brandColor: color, buttonText: color } })).problems(), [])
      const { html, status } = await page({ theme: { brandColor: color } })
      assert.strictEqual(status, 200)
      assert.match(html, /--brand-color:#[0-9a-f]{6}/)
    })
  }
  for (const [logo, source] of [
    ["logo.png", "'self'"],
    ["/logo.png", "'self'"],
    ["data:image/png;base64,iVBORw0KGgo=", "data:"],
    ["http://localhost:3000/logo.png", "http://localhost:3000"],
    ["https://cdn.example/logo.png", "https://cdn.example"]
  ] as const) {
    it(`may have a logo at any address: ${logo}`, async () => {
      assert.deepStrictEqual(compile(given({ theme: { logo } })).problems(), [])
      const { html, policy } = await page({ theme: { logo } })
      assert.include(html, `src="${logo}"`)
      assert.include(policy, source)
    })
  }
  for (const value of [
    ...hostile,
    "color-mix(in srgb, red, blue)",
    "var(--brand)",
    "//cdn.example/x.png",
    5,
    null,
    {}
  ]) {
    it(`that no page can show is left out: ${String(value).slice(0, 40)}`, async () => {
      const theme = { brandColor: value, buttonText: value, logo: value, colorScheme: value }
      const problems = compile(given({ theme }))
        .problems()
        .map(({ error, level, stops }) => [error.field, level, stops])
      assert.isAbove(problems.length, 0)
      for (const [field, level, stops] of problems) {
        assert.match(String(field), /^theme\./)
        assert.deepStrictEqual([level, stops], ["warning", "nowhere"])
      }
      const { html, status } = await page({ theme })
      assert.strictEqual(status, 200)
      assert.notInclude(html, "evil.example")
      assert.notInclude(html, "<script>alert")
    })
  }
  for (const theme of [5, "dark", null, []]) {
    it(`that is ${JSON.stringify(theme)} is left out`, async () =>
      assert.strictEqual((await page({ theme })).status, 200))
  }
})

describe("the style of a provider", () => {
  it("works or is left out, and names the option", async () => {
    const style = { logo: "ftp://x.example/l.png", brandColor: "url(x)", bg: "hsl(120 100% 25%)", text: "x" }
    const { problems } = compile(given({ providers: [acme({ style })] }))
    assert.deepStrictEqual(
      problems().map(({ error, level }) => [error.field, error.provider, level]),
      [
        ["providers.acme.style.logo", "acme", "warning"],
        ["providers.acme.style.brandColor", "acme", "warning"]
      ]
    )
    assert.strictEqual((await page({ providers: [acme({ style })] })).status, 200)
  })
})
