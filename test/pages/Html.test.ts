import { assert, describe, it } from "@effect/vitest"
import { constant, escape, markup, join, styleElement } from "../../src/pages/Html.ts"

describe("Html", () => {
  it("escapes what ends text or a quoted attribute", () => {
    assert.strictEqual(escape(`<a href="x" id='y'>&\``), "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;&#96;")
  })

  it("leaves ordinary text alone, in every script", () => {
    for (const text of ["", "Jörg", "日本語", "👩‍🚀 rocket", "a\tb\r\nc", "{{x}} ${y}"])
      assert.strictEqual(escape(text), text)
  })

  it("H225 replaces control characters and lone surrogates, keeps surrogate pairs", () => {
    assert.strictEqual(escape("a\u0000b\u001fc\u007fd"), "a\ufffdb\ufffdc\ufffdd")
    assert.strictEqual(escape("\ud83d<\ude00"), "\ufffd&lt;\ufffd")
    assert.strictEqual(escape("😀<"), "😀&lt;")
  })

  it("escapes values once and takes markup as it is", () => {
    const inner = markup`<b>${"<i>"}</b>`
    assert.strictEqual(
      markup`<p title="${'"'}">${inner}${[inner, inner]}${undefined}${7}</p>`.markup,
      '<p title="&quot;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b><b>&lt;i&gt;</b>7</p>'
    )
  })

  it("takes no look-alike for markup", () => {
    const forged: unknown = { markup: "<script>", "#markup": "<script>" }
    // A value of a foreign shape can only arrive here past the type checker.
    const value = forged as string
    let out = ""
    try {
      out = markup`<p>${value}</p>`.markup
    } catch (thrown) {
      assert.instanceOf(thrown, TypeError)
    }
    assert.notInclude(out, "<script>")
  })

  it("joins markup around markup", () => {
    assert.strictEqual(join([constant`a`, constant`b`, constant`c`], constant`<hr>`).markup, "a<hr>b<hr>c")
  })

  it("leaves out a stylesheet that could end its element", () => {
    assert.strictEqual(styleElement("a{b:c}").markup, "<style>a{b:c}</style>")
    assert.strictEqual(styleElement("a{b:c}</style><script>").markup, "")
  })
})
