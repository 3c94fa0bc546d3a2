/**
 * The page behind a sign-in link, as markup and headers; what it does in a browser is in `test/real/EmailLink.test.ts`.
 */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Pages from "../../src/pages/BuiltInPages.ts"
import { callbackUrl, csp, csrfToken, frame, hostile, markupCorpus, matches } from "./Samples.ts"

const confirm = (more: Partial<Pages.ConfirmContent> = {}, of = frame()): Pages.Page =>
  Pages.confirm(of, {
    providerId: "email",
    email: "ann@example.com",
    isKnown: true,
    token: "0123456789abcdef",
    csrfToken,
    callbackUrl,
    other: undefined,
    pressesItself: false,
    ...more
  })

describe("the page behind a sign-in link", () => {
  it("names the account and has one form with one button", () => {
    const page = confirm()
    assert.strictEqual(page.status, 200)
    assert.deepStrictEqual(matches(page, /<h1>(.*?)<\/h1>/g), ["Sign in?"])
    assert.deepStrictEqual(matches(page, /<button[^>]*>(.*?)<\/button>/g), ["Sign in"])
    assert.deepStrictEqual(matches(page, /<form action="([^"]*)" method="POST"/g), ["/auth/callback/email"])
    assert.deepStrictEqual(matches(page, /<input type="hidden" name="([^"]*)"/g), [
      "csrfToken",
      "callbackUrl",
      "token",
      "email"
    ])
    assert.include(page.body, "as <strong><bdi>ann@example.com</bdi></strong>")
  })

  it("shows no address of a link that was not found to be the site's own", () => {
    for (const other of [undefined, "bob@example.com"]) {
      const shown = confirm({ isKnown: false, other }).body.replaceAll(/<input type="hidden"[^>]*>/g, "")
      assert.notInclude(shown, "ann@example.com")
    }
  })

  it("H165 says who is signed in, when that is another user", () => {
    const page = confirm({ other: "bob@example.com" })
    assert.deepStrictEqual(matches(page, /<h1>(.*?)<\/h1>/g), ["Switch account?"])
    assert.deepStrictEqual(matches(page, /<button[^>]*>(.*?)<\/button>/g), ["Switch account"])
    assert.include(page.body, "signed in here as <strong><bdi>bob@example.com</bdi></strong>")
  })

  it("has no token of the form when the framework checks itself", () => {
    assert.notInclude(confirm({ csrfToken: undefined }).body, "csrfToken")
  })

  it("runs no script but the one that presses the button, and that one by its hash", () => {
    const quiet = confirm()
    assert.isFalse(csp(quiet).has("script-src"))
    assert.notInclude(quiet.body, "<script")
    const page = confirm({ pressesItself: true })
    const [script = ""] = matches(page, /<script>(.*?)<\/script>/g)
    const hash = createHash("sha256").update(script).digest("base64")
    assert.strictEqual(csp(page).get("script-src"), `'sha256-${hash}'`)
    const [id = ""] = matches(page, /<form[^>]* id="([^"]*)"/g)
    assert.include(script, `"${id}"`)
    // Headers are kept for a theme: those of one page must not be those of the other.
    assert.isFalse(csp(confirm()).has("script-src"))
    assert.strictEqual(csp(confirm({ pressesItself: true })).get("script-src"), `'sha256-${hash}'`)
  })

  it("lets its form lead to the site and where the person goes afterwards, and nowhere else", () => {
    assert.strictEqual(csp(confirm()).get("form-action"), "'self' https://app.example.com")
    assert.strictEqual(
      csp(confirm({ callbackUrl: "https://other.example.com/x" })).get("form-action"),
      "'self' https://app.example.com https://other.example.com"
    )
    assert.strictEqual(csp(confirm()).get("frame-ancestors"), "'none'")
  })

  it("H212 escapes every value", () => {
    for (const text of [hostile, ...markupCorpus]) {
      const page = confirm({
        email: text,
        token: text,
        callbackUrl: text,
        csrfToken: text,
        other: text,
        providerId: text
      })
      assert.notMatch(page.body, /<script|<img|<svg(?! viewBox)|<math|<noscript|<textarea|<template/i)
      assert.strictEqual(matches(page, /(<form )/g).length, 1)
      assert.strictEqual(matches(page, /<form action="\/auth\/callback\/([^"/?]*)"/g).length, 1)
    }
  })
})
