import { assert, describe, it } from "@effect/vitest"
import { createHash, randomBytes } from "node:crypto"
import { black, contrast, formatColor, parseColor, textOn, white } from "../../src/pages/Color.ts"
import { mark } from "../../src/pages/Icons.ts"
import { styleHash } from "../../src/pages/SecurityHeaders.ts"
import { stylesheet } from "../../src/pages/Stylesheet.ts"
import { parseImage, themeCss, themeProblems } from "../../src/pages/Theme.ts"
import { redirects } from "./Samples.ts"

const read = (text: string): string | undefined => {
  const color = parseColor(text)
  return color === undefined ? undefined : formatColor(color)
}

const hostileColors = [
  "red;}body{background:url(//evil.example)}",
  "#fff;x:y",
  "</style><script>alert(1)</script>",
  "expression(alert(1))",
  "url(https://evil.example/x)",
  "var(--x)",
  "currentcolor",
  "transparent",
  "inherit",
  "rgb(1,2,3",
  "rgb(1 2,3)",
  "rgb(1 2 3,.5)",
  "rgb(1,2,3/.5)",
  "#12345600",
  "oklch(62.8% 0.25768 29.234)",
  "lab(46.2775% -47.5621 48.5837)",
  "hwb(120 0% 50%)",
  "hsl(.5turn 100% 50%)",
  "rgb(1deg 2deg 3deg)",
  "rgb(1 2 3 / 50deg)",
  "color(srgb 1 0 0)",
  "color-mix(in srgb, red, blue)",
  "rgb(from red r g b)",
  "constructor(1 2 3)",
  "light-dark(red, blue)",
  "rgba(0,0,0,0)",
  "#12345",
  "#1234567",
  "hsl(1,2,3)",
  "hsl(1%,2%,3%)",
  "__proto__",
  "toString",
  "constructor",
  "red\n}",
  "re\\64",
  "#ﬀffff",
  "",
  "a".repeat(100_000)
]

const hostileLogos = [
  "javascript:alert(1)",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "http://example.com/logo.png",
  "//evil.example/logo.png",
  "/\\evil.example/logo.png",
  "\\\\evil.example/x",
  "https://user:pass@example.com/logo.png",
  "https://a;script-src/logo.png",
  "https://a,default-src/logo.png",
  "https://*/logo.png",
  'https://example.com/a" onerror="alert(1)',
  "https://example.com/a b",
  "https://example.com/a\nb",
  "https:evil",
  "https://",
  "blob:https://example.com/x",
  "mailto:logo.png",
  "data:text/html,x",
  "data:image/png,x;y z",
  "x:logo.png",
  ""
]

describe("Color", () => {
  it("reads hexadecimal, rgb(), hsl() and named colors", () => {
    assert.strictEqual(read("#0F766E"), "#0f766e")
    assert.strictEqual(read("#abc"), "#aabbcc")
    assert.strictEqual(read("rgb(255, 128, 0)"), "#ff8000")
    assert.strictEqual(read("rgb(100% 50% 0%)"), "#ff8000")
    assert.strictEqual(read("rgba(1,2,3,1)"), "#010203")
    assert.strictEqual(read("rgb(300, -5, 2.6)"), "#ff0003")
    assert.strictEqual(read("hsl(120, 100%, 25%)"), "#008000")
    assert.strictEqual(read("hsl(-120deg 100% 50%)"), "#0000ff")
    assert.strictEqual(read(" RebeccaPurple "), "#663399")
    assert.strictEqual(read("red"), "#ff0000")
  })

  it("reads translucent colors as they look on white", () => {
    assert.strictEqual(read("#f008"), "#ff7777")
    assert.strictEqual(read("#0000ff80"), "#7f7fff")
    assert.strictEqual(read("rgba(0, 0, 255, .5)"), "#8080ff")
    assert.strictEqual(read("rgb(0 0 255 / 50%)"), "#8080ff")
  })

  it("H214 reads nothing outside the color grammar", () => {
    for (const text of hostileColors) assert.isUndefined(parseColor(text), text.slice(0, 60))
  })

  it("computes contrast as WCAG defines it", () => {
    assert.closeTo(contrast(black, white), 21, 0.001)
    assert.closeTo(contrast({ red: 118, green: 118, blue: 118 }, white), 4.54, 0.01)
    assert.strictEqual(contrast(white, black), contrast(black, white))
  })

  it("chooses legible text for every surface", () => {
    for (let red = 0; red < 256; red += 15) {
      for (let green = 0; green < 256; green += 15) {
        for (let blue = 0; blue < 256; blue += 15) {
          const surface = { red, green, blue }
          assert.isAtLeast(contrast(surface, textOn(surface)), 4.5, formatColor(surface))
        }
      }
    }
  })
})

