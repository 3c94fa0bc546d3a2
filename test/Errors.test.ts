import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AuthError as PeerError, CredentialsSignin as PeerCredentialsSignin } from "@auth/core/errors"
import { readFileSync } from "node:fs"
import * as Errors from "../src/Errors.ts"
import { facts, type FailureTag } from "../src/internal/FailureFacts.ts"
import { isPageCode, isPageError } from "../src/internal/PageError.ts"

const document = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8")
const anchors = new Set([...document.matchAll(/<a id="(.+?)">/g)].map(([, id]) => id))
const rows = new Map(
  [...document.matchAll(/^\| \[(\w+)\]\(#([\w-]+)\) \|(.+)\|$/gm)].map(([, tag = "", anchor = "", rest = ""]) => [
    tag,
    { anchor, cells: rest.split("|").map((cell) => cell.trim()) }
  ])
)

type Constructor = new (fields: Errors.FailureFields & { readonly allow: string }) => Errors.AuthError

const isFailureClass = (value: unknown): value is Constructor =>
  typeof value === "function" && value.prototype instanceof Error

/** Every exported class, by its name. */
const classes = Object.entries(Errors).flatMap(([name, value]): ReadonlyArray<readonly [string, Constructor]> =>
  isFailureClass(value) ? [[name, value]] : []
)

const blame = {
  request: "the client's",
  person: "the person's",
  provider: "the provider's",
  operator: "the operator's"
}

// The compiler keeps this list complete.
const codes: Readonly<Record<Errors.FailureCode, true>> = {
  flow_missing: true,
  flow_mismatch: true,
  flow_expired: true,
  flow_other_host: true,
  flow_used: true,
  flow_unknown_key: true,
  access_denied: true,
  login_required: true,
  provider_unavailable: true,
  provider_error: true,
  invalid_response: true,
  invalid_token: true,
  profile_invalid: true,
  credentials: true,
  throttled: true,
  email_invalid: true
}

describe("failures", () => {
  it("there is one class for every row of facts", () => {
    assert.deepStrictEqual(classes.map(([name]) => name).sort(), Object.keys(facts).sort())
  })

  for (const [name, Failure] of classes) {
    it(`${name} has its facts, and a place in the documentation`, () => {
      const fact = facts[name as FailureTag]
      const failure = new Failure({ allow: "GET" })
      assert.deepStrictEqual(
        [failure._tag, failure.type, failure.kind, failure.status, failure.isClientSafe, failure.blame, failure.remedy],
        [name, fact.type, fact.kind, fact.status, fact.exposed, fact.blame, fact.remedy]
      )
      assert.isTrue(Errors.isAuthError(failure))
      assert.strictEqual(failure.message, fact.remedy)
      assert.strictEqual(new Failure({ allow: "GET", detail: "What happened" }).message, "What happened")
      assert.match(fact.remedy, /^[A-Z].+[^ ]$/)

      const [path, anchor = ""] = failure.docs.split("#")
      assert.strictEqual(path, "docs/errors.md")
      assert.isTrue(anchors.has(anchor), `an entry ${anchor}`)
      const row = rows.get(name)
      assert.strictEqual(row?.anchor, anchor)
      const [shown, by, status, whose, remedy] = row?.cells ?? []
      assert.deepStrictEqual([status, whose, remedy], [String(fact.status), blame[fact.blame], fact.remedy])
      if (fact.exposed)
        assert.deepStrictEqual(
          [shown, by],
          [`\`${fact.type}\``, fact.kind === "signIn" ? "sign-in page" : "error page"]
        )
      else assert.include(["", "`Configuration`"], shown)
    })

    it(`${name} blames whom its status blames`, () => {
      const { blame, exposed, status } = facts[name as FailureTag]
      if (blame === "request" || blame === "person") assert.isTrue(status >= 400 && status < 500)
      else assert.isTrue(status >= 500)
      if (exposed) assert.notStrictEqual(blame, "operator")
    })
  }

  it("what pages can be asked to show is what failures are called, and nothing else", () => {
    for (const { exposed, type } of Object.values(facts)) if (exposed) assert.isTrue(isPageError(type), type)
    assert.isTrue(isPageError("Configuration"))
    for (const word of ["", "accessdenied", "__proto__", "constructor", "<b>", "MissingSecret", "AdapterError"]) {
      assert.isFalse(isPageError(word), word)
    }
  })

  it("every code is documented, and shaped like one", () => {
    const listed = [...document.matchAll(/^\| `(\w+)` \| [A-Z`]/gm)].map(([, code]) => code)
    assert.sameMembers(listed, Object.keys(codes))
    for (const code of Object.keys(codes)) assert.isTrue(isPageCode(code), code)
    for (const code of ["", "A", "a b", "<", "a".repeat(65), "1a"]) assert.isFalse(isPageCode(code), code)
  })

  it.gen("are values of the error channel, told apart by their tags", function* () {
    const program: Effect.Effect<never, Errors.MissingCsrf | Errors.AccessDenied> = Effect.gen(function* () {
      return yield* new Errors.MissingCsrf({ detail: "no token" })
    })
    const answer = yield* program.pipe(
      Effect.catchTag("MissingCsrf", (failure) => Effect.succeed([failure.status, failure.detail])),
      Effect.orDie
    )
    assert.deepStrictEqual(answer, [403, "no token"])
  })

  it("MethodNotAllowed knows what is allowed", () => {
    assert.strictEqual(new Errors.MethodNotAllowed({ allow: "GET, POST" }).allow, "GET, POST")
  })
})

describe("what application code throws", () => {
  it("is recognised when it is a failure of ours, of another copy, or of Auth.js", () => {
    const own = new Errors.AccessDenied({ detail: "no" })
    assert.strictEqual(Errors.recognise(own), own)

    class TwoFactor extends PeerCredentialsSignin {
      override code = "two_factor"
    }
    const peer = Errors.recognise(new TwoFactor())
    assert.isTrue(peer instanceof Errors.CredentialsSignin)
    assert.deepStrictEqual([peer?.code, peer?.cause instanceof PeerError], ["two_factor", true])

    const copy = Object.assign(new Error("no"), { type: "AccessDenied" })
    assert.strictEqual(Errors.recognise(copy)?._tag, "AccessDenied")
  })

  for (const [type, kind, tag] of [
    ["MissingCSRF", "signIn", "MissingCsrf"],
    ["AccountNotLinked", "signIn", "AccountNotLinked"],
    ["OAuthSignInError", "signIn", "OAuthSignInError"],
    ["EmailSignInError", "signIn", "EmailSignInError"],
    ["WebAuthnVerificationError", "error", "WebAuthnVerificationError"],
    ["MissingSecret", "error", "CallbackRouteError"],
    ["AuthError", "signIn", "CallbackRouteError"],
    ["OutOfStock", "error", "CallbackRouteError"],
    ["__proto__", "error", "CallbackRouteError"]
  ] as const) {
    it(`is recognised by type and kind (${type})`, () => {
      const thrown = Object.assign(new Error("no"), { type, kind })
      const failure = Errors.recognise(thrown)
      assert.deepStrictEqual([failure?._tag, failure?.cause], [tag, thrown])
    })
  }

  const others: ReadonlyArray<unknown> = [
    null,
    undefined,
    "AccessDenied",
    { type: "AccessDenied" },
    new Error("AccessDenied"),
    Object.assign(new Error(), { type: "MissingSecret" }),
    Object.assign(new Error(), { type: "__proto__" }),
    Object.assign(new Error(), { type: "constructor" }),
    Object.assign(new Error(), { type: 1 }),
    { _tag: "AccessDenied" },
    Object.assign(new Error(), { _tag: "AccessDenied" })
  ]
  for (const [index, thrown] of others.entries()) {
    it(`is not recognised otherwise (${index + 1})`, () => {
      assert.isUndefined(Errors.recognise(thrown))
      assert.isFalse(Errors.isAuthError(thrown))
    })
  }

  it("is not recognised when it cannot be looked at", () => {
    const fails = () => {
      throw new Error("not yours")
    }
    for (const name of ["_tag", "type", "kind", "code"]) {
      const members = { type: "OutOfStock", kind: "error", [name]: undefined }
      const thrown = Object.defineProperty(Object.assign(new Error("no"), members), name, { get: fails })
      assert.doesNotThrow(() => Errors.recognise(thrown), name)
      assert.isFalse(Errors.isAuthError(thrown))
    }
    for (const trap of ["get", "getPrototypeOf"]) {
      const thrown = new Proxy(Object.assign(new Error("no"), { type: "OutOfStock", kind: "error" }), { [trap]: fails })
      assert.doesNotThrow(() => Errors.recognise(thrown), trap)
      assert.isUndefined(Errors.recognise(thrown))
    }
  })
})
