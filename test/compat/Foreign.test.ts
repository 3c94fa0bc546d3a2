import * as peer from "@auth/core"
import { AccessDenied, AuthError, CredentialsSignin, SignInError, Verification } from "@auth/core/errors"
import PeerGitHub from "@auth/core/providers/github"
import { assert, describe, it } from "vitest"
import * as Entry from "../../src/compat/errors.ts"
import Credentials from "../../src/compat/providers/credentials.ts"
import { Auth, type AuthConfig } from "../../src/index.ts"

const site = "https://app.example"
const secret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
const quiet = { error: () => undefined, warn: () => undefined, debug: () => undefined }

const config = (options: Partial<AuthConfig>): AuthConfig => ({
  secret,
  trustHost: true,
  logger: quiet,
  providers: [Credentials({ credentials: {}, authorize: () => ({ id: "1", name: "Ada" }) })],
  ...options
})

/** These options with markers of another copy; no type knows them. */
const marked = (options: AuthConfig, markers: object): AuthConfig => Object.assign({}, options, markers)

const signIn = () =>
  new Request(`${site}/auth/callback/credentials`, { method: "POST", body: new URLSearchParams({ name: "Ada" }) })

const markers: ReadonlyArray<
  readonly [string, { readonly raw: symbol; readonly skip: symbol; readonly fetch: symbol }]
> = [
  ["of @auth/core", { raw: peer.raw, skip: peer.skipCSRFCheck, fetch: peer.customFetch }],
  ["of any copy", { raw: Symbol("return-type-raw"), skip: Symbol("skip-csrf-check"), fetch: Symbol("custom-fetch") }]
]

describe("markers", () => {
  for (const [origin, { fetch, raw, skip }] of markers) {
    it(`raw and skipCSRFCheck ${origin} count`, async () => {
      const answer: unknown = await Auth(signIn(), marked(config({}), { raw, skipCSRFCheck: skip }))
      assert.notInstanceOf(answer, Response)
      assert.strictEqual(Reflect.get(Object(answer), "redirect"), site)
      assert.isArray(Reflect.get(Object(answer), "cookies"))
    })

    it(`customFetch ${origin} counts`, async () => {
      const asked: Array<string> = []
      const own = (input: string | URL | Request): Promise<Response> => {
        asked.push(input instanceof Request ? input.url : String(input))
        return Promise.resolve(new Response(null, { status: 503 }))
      }
      const provider = Object.assign(
        {
          id: "corp",
          name: "Corp",
          type: "oidc" as const,
          issuer: "https://id.example",
          clientId: "a",
          clientSecret: "b"
        },
        { [fetch]: own }
      )
      // Documents of a provider are kept by its id and the secret.
      const options = marked(config({ secret: `${origin} ${secret}`, providers: [provider] }), { skipCSRFCheck: skip })
      await Auth(new Request(`${site}/auth/signin/corp`, { method: "POST" }), options)
      assert.deepStrictEqual(asked, ["https://id.example/.well-known/openid-configuration"])
    })
  }

  for (const wrong of ["return-type-raw", "raw", true, Symbol("raw"), Symbol.for("other")]) {
    it(`${String(wrong)} is none`, async () => {
      const answer: unknown = await Auth(signIn(), marked(config({}), { raw: wrong, skipCSRFCheck: wrong }))
      assert.instanceOf(answer, Response)
      if (answer instanceof Response) assert.include(answer.headers.get("location"), "error=MissingCSRF")
    })
  }
})

class Locked extends CredentialsSignin {
  override code = "locked"
}
class Own extends Entry.CredentialsSignin {
  override code = "locked"
}
class Odd extends AuthError {
  static type = "Odd"
}

