import { assert, describe, it } from "@effect/vitest"
import { CredentialsSignin as WrittenForAuthJs } from "../../src/compat/errors.ts"
import { CallbackRouteError, CredentialsSignin } from "../../src/Errors.ts"
import { Auth, raw } from "../../src/index.ts"
import { skipCSRFCheck } from "../../src/internal/Markers.ts"
import { thrownAs, withErr } from "../../src/authjs/AuthJsError.ts"

class WrongPassword extends WrittenForAuthJs {
  override code = "wrong_password"
}

const secret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"

describe("AuthJsError", () => {
  it("shows the error behind a failure in both places, and changes neither", () => {
    const cause = Object.freeze(new RangeError("behind"))
    const failure = new CallbackRouteError({ detail: "authorize failed", cause })
    const shown = withErr(failure)
    assert.instanceOf(shown, CallbackRouteError)
    assert.deepStrictEqual([shown.type, shown.message, shown._tag], [failure.type, failure.message, failure._tag])
    assert.instanceOf(shown.cause, RangeError)
    assert.strictEqual(Reflect.get(Object(shown.cause), "message"), "behind")
    assert.strictEqual(Reflect.get(Object(shown.cause), "err"), cause)
    assert.strictEqual(failure.cause, cause)
  })

  it("leaves alone what has nothing behind it, has it shown already, or cannot be looked at", () => {
    const strange = Object.defineProperty(new Error("x"), "cause", {
      get: () => {
        throw new Error("no")
      }
    })
    for (const error of [
      new CallbackRouteError({}),
      new CallbackRouteError({ cause: "text" }),
      withErr(new CallbackRouteError({ cause: new Error("behind") })),
      strange
    ]) {
      assert.strictEqual(withErr(error), error)
    }
  })

  it("throws the error of the application where it is of that type, and the failure otherwise", () => {
    const wrong = new WrongPassword()
    assert.strictEqual(thrownAs(new CredentialsSignin({ cause: wrong })), wrong)
    const ours = new CredentialsSignin({ cause: new CredentialsSignin({}) })
    assert.instanceOf(thrownAs(ours), CredentialsSignin)
    assert.notStrictEqual(thrownAs(ours), ours.cause)
    const other = thrownAs(new CallbackRouteError({ cause: wrong }))
    assert.instanceOf(other, CallbackRouteError)
    assert.strictEqual(Reflect.get(Object(other.cause), "err"), wrong)
  })

  it("is what raw mode throws and what a logger is given", async () => {
    const logged: Array<Error> = []
    const attempt = (thrown: Error): Promise<unknown> =>
      Promise.resolve(
        Auth(
          new Request("https://app.example/auth/callback/credentials", {
            method: "POST",
            body: new URLSearchParams({ username: "bob" })
          }),
          {
            raw,
            skipCSRFCheck,
            secret,
            trustHost: true,
            logger: { error: (error) => void logged.push(error), warn: () => undefined },
            providers: [
              {
                id: "credentials",
                type: "credentials",
                name: "x",
                credentials: {},
                authorize: () => Promise.reject(thrown)
              }
            ]
          }
        )
      ).catch((error: unknown) => error)
    const wrong = new WrongPassword()
    assert.strictEqual(await attempt(wrong), wrong)
    const down = new Error("The directory is down.")
    const failed = await attempt(down)
    assert.instanceOf(failed, CallbackRouteError)
    assert.strictEqual(Reflect.get(Object(failed.cause), "err"), down)
    assert.strictEqual(Reflect.get(Object(logged.at(-1)?.cause), "err"), down)
  })
})
