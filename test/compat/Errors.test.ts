import * as Peer from "@auth/core/errors"
import { assert, describe, it } from "vitest"
import * as Entry from "../../src/compat/errors.ts"
import * as Errors from "../../src/Errors.ts"
import { facts } from "../../src/internal/FailureFacts.ts"

type Constructor = new (message?: unknown, options?: unknown) => Error
const isClass = (value: unknown): value is Constructor =>
  typeof value === "function" &&
  (value.prototype instanceof Error || value === Peer.AuthError || value === Entry.AuthError)

const classesOf = (module: object) =>
  new Map(Object.entries(module).flatMap(([name, value]: [string, unknown]) => (isClass(value) ? [[name, value]] : [])))
const ours = classesOf(Entry)
const theirs = classesOf(Peer)
const isClientErrorOfPeer: (error: unknown) => boolean = Reflect.get(Peer, "isClientError")

/** The members of an error that programs read. */
const factsOf = (error: Error) => ({
  name: error.name,
  type: Reflect.get(error, "type"),
  kind: Reflect.get(error, "kind"),
  code: Reflect.get(error, "code"),
  keys: Object.keys(error)
    .filter((key) => key !== "message")
    .sort()
})

describe("the classes of errors", () => {
  it("are all there, and nothing else", () => {
    assert.deepStrictEqual(Object.keys(Entry).sort(), Object.keys(Peer).sort())
    assert.strictEqual(ours.size, 34)
  })

  for (const [name, Their] of theirs) {
    const Our = ours.get(name)
    if (Our === undefined) continue

    it(`${name} has the same facts`, () => {
      assert.deepStrictEqual(factsOf(new Our()), factsOf(new Their()))
      for (const member of ["type", "kind", "name"]) {
        assert.strictEqual(Reflect.get(Our, member), Reflect.get(Their, member), member)
      }
      assert.strictEqual(Entry.isClientError(new Our()), isClientErrorOfPeer(new Their()))
    })

    it(`${name} is of the same classes`, () => {
      for (const [other, Family] of theirs) {
        const expected = new Their() instanceof Family
        const Own = ours.get(other)
        assert.isDefined(Own)
        if (Own === undefined) continue
        // SignInError has no type of its own, so every error of the kind is one.
        assert.strictEqual(new Our() instanceof Own, expected, `ours and ${other}`)
        assert.strictEqual(new Their() instanceof Own, expected, `theirs and ${other}`)
      }
    })
  }

  const forms: ReadonlyArray<readonly [string, ReadonlyArray<unknown>, unknown]> = [
    ["nothing", [], undefined],
    ["a message", ["no"], undefined],
    ["a message with a cause", ["no", { cause: { a: 1 } }], { a: 1 }],
    ["a message with an error as its cause", ["no", { cause: new RangeError("x") }], "RangeError"],
    ["an error", [new RangeError("x")], { err: "RangeError" }],
    ["an error with details", [new RangeError("x"), { provider: "a" }], { err: "RangeError", provider: "a" }],
    ["an error with a cause", [new RangeError("x", { cause: { b: 2 } }), { a: 1 }], { err: "RangeError", b: 2, a: 1 }],
    ["an error with an error as its cause", [new RangeError("x", { cause: new Error("y") })], { err: "RangeError" }]
  ]
  const shown = (cause: unknown): unknown =>
    cause instanceof Error
      ? cause.name
      : typeof cause === "object" && cause !== null
        ? Object.fromEntries(Object.entries(cause).map(([key, value]) => [key, shown(value)]))
        : cause
  for (const [title, given, cause] of forms) {
    it(`takes ${title}`, () => {
      const our = new Entry.CallbackRouteError(...(given as [])) as Error
      const their = new Peer.CallbackRouteError(...(given as [])) as Error
      assert.deepStrictEqual(shown(our.cause), cause)
      assert.deepStrictEqual(shown(our.cause), shown(their.cause))
      assert.strictEqual(Object.keys(our).includes("cause"), false)
    })
  }

  const kept: ReadonlyArray<readonly [string, ReadonlyArray<unknown>, unknown]> = [
    ["details beside a message", ["no", { provider: "a" }], { provider: "a" }],
    ["details and a cause", ["no", { provider: "a", cause: { b: 2 } }], { provider: "a", b: 2 }],
    [
      "details and an error as the cause",
      ["no", { provider: "a", cause: new RangeError("x") }],
      { provider: "a", err: "RangeError" }
    ],
    ["an error beside a message", ["no", new RangeError("x", { cause: { b: 2 } })], { err: "RangeError", b: 2 }],
    ["details alone", [{ provider: "a" }], { provider: "a" }]
  ]
  for (const [title, given, cause] of kept) {
    it(`keeps ${title}`, () => {
      assert.deepStrictEqual(shown((new Entry.Verification(...(given as [])) as Error).cause), cause)
    })
  }

  it("say what they were told, or where they are explained", () => {
    assert.strictEqual(new Entry.AccessDenied("Not today").message, "Not today")
    assert.strictEqual(new Entry.AccessDenied().message, "See docs/errors.md#accessdenied")
    assert.strictEqual(new Entry.AccessDenied(new Error("secret")).message, "See docs/errors.md#accessdenied")
    assert.match(new Entry.AccessDenied("Not today").stack ?? "", /Errors\.test\.ts/)
  })
})