describe("Theme", () => {
  const good = {
    colorScheme: "dark",
    brandColor: "#0f766e",
    buttonText: "white",
    logo: "https://cdn.example.com/l.svg"
  } as const

  it("accepts a theme within the grammar, and empty values", () => {
    assert.deepStrictEqual(themeProblems(good), [])
    assert.deepStrictEqual(themeProblems({ logo: "/logo.png" }), [])
    assert.deepStrictEqual(themeProblems({ colorScheme: "auto", logo: "", brandColor: "", buttonText: "" }), [])
  })

  it("H214 reports every hostile value by field and rule, without repeating it", () => {
    for (const value of hostileColors.filter((text) => text !== "")) {
      for (const field of ["brandColor", "buttonText"] as const) {
        const problems = themeProblems({ [field]: value })
        assert.deepStrictEqual(
          problems.map((problem) => problem.field),
          [field]
        )
        assert.notInclude(problems[0]?.reason, value.length > 20 ? value : "\u0000")
      }
    }
    for (const logo of hostileLogos.filter((text) => text !== "")) {
      assert.deepStrictEqual(
        themeProblems({ logo }).map((problem) => problem.field),
        ["logo"],
        logo
      )
    }
    for (const colorScheme of ["Dark", 'auto"><script>', "", 1, null, {}]) {
      assert.deepStrictEqual(
        themeProblems({ colorScheme }).map((problem) => problem.field),
        ["colorScheme"]
      )
    }
    assert.deepStrictEqual(
      themeProblems({ brandColor: 7, logo: ["x"] }).map((problem) => problem.field),
      ["logo", "brandColor"]
    )
  })

  it("H214 admits images by exact origin only", () => {
    for (const logo of hostileLogos) assert.isUndefined(parseImage(logo), logo)
    assert.deepStrictEqual(parseImage("https://CDN.example.com:443/a?b=1"), {
      url: "https://cdn.example.com/a?b=1",
      source: "https://cdn.example.com"
    })
    for (const url of ["/logo.png", "logo.png", "./img/logo.png?v=1:2", "../logo.svg", "a/b:c.png"])
      assert.deepStrictEqual(parseImage(url), { url, source: "'self'" })
    const drawn = "data:image/svg+xml;base64,PHN2Zy8+"
    assert.deepStrictEqual(parseImage(drawn), { url: drawn, source: "data:" })
    assert.deepStrictEqual(parseImage("http://localhost:3000/logo.png"), {
      url: "http://localhost:3000/logo.png",
      source: "http://localhost:3000"
    })
  })

  it("writes colors from their channels and chooses the button text by luminance", () => {
    assert.include(
      themeCss({ colorScheme: "light", brandColor: "gold" }),
      "--brand-color:#ffd700;--button-text-color:#000000"
    )
    assert.include(
      themeCss({ colorScheme: "light", brandColor: "navy" }),
      "--brand-color:#000080;--button-text-color:#ffffff"
    )
    assert.include(
      themeCss({ colorScheme: "light", brandColor: "gold", buttonText: "rgb(1,2,3)" }),
      "--button-text-color:#010203"
    )
    assert.strictEqual(themeCss({ colorScheme: "auto", brandColor: "red;}" }), "")
  })

  it("uses a button text without a brand color only where it can be read", () => {
    assert.strictEqual(themeCss({ colorScheme: "light", buttonText: "#fff" }), "body{--button-text-color:#ffffff}")
    assert.strictEqual(themeCss({ colorScheme: "dark", buttonText: "#fff" }), "")
    assert.strictEqual(
      themeCss({ colorScheme: "auto", buttonText: "#fff" }),
      "@media not (prefers-color-scheme:dark){body{--button-text-color:#ffffff}}@media (prefers-color-scheme:dark){}"
    )
  })
})

describe("Palette", () => {
  const ratio = (one: string, other: string): number => contrast(parseColor(one) ?? white, parseColor(other) ?? white)
  const texts = [
    ["text", "background-card"],
    ["text", "background"],
    ["text", "background-hover"],
    ["text", "separator"],
    ["info", "background-card"],
    ["info", "background"],
    ["link", "background-card"],
    ["primary-text", "primary"],
    ["primary-text", "primary-hover"],
    ["error-text", "error"],
    ["notice-text", "notice"]
  ] as const
  const edges = [
    ["control-border", "background-card"],
    ["focus", "background-card"],
    ["focus", "background"],
    ["error-text", "background-card"]
  ] as const
  const [light = "", dark = ""] = stylesheet.split("prefers-color-scheme")
  for (const [scheme, css] of [
    ["light", light],
    ["dark", dark]
  ] as const) {
    it(`reaches 4.5 : 1 for text and 3 : 1 for edges in the ${scheme} scheme`, () => {
      const color = (name: string): string => new RegExp(`--color-${name}:\\s*(#[0-9a-f]{6})`).exec(css)?.[1] ?? "none"
      for (const [text, surface] of texts)
        assert.isAtLeast(ratio(color(text), color(surface)), 4.5, `${text} on ${surface}`)
      for (const [edge, surface] of edges)
        assert.isAtLeast(ratio(color(edge), color(surface)), 3, `${edge} on ${surface}`)
    })
  }

  it("draws every provider's mark in legible ink", () => {
    for (const provider of redirects) {
      const { markup } = mark(provider)
      const surface = /rx="[\d.]+" fill="(#[0-9a-f]{6})"/.exec(markup)?.[1] ?? ""
      const letter = /<text[^>]* fill="(#[0-9a-f]{6})"/.exec(markup)?.[1]
      const drawing = /<g color="(#[0-9a-f]{6})"/.exec(markup)?.[1]
      assert.isAtLeast(ratio(surface, letter ?? drawing ?? surface), letter === undefined ? 3 : 4.5, provider.id)
    }
  })
})

describe("StyleHash", () => {
  it("is the SHA-256 of the text, for every length around a block", () => {
    for (let length = 0; length < 200; length++) {
      const text = randomBytes(length).toString("latin1") + "é€😀"
      assert.strictEqual(styleHash(text), `'sha256-${createHash("sha256").update(text).digest("base64")}'`)
    }
  })

  it("covers the stylesheet, which has no place for foreign text", () => {
    assert.strictEqual(styleHash(stylesheet), `'sha256-${createHash("sha256").update(stylesheet).digest("base64")}'`)
    assert.notMatch(stylesheet, /<|url\(|@import|undefined/)
  })
})
