import { assert, describe, it } from "@effect/vitest"
import { inspect } from "node:util"
import { signInMail as redacted, type SignInLink } from "../../src/email/SignInMail.ts"
import { plainMail } from "../../src/Mailer.ts"

const signInMail = (link: SignInLink) => plainMail(redacted(link))

const link = {
  identifier: "ann@example.com",
  from: "Acme <door@example.com>",
  url: "https://app.example:8443/auth/callback/email?callbackUrl=https%3A%2F%2Fapp.example%2F&token=t&email=ann%40example.com",
  maxAge: 600,
  theme: { colorScheme: "auto" }
} as const

describe("the mail with a link", () => {
  it("names the host in subject, text and HTML, and holds the link in both", () => {
    const mail = signInMail(link)
    assert.deepInclude(mail, {
      to: "ann@example.com",
      from: "Acme <door@example.com>",
      subject: "Sign in to app.example:8443",
      url: link.url
    })
    assert.include(mail.text, "app.example:8443")
    assert.include(mail.text.split("\n"), link.url)
    assert.include(mail.html, `href="${link.url.replaceAll("&", "&amp;")}"`)
    assert.include(mail.html, "app&#8203;.example:8443")
  })

  it("shows none of it when it is printed", () => {
    const mail = redacted(link)
    for (const shown of [inspect(mail, { depth: 9 }), JSON.stringify(mail), `${Object.values(mail).join(" ")}`])
      assert.notInclude(shown, "token=t")
  })

  it("says how long the link lasts", () => {
    for (const [maxAge, said] of [
      [30, "one minute"],
      [600, "10 minutes"],
      [3600, "60 minutes"],
      [7200, "2 hours"],
      [86_400, "24 hours"],
      [604_800, "7 days"]
    ] as const) {
      const mail = signInMail({ ...link, maxAge })
      assert.include(mail.text, `for ${said}.`)
      assert.include(mail.html, `for ${said}.`)
    }
  })

  it("H172 escapes the link, and takes no color that is none", () => {
    const url = `${link.url}&x="><img src=x>`
    const bad = 'red;background:url("https://evil.example")'
    const { html } = signInMail({ ...link, url, theme: { colorScheme: "auto", brandColor: bad, buttonText: bad } })
    assert.notInclude(html, "<img")
    assert.notInclude(html, "evil")
    assert.include(html, "background:#2457c5")
  })

  it("H172 wears the colors of the theme", () => {
    const dressed = signInMail({ ...link, theme: { colorScheme: "dark", brandColor: "#ff0", buttonText: "navy" } }).html
    assert.include(dressed, "background:#ffff00;color:#000080")
    assert.include(
      signInMail({ ...link, theme: { colorScheme: "dark", brandColor: "#ff0" } }).html,
      "background:#ffff00;color:#000000"
    )
  })
})
