/** The browser of the test kit: every way to sign in, several browsers, several sites, and what it does not hide. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/testing/TestClock"
import * as Mailer from "../../src/Mailer.ts"
import * as Testing from "../../src/Testing.ts"
import type { BrowserError } from "../../src/testing/Browser.ts"
import { doorman, site, stored } from "./Application.ts"

const inWorld = Effect.provide(Testing.layer())
const who = (browser: Testing.Browser) => Effect.flatMap(browser.get("/me"), (answer) => answer.json)

/** The failure, as a test reads it. */
const told = (failure: BrowserError) =>
  failure._tag === "StepFailed" ? [failure.step, failure.error, failure.code] : [failure._tag]

describe("signing in", () => {
  it.gen("by a mail: asked for, captured, followed, once", inWorld, function* () {
    const browser = yield* Testing.browser(site(stored))
    const mail = yield* browser.askForLink("email", " Ann@Example.com ", { callbackUrl: "/welcome" })
    assert.strictEqual(mail.to, "ann@example.com")
    assert.isNull(yield* browser.session)
    assert.strictEqual(yield* browser.followLink(mail.url), "https://app.test/welcome")
    assert.deepNestedInclude(yield* browser.session, { "user.email": "ann@example.com" })
    const stranger = yield* browser.another
    const again = yield* Effect.flip(stranger.followLink(mail.url))
    assert.deepStrictEqual(told(again), ["link", "Verification", undefined])
  })

  it.gen("by a mail that is too old, or that the site never sent", inWorld, function* () {
    const browser = yield* Testing.browser(site(stored))
    const { url } = yield* browser.askForLink("email", "ann@example.com")
    yield* TestClock.adjust("10 minutes")
    assert.deepStrictEqual(told(yield* Effect.flip(browser.followLink(url))), ["link", "Verification", undefined])
    const refused = yield* Effect.flip(browser.askForLink("email", "no address"))
    assert.deepStrictEqual(told(refused), ["signin", "EmailSignin", "email_invalid"])
    for (let sent = 1; sent < 5; sent++) yield* browser.askForLink("email", "ann@example.com")
    assert.deepInclude(yield* Effect.flip(browser.askForLink("email", "ann@example.com")), { step: "mail" })
    assert.lengthOf(yield* (yield* Mailer.Mailbox).mails, 5)
  })

  it.gen("with a form, where the right password counts", inWorld, function* () {
    const browser = yield* Testing.browser(site(doorman()))
    const wrong = yield* Effect.flip(browser.signInWith("credentials", { name: "Ann", password: "password" }))
    assert.deepStrictEqual(told(wrong), ["callback", "CredentialsSignin", "credentials"])
    const right = { name: "Ann", password: "open sesame" }
    const led = yield* browser.signInWith("credentials", right, { callbackUrl: "/me" })
    assert.strictEqual(led, "https://app.test/me")
    assert.deepStrictEqual(yield* who(browser), ["user Ann", "Ann", null])
  })

  it.gen("at the provider, and back where it began", inWorld, function* () {
    const browser = yield* Testing.browser(site(doorman()))
    assert.strictEqual(yield* browser.signIn("idp", { as: "grace", callbackUrl: "/me" }), "https://app.test/me")
    assert.include((yield* who(browser)) as ReadonlyArray<unknown>, "Grace Hopper")
    const nobody = yield* Effect.flip(browser.signIn("idp", { as: "nobody" }))
    assert.deepInclude(nobody, { _tag: "StepFailed", step: "authorize" })
    const nowhere = yield* Effect.flip(browser.signIn("elsewhere"))
    assert.deepInclude(nowhere, { _tag: "StepFailed", step: "signin" })
  })
})

describe("an application that dies", () => {
  it.gen("says why", function* () {
    const broken = HttpRouter.add("POST", "/auth/callback/credentials", Effect.die(new Error("no such table")))
    const csrf = HttpRouter.add("GET", "/auth/csrf", HttpServerResponse.jsonUnsafe({ csrfToken: "token" }))
    const browser = yield* Testing.browser(Layer.merge(broken, csrf))
    const failure = yield* Effect.flip(browser.signInWith("credentials", {}))
    assert.deepInclude(failure, { _tag: "StepFailed", step: "callback", status: 500 })
    assert.include(String(failure.cause), "no such table")
  })
})

describe("browsers", () => {
  it.gen("are two people, or one person on two devices, at one application", inWorld, function* () {
    const desk = yield* Testing.browser(site(stored))
    const phone = yield* desk.another
    const other = yield* phone.another
    for (const browser of [desk, phone]) yield* browser.signIn("idp", { as: "ada" })
    yield* other.signIn("idp", { as: "grace" })
    const [ada, same] = [yield* who(desk), yield* who(phone)]
    assert.deepStrictEqual(same, ada)
    assert.notDeepEqual(yield* who(other), ada)
    yield* desk.signOut
    assert.strictEqual((yield* desk.get("/me")).status, 401)
    assert.deepStrictEqual(yield* who(phone), ada)
  })

  it.gen("at two applications share nothing", inWorld, function* () {
    const one = yield* Testing.browser(site(stored))
    const two = yield* Testing.browser(site(stored))
    const mail = yield* one.askForLink("email", "ann@example.com")
    const elsewhere = yield* Effect.flip(two.followLink(mail.url))
    assert.deepStrictEqual(told(elsewhere), ["link", "Verification", undefined])
    yield* one.followLink(mail.url)
    yield* Ref.set(two.cookies, yield* Ref.get(one.cookies))
    assert.strictEqual((yield* one.get("/me")).status, 200)
    assert.strictEqual((yield* two.get("/me")).status, 401)
  })

  it.gen("send nothing of the site to another host", inWorld, function* () {
    const browser = yield* Testing.browser(site(doorman()))
    yield* browser.signIn("idp")
    const idp = yield* Testing.IdentityProvider
    const before = idp.requests.length
    const { status } = yield* browser.get(`${idp.issuer}/.well-known/openid-configuration`)
    assert.strictEqual(status, 200)
    assert.isUndefined(idp.requests[before]?.headers["cookie"])
  })

  it.gen("say where they cannot go", function* () {
    const Page = HttpRouter.add("GET", "/", HttpServerResponse.redirect("https://elsewhere.test/"))
    const browser = yield* Testing.browser(Page)
    const failure = yield* Effect.flip(browser.open("/"))
    assert.strictEqual(failure._tag, "HttpClientError")
    assert.include(failure.message, "https://app.test")
  })

  it.gen("follow redirects when they open a page, and not when they ask", function* () {
    const Pages = Layer.merge(
      HttpRouter.add("GET", "/", HttpServerResponse.redirect("/there")),
      HttpRouter.add("GET", "/there", HttpServerResponse.text("there"))
    )
    const browser = yield* Testing.browser(Pages)
    assert.strictEqual(yield* (yield* browser.open("/")).text, "there")
    assert.strictEqual((yield* browser.get("/")).status, 302)
  })

  it.gen("go away when the test does", function* () {
    const begun = yield* Deferred.make<void>()
    const left = yield* Deferred.make<void>()
    const Page = HttpRouter.add(
      "GET",
      "/slow",
      Effect.andThen(
        Deferred.succeed(begun, undefined),
        Effect.onInterrupt(Effect.never, () => Deferred.succeed(left, undefined))
      )
    )
    const browser = yield* Testing.browser(Page)
    const asking = yield* Effect.forkChild(browser.get("/slow"))
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(asking)
    yield* Deferred.await(left)
  })
})
