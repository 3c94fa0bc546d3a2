/**
 * A ceremony of a key that begins at one side and ends at the other, over one store. What began at `@auth/core` is finished
 * here; what began here is finished here alone.
 */
import { assert, describe, it } from "@effect/vitest"
import PeerPasskey from "@auth/core/providers/passkey"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import * as nine from "simplewebauthn-server-9"
import { createStorage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"
import { site } from "../Visitor.ts"
import {
  create,
  type CreationOptions,
  type Credential,
  get,
  type RequestOptions
} from "../webauthn/SoftwareAuthenticator.ts"
import { errorOf, type Pair, pair, password, type Side } from "./Pair.ts"

const ada = "ada@example.com"
const challengeCookie = "__Secure-authjs.challenge"

const world = (): Pair & { readonly keys: () => Promise<number> } => {
  const storage = createStorage({ driver: memoryDriver() })
  const {
    generateAuthenticationOptions,
    generateRegistrationOptions,
    verifyAuthenticationResponse,
    verifyRegistrationResponse
  } = nine
  const passkey = {
    ...PeerPasskey({}),
    simpleWebAuthn: {
      generateAuthenticationOptions,
      generateRegistrationOptions,
      verifyAuthenticationResponse,
      verifyRegistrationResponse
    }
  }
  const made = pair({
    config: () => ({
      adapter: UnstorageAdapter(storage),
      session: { strategy: "jwt" },
      experimental: { enableWebAuthn: true },
      providers: [passkey, password()]
    })
  })
  const keys = async (): Promise<number> =>
    (await storage.getKeys("authenticator:")).filter((key) => !key.includes("by-user")).length
  return { ...made, keys }
}

const optionsOf = async <A>(at: Pair, side: Side, query: string): Promise<A> => {
  at.turn(side)
  const answer = await at.browser.get(`/auth/webauthn-options/passkey?${query}`)
  return ((await answer.json()) as { options: A }).options
}

const answered = (at: Pair, side: Side, action: string, data: object): Promise<Response> => {
  at.turn(side)
  return at.browser.post("/auth/callback/passkey", { action, data: JSON.stringify(data) })
}

const whose = async (at: Pair, side: Side): Promise<unknown> => {
  at.turn(side)
  return (await at.browser.session())?.user?.["email"]
}

const register = async (at: Pair, first: Side, second: Side, email = ada): Promise<Credential> => {
  const options = await optionsOf<CreationOptions>(at, first, `action=register&email=${email}`)
  const { credential, data } = create(options, site)
  const seen = await answered(at, second, "register", data)
  assert.strictEqual(seen.headers.get("location"), site)
  assert.strictEqual(await whose(at, first), email)
  return credential
}

const keyAnswer = async (at: Pair, side: Side, credential: Credential, query = "action=authenticate") => {
  credential.counter++
  return get(credential, await optionsOf<RequestOptions>(at, side, query), site)
}

describe("a ceremony", () => {
  it("that begins there for a signed-in user adds a key here", async () => {
    const at = world()
    await register(at, "here", "here")
    const options = await optionsOf<CreationOptions>(at, "there", "action=register")
    const { credential, data } = create(options, site)
    await answered(at, "here", "register", data)
    assert.strictEqual(await at.keys(), 2)
    at.browser.cookies.clear()
    const seen = await answered(at, "here", "authenticate", await keyAnswer(at, "there", credential))
    assert.strictEqual(seen.headers.get("location"), site)
    assert.strictEqual(await whose(at, "here"), ada)
    assert.deepStrictEqual(at.logged, [])
  })

  it("begins here and does not end there", async () => {
    const at = world()
    const { data } = create(await optionsOf<CreationOptions>(at, "here", `action=register&email=${ada}`), site)
    assert.isDefined(errorOf(await answered(at, "there", "register", data)))
    assert.strictEqual(await at.keys(), 0)
  })

  it("begins there and ends here", async () => {
    const at = world()
    const credential = await register(at, "there", "here")
    at.browser.cookies.clear()
    await answered(at, "here", "authenticate", await keyAnswer(at, "there", credential))
    assert.strictEqual(await whose(at, "here"), ada)
    assert.deepStrictEqual(at.logged, [])
  })

  it("ends here once", async () => {
    const at = world()
    const credential = await register(at, "here", "here")
    at.browser.cookies.clear()
    const data = await keyAnswer(at, "there", credential)
    const cookies = new Map(at.browser.cookies)
    await answered(at, "here", "authenticate", data)
    assert.strictEqual(await whose(at, "here"), ada)
    at.browser.cookies.clear()
    for (const [key, value] of cookies) at.browser.cookies.set(key, value)
    assert.isDefined(errorOf(await answered(at, "here", "authenticate", data)))
    assert.isUndefined(await whose(at, "here"))
  })

  it("begins there and ends here as the kind of ceremony that it is", async () => {
    const at = world()
    const credential = await register(at, "here", "here")
    at.browser.cookies.clear()
    const { challenge } = await optionsOf<CreationOptions>(at, "there", "action=register&email=eve@example.com")
    credential.counter++
    const data = get(credential, { challenge } as RequestOptions, site)
    assert.isDefined(errorOf(await answered(at, "here", "authenticate", data)))
    assert.isUndefined(await whose(at, "here"))
  })

  it("that began there for one person does not end here for another", async () => {
    const at = world()
    await register(at, "here", "here")
    const { data } = create(await optionsOf<CreationOptions>(at, "there", "action=register"), site)
    const challenge = at.browser.cookies.get(challengeCookie) ?? ""
    for (const who of ["nobody", "eve@example.com"]) {
      at.browser.cookies.clear()
      if (who !== "nobody") await register(at, "here", "here", who)
      const keys = await at.keys()
      at.browser.cookies.set(challengeCookie, challenge)
      assert.isDefined(errorOf(await answered(at, "here", "register", data)))
      assert.strictEqual(await at.keys(), keys)
    }
  })

  it("that began there without a session makes no key here in one", async () => {
    const at = world()
    const { data } = create(
      await optionsOf<CreationOptions>(at, "there", `action=register&email=eve@example.com`),
      site
    )
    const challenge = at.browser.cookies.get(challengeCookie) ?? ""
    await register(at, "here", "here")
    at.browser.cookies.set(challengeCookie, challenge)
    assert.isDefined(errorOf(await answered(at, "here", "register", data)))
    assert.strictEqual(await at.keys(), 1)
  })

  it("P213 that began there does not end here when another cookie has its name", async () => {
    const at = world()
    const credential = await register(at, "here", "here")
    at.browser.cookies.clear()
    const data = await keyAnswer(at, "there", credential)
    const challenge = at.browser.cookies.get(challengeCookie) ?? ""
    at.browser.cookies.set(challengeCookie, `${challenge}; ${challengeCookie}=another`)
    assert.isDefined(errorOf(await answered(at, "here", "authenticate", data)))
    assert.isUndefined(await whose(at, "here"))
  })

  it("that began there for one spelling of an address ends here with the one that is kept", async () => {
    const at = world()
    const options = await optionsOf<CreationOptions>(at, "there", "action=register&email=EVE@Example.com")
    await answered(at, "here", "register", create(options, site).data)
    assert.strictEqual(await whose(at, "here"), "eve@example.com")
  })

  it("that began there for another spelling of a known address makes no second user here", async () => {
    const at = world()
    await register(at, "here", "here")
    at.browser.cookies.clear()
    const options = await optionsOf<CreationOptions>(at, "there", "action=register&email=ADA@Example.com")
    assert.isDefined(errorOf(await answered(at, "here", "register", create(options, site).data)))
    assert.isUndefined(await whose(at, "here"))
    assert.strictEqual(await at.keys(), 1)
  })

  it("that began there for what is no address makes no key here", async () => {
    const at = world()
    const query = new URLSearchParams({ action: "register", email: "eve@example.com\nada@example.com" })
    const options = await optionsOf<CreationOptions>(at, "there", query.toString())
    assert.isDefined(errorOf(await answered(at, "here", "register", create(options, site).data)))
    assert.strictEqual(await at.keys(), 0)
  })
})
