/** The short unions that the verbs of the Effect face fail with: their members, and what becomes of other failures. */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Logger from "effect/Logger"
import type * as Accounts from "../src/Accounts.ts"
import { FailureWithCookies } from "../src/http/AuthResponse.ts"
import type { finishSignIn } from "../src/oauth/FinishSignIn.ts"
import * as Errors from "../src/Errors.ts"
import * as Access from "../src/Access.ts"
import type * as Http from "../src/Http.ts"
import type * as Sessions from "../src/Sessions.ts"
import { facts, type FailureTag } from "../src/internal/FailureFacts.ts"
import type { Jwt } from "../src/Jwt.ts"
import type * as ServerSignIn from "../src/actions/ServerSignIn.ts"
import type { signedInAs } from "../src/testing/SignedIn.ts"

/** The tags of what an Effect, or what a function makes, fails with. */
type Tags<T> =
  T extends Effect.Effect<infer _A, infer E, infer _R>
    ? E extends { readonly _tag: infer Tag }
      ? Tag
      : never
    : T extends (...args: never) => Effect.Effect<infer _A, infer E, infer _R>
      ? E extends { readonly _tag: infer Tag }
        ? Tag
        : never
      : never

type SignIn =
  | "AccessDenied"
  | "AdapterError"
  | "CallbackRouteError"
  | "Configuration"
  | "CredentialsSignin"
  | "MalformedRequest"
  | "Signin"
type Sessions = "AdapterError" | "MissingAdapterMethods" | "SharedStateError" | "UnsupportedStrategy"
type Refusal = "NotAllowed" | "NotSignedIn" | "SessionUnavailable"

const members = [
  "AccessDenied",
  "AdapterError",
  "CallbackRouteError",
  "Configuration",
  "CredentialsSignin",
  "MalformedRequest",
  "Signin"
] satisfies ReadonlyArray<SignIn>

const classes = { ...Errors }
const tags = Object.keys(facts) as ReadonlyArray<FailureTag>
const make = (tag: FailureTag): Errors.AuthError =>
  Reflect.construct(classes[tag], [{ detail: `why ${tag}`, provider: "github", retryable: true }])

describe("the unions", () => {
  it("of every failure has one class for each row of the facts", () => {
    expectTypeOf<Errors.AuthError["_tag"]>().toEqualTypeOf<FailureTag>()
  })

  it("are what the verbs fail with", () => {
    expectTypeOf<Tags<typeof Http.signIn>>().toEqualTypeOf<SignIn | "NotAllowed">()
    expectTypeOf<Tags<typeof ServerSignIn.signIn>>().toEqualTypeOf<SignIn>()
    expectTypeOf<Tags<typeof Http.signOut>>().toEqualTypeOf<"MalformedRequest" | "SignOutError">()
    expectTypeOf<Tags<typeof Sessions.list>>().toEqualTypeOf<Sessions>()
    expectTypeOf<Tags<typeof Sessions.revoke>>().toEqualTypeOf<Sessions>()
    expectTypeOf<Tags<typeof Sessions.revokeAll>>().toEqualTypeOf<Sessions>()
    expectTypeOf<Tags<typeof Http.revokeOtherSessions>>().toEqualTypeOf<Refusal | Sessions>()
    expectTypeOf<Tags<ReturnType<typeof Http.requireSession>>>().toEqualTypeOf<Refusal>()
    expectTypeOf<Tags<ReturnType<typeof Http.updateSession>>>().toEqualTypeOf<Refusal>()
    expectTypeOf<Tags<ReturnType<typeof Http.session>>>().toEqualTypeOf<"SessionUnavailable">()
    expectTypeOf<Tags<typeof Accounts.unlink>>().toEqualTypeOf<
      "AdapterError" | "LastWayToSignIn" | "MissingAdapter" | "SharedStateError"
    >()
    expectTypeOf<Tags<Jwt["Service"]["encode"]>>().toEqualTypeOf<"JwtSessionError">()
    expectTypeOf<Tags<Jwt["Service"]["decode"]>>().toEqualTypeOf<"JwtSessionError">()
    expectTypeOf<Tags<ReturnType<typeof signedInAs>["cookie"]>>().toEqualTypeOf<SignIn>()
    expectTypeOf<Tags<ReturnType<typeof signedInAs>["bearer"]>>().toEqualTypeOf<SignIn | "NoToken">()
  })

  it("are what an endpoint can declare, each member with its status", () => {
    const api = HttpApi.make("api").add(
      HttpApiGroup.make("group").add(
        HttpApiEndpoint.post("join", "/join", { error: [...Errors.SignInError.members, Access.NotAllowed] })
      )
    )
    const statuses = Object.keys(OpenApi.fromApi(api).paths["/join"]?.post?.responses ?? {})
    assert.includeMembers(statuses, ["400", "401", "403", "500", "503"])
  })

  it("have no failure with cookies that is not tagged", () => {
    expectTypeOf<Tags<typeof finishSignIn>>().toEqualTypeOf<"FailureWithCookies">()
    const failure = new Errors.InvalidCheck({})
    assert.strictEqual(new FailureWithCookies({ failure, cookies: [] }).failure, failure)
  })
})

describe("a failure of signing in", () => {
  for (const tag of tags) {
    it(`${tag} is a member, or the cause of one`, () => {
      const failure = make(tag)
      const narrow = Errors.toSignInError(failure)
      if (members.some((member) => member === tag)) return assert.strictEqual(narrow, failure)
      const isOfVisitor = failure.blame === "person" || failure.blame === "request"
      assert.strictEqual(narrow._tag, isOfVisitor ? "Signin" : "Configuration")
      assert.strictEqual(narrow.cause, failure)
      assert.deepStrictEqual([narrow.provider, narrow.retryable], ["github", true])
    })
  }

  it.gen("is logged with what it was", function* () {
    for (const format of [Logger.formatLogFmt, Logger.formatJson]) {
      const lines: Array<string> = []
      const logger = Logger.map(format, (line) => void lines.push(line))
      yield* Effect.provide(
        Effect.logError(Errors.toSignInError(make("OAuthAccountNotLinked"))),
        Logger.layer([logger])
      )
      for (const part of ["Signin", "OAuthAccountNotLinked", "why OAuthAccountNotLinked"]) {
        assert.include(lines[0], part)
      }
    }
  })
})