/** The thrown error, and the target of a redirect. */
const thrown: ReadonlyArray<readonly [string, Error, string]> = [
  ["a CredentialsSignin of @auth/core", new Locked(), "/auth/signin?error=CredentialsSignin&code=locked"],
  ["a CredentialsSignin of ours", new Own(), "/auth/signin?error=CredentialsSignin&code=locked"],
  ["an AccessDenied of @auth/core", new AccessDenied("no"), "/auth/error?error=AccessDenied"],
  ["an AccessDenied of ours", new Entry.AccessDenied("no"), "/auth/error?error=AccessDenied"],
  ["a Verification of @auth/core", new Verification(), "/auth/error?error=Verification"],
  ["an AuthError of @auth/core", new AuthError("no"), "/auth/error?error=Configuration"],
  ["an AuthError of a type of its own", new Odd(), "/auth/error?error=Configuration"],
  ["a SignInError of @auth/core", new SignInError("no"), "/auth/error?error=Configuration"],
  ["a MissingSecret of ours", new Entry.MissingSecret(), "/auth/error?error=Configuration"]
]

const families = { AccessDenied: Entry.AccessDenied, CallbackRouteError: Entry.CallbackRouteError }

const places = {
  authorize: (error: Error) =>
    config({ providers: [Credentials({ credentials: {}, authorize: () => Promise.reject(error) })] }),
  "callbacks.signIn": (error: Error) => config({ callbacks: { signIn: () => Promise.reject(error) } }),
  "callbacks.jwt": (error: Error) => config({ callbacks: { jwt: () => Promise.reject(error) } })
}

describe("an error that an application throws", () => {
  for (const [place, options] of Object.entries(places)) {
    for (const [title, error, target] of thrown) {
      it(`decides the answer: ${title} in ${place}`, async () => {
        const answer = await Auth(signIn(), marked(options(error), { skipCSRFCheck: peer.skipCSRFCheck }))
        const location = new URL(answer.headers.get("location") ?? "")
        location.searchParams.delete("request_id")
        assert.strictEqual(location.pathname + location.search, target)
      })

      it(`comes back in raw mode as it was thrown: ${title} in ${place}`, async () => {
        const markers = { raw: peer.raw, skipCSRFCheck: peer.skipCSRFCheck }
        const caught = await Auth(signIn(), marked(options(error), markers)).catch((caught: unknown) => caught)
        assert.strictEqual(caught, error)
        assert.isTrue(caught instanceof Entry.AuthError)
      })
    }
  }

  for (const [place, type] of [
    ["authorize", "CallbackRouteError"],
    ["callbacks.signIn", "AccessDenied"],
    ["callbacks.jwt", "CallbackRouteError"]
  ] as const) {
    it(`is behind the failure when it is any other: ${place}`, async () => {
      const error = new RangeError("out of reach")
      const markers = { raw: peer.raw, skipCSRFCheck: peer.skipCSRFCheck }
      const caught: unknown = await Auth(signIn(), marked(places[place](error), markers)).catch(
        (caught: unknown) => caught
      )
      if (!(caught instanceof Entry.AuthError)) return assert.fail("no AuthError")
      assert.strictEqual(caught.type, type)
      assert.strictEqual(caught.cause?.err, error)
      assert.isTrue(caught instanceof families[type])
      assert.isFalse(caught instanceof Entry.CredentialsSignin)
    })
  }

  it("a refusal by authorize is a CredentialsSignin with its code", async () => {
    const options = config({ providers: [Credentials({ credentials: {}, authorize: () => null })] })
    const markers = { raw: peer.raw, skipCSRFCheck: peer.skipCSRFCheck }
    const caught: unknown = await Auth(signIn(), marked(options, markers)).catch((caught: unknown) => caught)
    if (!(caught instanceof Entry.CredentialsSignin)) return assert.fail("no CredentialsSignin")
    assert.deepStrictEqual([caught.code, caught.type, caught.kind], ["credentials", "CredentialsSignin", "signIn"])
    assert.isTrue(Entry.isClientError(caught))
  })
})

describe("a provider object of @auth/core", () => {
  it("sends the browser to its platform", async () => {
    const provider: object = PeerGitHub({ clientId: "a", clientSecret: "b" })
    const options = marked(config({}), { providers: [provider], skipCSRFCheck: peer.skipCSRFCheck })
    const answer = await Auth(new Request(`${site}/auth/signin/github`, { method: "POST" }), options)
    const location = new URL(answer.headers.get("location") ?? "")
    assert.strictEqual(location.origin + location.pathname, "https://github.com/login/oauth/authorize")
    assert.strictEqual(location.searchParams.get("client_id"), "a")
  })
})
