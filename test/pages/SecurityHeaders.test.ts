import { assert, describe, expect, it } from "@effect/vitest"
import type * as Pages from "../../src/pages/BuiltInPages.ts"
import { credentials, csp, email, everyPage, frame, redirects, signIn, signOut } from "./Samples.ts"

describe("headers", () => {
  it("H217, H218, H219 sends the same strict headers with every page", () => {
    for (const [name, page] of everyPage(frame())) {
      const { "content-security-policy": policy, ...rest } = page.headers
      assert.deepStrictEqual(
        rest,
        {
          "content-type": "text/html; charset=utf-8",
          "cache-control": "private, no-cache, no-store",
          expires: "0",
          pragma: "no-cache",
          vary: "Cookie",
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY",
          "referrer-policy": "same-origin",
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-resource-policy": "same-origin",
          "permissions-policy":
            "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
        },
        name
      )
      assert.match(policy ?? "", /^[\x20-\x7e]+$/)
    }
  })

  it("H215 writes the policy from fixed parts and hashes", () => {
    for (const [name, page] of everyPage(frame())) {
      const policy = csp(page)
      assert.deepStrictEqual(
        [...policy.keys()],
        ["default-src", "style-src", "img-src", "form-action", "frame-ancestors", "base-uri"],
        name
      )
      assert.strictEqual(policy.get("default-src"), "'none'")
      assert.strictEqual(policy.get("frame-ancestors"), "'none'")
      assert.strictEqual(policy.get("base-uri"), "'none'")
      assert.match(policy.get("style-src") ?? "", /^'sha256-[A-Za-z0-9+/]{43}='$/)
      assert.strictEqual(policy.get("img-src"), "'self'")
      if (!page.body.includes("<form")) assert.strictEqual(policy.get("form-action"), "'none'", name)
    }
    expect(signOut().headers["content-security-policy"]?.replace(/sha256-[^']+/, "sha256-…")).toMatchInlineSnapshot(
      `"default-src 'none'; style-src 'sha256-…'; img-src 'self'; form-action 'self' https://app.example.com; frame-ancestors 'none'; base-uri 'none'"`
    )
  })

  it("H215 admits a theme by a second hash", () => {
    const sources = (csp(signIn({}, frame({ brandColor: "#0f766e" }))).get("style-src") ?? "").split(" ")
    assert.lengthOf(sources, 2)
    assert.strictEqual(sources[0], csp(signIn()).get("style-src"))
  })

  it("H215 holds forms of the sign-in page to https, whether a provider or the configured origin takes over", () => {
    const action = (page: Pages.Page): string | undefined => csp(page).get("form-action")
    assert.strictEqual(action(signIn({ providers: [credentials, email] })), "'self' https:")
    assert.strictEqual(
      action(signIn({ providers: [credentials], callbackUrl: "https://www.example.com/x" })),
      "'self' https:"
    )
    assert.strictEqual(
      action(signIn({ providers: [credentials], callbackUrl: "https://a;script-src x/" })),
      "'self' https:"
    )
    assert.strictEqual(action(signIn({ providers: [credentials], callbackUrl: "/home" })), "'self' https:")
    assert.strictEqual(action(signIn({ providers: redirects.slice(0, 1) })), "'self' https:")
    const local: Pages.SignInEntry = {
      kind: "redirect",
      id: "x",
      name: "x",
      actionOrigin: "http://localhost:8080/authorize"
    }
    assert.strictEqual(action(signIn({ providers: [local] })), "'self' https: http://localhost:8080")
    assert.strictEqual(
      action(signIn({ providers: [{ ...local, actionOrigin: "http://evil.example" }] })),
      "'self' https:"
    )
    assert.strictEqual(
      action(signIn({ providers: [local] }, frame({}, { homeUrl: "http://localhost:3000" }))),
      "'self' https: http:"
    )
    assert.strictEqual(
      action(signOut(frame({}, { formActionOrigins: ["https://id.example.com/end"] }))),
      "'self' https://app.example.com https://id.example.com"
    )
  })

  it("keeps its headers to itself: a caller cannot change those of the next page", () => {
    const of = frame()
    for (const [name, page] of everyPage(of)) assert.isTrue(Object.isFrozen(page.headers), name)
    assert.strictEqual(signIn({}, of).headers, signIn({}, of).headers)
  })
})
