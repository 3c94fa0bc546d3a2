/** A test environment has one provider: what a test sets on the provider of its options happens to the application. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Access from "../../src/Access.ts"
import { Doorman } from "../../src/Doorman.ts"
import * as Http from "../../src/Http.ts"
import * as Testing from "../../src/Testing.ts"

const idp = Testing.IdentityProvider.make()
const App = Http.layer(Access.Default).pipe(
  Layer.provide(Doorman.layer({ providers: [idp.provider()], secret: Testing.secret, origin: Testing.siteOrigin }))
)
const code = (browser: Testing.Browser) =>
  Effect.match(browser.signIn("idp", { as: "ada" }), {
    onFailure: (failure) => (failure._tag === "StepFailed" ? failure.code : failure._tag),
    onSuccess: () => "session"
  })

for (const [name, environment] of [
  ["an environment that is given the provider", Testing.layer({ provider: idp })],
  ["an environment with a provider of the same issuer", Testing.layer()]
] as const) {
  describe(name, () => {
    it.gen("has the faults of the provider, while they are set", Effect.provide(environment), function* () {
      const browser = yield* Testing.browser(App)
      assert.strictEqual(yield* idp.with("wrongNonce")(code(browser)), "invalid_token")
      yield* idp.set("declined")
      assert.strictEqual(yield* code(browser), "access_denied")
      yield* idp.reset
      assert.strictEqual(yield* code(browser), "session")
    })

    it.gen("has the users of the provider, and of no other environment", Effect.provide(environment), function* () {
      const browser = yield* Testing.browser(App)
      yield* idp.setUser({ sub: "ada", name: "Lady Lovelace", email: "ada@example.com", email_verified: true })
      yield* browser.signIn("idp", { as: "ada" })
      assert.deepNestedInclude(yield* browser.session, { "user.name": "Lady Lovelace" })
      const elsewhere = Effect.gen(function* () {
        const browser = yield* Testing.browser(App)
        yield* browser.signIn("idp", { as: "ada" })
        return yield* browser.session
      })
      const other = yield* Effect.provide(elsewhere, Layer.fresh(environment))
      assert.deepNestedInclude(other, { "user.name": "Ada Lovelace" })
    })
  })
}

it("a hook sets faults for the environments that are given the provider", async () => {
  const signIn = Effect.flatMap(Testing.browser(App), code).pipe(
    Effect.scoped,
    Effect.provide(Testing.layer({ provider: idp }))
  )
  const before = idp.requests.length
  await Effect.runPromise(idp.set("declined"))
  assert.strictEqual(await Effect.runPromise(signIn), "access_denied")
  await Effect.runPromise(idp.reset)
  assert.strictEqual(await Effect.runPromise(signIn), "session")
  assert.include(
    idp.requests.slice(before).map(({ path }) => path),
    "/token"
  )
})