class WrongPassword extends Entry.CredentialsSignin {
  override code = "wrong_password"
}
class TooLate extends Entry.CredentialsSignin {
  override code = "too_late"
}
class OutOfStock extends Entry.AuthError {
  static type = "OutOfStock"
}
class Refused extends Entry.SignInError {}

describe("classes of an application", () => {
  it("have the facts of the class that they stand on", () => {
    assert.deepStrictEqual(factsOf(new WrongPassword("no")), {
      name: "WrongPassword",
      type: "CredentialsSignin",
      kind: "signIn",
      code: "wrong_password",
      keys: ["code", "kind", "name", "type"]
    })
    assert.deepInclude(factsOf(new OutOfStock()), { name: "OutOfStock", type: "OutOfStock", kind: "error" })
    assert.deepInclude(factsOf(new Refused()), { name: "Refused", type: "AuthError", kind: "signIn" })
  })

  it("are told from one another", () => {
    const wrong = new WrongPassword()
    assert.deepStrictEqual(
      [WrongPassword, TooLate, OutOfStock, Refused, Entry.CredentialsSignin, Entry.SignInError, Entry.AuthError].map(
        (Class) => wrong instanceof Class
      ),
      [true, false, false, false, true, true, true]
    )
    assert.isTrue(new OutOfStock() instanceof Entry.AuthError)
    assert.isFalse(new OutOfStock() instanceof Entry.SignInError)
    assert.isFalse(new Errors.CredentialsSignin({}) instanceof WrongPassword)
    assert.isTrue(wrong instanceof Error)
  })
})

describe("an error of another making", () => {
  const named: { readonly [tag: string]: string } = {
    DuplicateConditionalUi: "DuplicateConditionalUI",
    InvalidEmail: "EmailSignInError",
    JwtSessionError: "JWTSessionError",
    MethodNotAllowed: "UnknownAction",
    MissingCsrf: "MissingCSRF"
  }
  for (const tag of Object.keys(facts)) {
    const Failure: unknown = Reflect.get(Errors, tag)
    if (!isClass(Failure)) continue
    it(`a failure ${tag} is of its class`, () => {
      const failure: Error = Reflect.construct(Failure, [{ allow: "GET", detail: "x" }])
      assert.isTrue(failure instanceof Entry.AuthError)
      assert.strictEqual(failure instanceof Entry.SignInError, Reflect.get(failure, "kind") === "signIn")
      const Own = ours.get(named[tag] ?? tag)
      if (Own !== undefined) assert.isTrue(failure instanceof Own)
      const families = [...ours].filter(([, Class]) => failure instanceof Class).map(([name]) => name)
      assert.includeMembers(["AuthError", "SignInError", named[tag] ?? tag, Reflect.get(failure, "type")], families)
    })
  }

  const others: ReadonlyArray<readonly [string, unknown]> = [
    ["nothing", undefined],
    ["null", null],
    ["a text", "AccessDenied"],
    ["a plain object", { type: "AccessDenied", kind: "error" }],
    ["a function", () => undefined],
    ["an error", new Error("AccessDenied")],
    ["an error with a type", Object.assign(new Error("x"), { type: "AccessDenied" })],
    ["an error with another kind", Object.assign(new Error("x"), { type: "AccessDenied", kind: "client" })],
    ["an error with a type that is no text", Object.assign(new Error("x"), { type: 1, kind: "error" })]
  ]
  for (const [title, value] of others) {
    it(`${title} is none of them`, () => {
      for (const [name, Class] of ours) assert.isFalse(value instanceof Class, name)
      assert.isFalse(Entry.isClientError(value))
    })
  }

  it("counts by its shape", () => {
    const shaped = Object.assign(new Error("x"), { type: "AccessDenied", kind: "error" })
    assert.isTrue(shaped instanceof Entry.AccessDenied)
    assert.isFalse(shaped instanceof Entry.Verification)
    assert.isFalse(shaped instanceof Entry.SignInError)
    assert.isTrue(Entry.isClientError(shaped))
  })

  it("asks errors that throw when they are asked", () => {
    for (const member of ["type", "kind", "_tag"]) {
      const value = Object.assign(new Error("x"), { type: "OutOfStock", kind: "error" })
      Object.defineProperty(value, member, {
        get() {
          throw new Error("not yours")
        }
      })
      for (const [name, Class] of ours) {
        if (member !== "_tag" || name !== "AuthError") assert.isFalse(value instanceof Class, `${name} ${member}`)
      }
      assert.isFalse(Entry.isClientError(value))
    }
  })
})
