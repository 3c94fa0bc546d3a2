/**
 * An answer of a provider over `customFetch` belongs to the issuer and the client of the configuration: a tenant of
 * the process never gets the metadata or the keys that were fetched for another issuer or client. A configuration that is
 * made for every request keeps its cache.
 */
import { assert, describe, it } from "@effect/vitest"
import { generateKeyPairSync } from "node:crypto"
import { customFetch } from "../../src/index.ts"
import { idp, idpOrigin, memoryProvider, type MemoryProvider } from "../MemoryProvider.ts"
import { facade, listener, options, secret, visitor } from "../Visitor.ts"
import { json } from "./ScriptedProvider.ts"

type Fetch = typeof globalThis.fetch

const discovery = "/.well-known/openid-configuration"

/** One source text for every tenant. */
const closure =
  ({ fetch }: MemoryProvider): Fetch =>
  (input, init) =>
    fetch(input, init)

const bound = ({ fetch }: MemoryProvider): Fetch => fetch.bind(undefined)

/** The configuration of a tenant, made for one request. */
const configure = (fetch: Fetch, issuer = idpOrigin, more: object = {}) =>
  options({ secret: `tenants ${secret}`, providers: [idp({ issuer, [customFetch]: fetch, ...more })] })

/** Signs a person in at a tenant, with a new configuration for every request. */
const signIn = async (configuration: () => ReturnType<typeof configure>, provider: MemoryProvider) => {
  const browser = visitor((request) => facade(configuration())(request))
  const away = await browser.submit("/auth/signin/idp")
  const location = away.headers.get("location") ?? ""
  const back = provider.agree(location)
  const landed = await browser.get(back.pathname + back.search)
  return { location, landed: landed.headers.get("location"), user: (await browser.session())?.user?.["name"] }
}

/** A provider whose metadata name the same address of keys as that of every other tenant. */
const sharingKeys = (issuer: string): MemoryProvider => {
  const provider = memoryProvider(issuer)
  provider.script[discovery] = () =>
    json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: "https://keys.example/keys",
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"]
    })
  return provider
}

/** Keys of a stranger, under the id of the honest one. */
const strangersKeys = () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "rsa-1", alg: "RS256", use: "sig" }] })
}

for (const [name, wrap] of [
  ["closures with one source text", closure],
  ["bound functions", bound]
] as const) {
  describe(`tenants with one secret and provider id, whose customFetch are ${name}`, () => {
    it("H287 are each sent to the authorization endpoint that their own function fetched", async () => {
      const issuer = `https://${name.replaceAll(/\W/g, "-")}.example`
      const [first, second] = [memoryProvider(issuer), memoryProvider(issuer)]
      second.script[discovery] = () =>
        json({ issuer, authorization_endpoint: `${issuer}/second`, token_endpoint: `${issuer}/token` })
      const [one, other] = [wrap(first), wrap(second)]
      assert.strictEqual((await signIn(() => configure(one, issuer), first)).user, "Ada")
      const sent = await visitor(facade(configure(other, issuer, { clientId: "client-2" }))).submit("/auth/signin/idp")
      assert.include(sent.headers.get("location"), `${issuer}/second?`)
      assert.deepStrictEqual([first.count(discovery), second.count(discovery)], [1, 1])
    })

    it("H287 verify ID tokens with the keys that their own function fetched", async () => {
      const [hostile, honest] = [sharingKeys("https://hostile.example"), sharingKeys("https://honest.example")]
      hostile.script["/keys"] = strangersKeys
      const [one, other] = [wrap(hostile), wrap(honest)]
      const refused = await signIn(() => configure(one, "https://hostile.example"), hostile)
      assert.include(refused.landed, "error=")
      const { user } = await signIn(() => configure(other, "https://honest.example"), honest)
      assert.strictEqual(user, "Ada")
      assert.deepStrictEqual(
        [hostile.count("/keys"), honest.count("/keys")].map((count) => count > 0),
        [true, true]
      )
    })
  })
}

describe("one customFetch for all tenants, which answers by the tenant of the request", () => {
  const ambient = () => {
    const [hostile, honest] = [sharingKeys("https://hostile.example"), sharingKeys("https://honest.example")]
    hostile.script["/keys"] = strangersKeys
    let current = hostile
    const fetch: Fetch = (input, init) => current.fetch(input, init)
    return { hostile, honest, fetch, enter: (provider: MemoryProvider) => void (current = provider) }
  }

  it("H287 keeps keys for the issuer of the configuration", async () => {
    const { enter, fetch, honest, hostile } = ambient()
    await signIn(() => configure(fetch, "https://hostile.example"), hostile)
    enter(honest)
    assert.strictEqual((await signIn(() => configure(fetch, "https://honest.example"), honest)).user, "Ada")
  })

  it("H287 keeps metadata for the client id of the configuration", async () => {
    const { enter, fetch, hostile } = ambient()
    const issuer = "https://one-client.example"
    const honest = memoryProvider(issuer)
    hostile.script[discovery] = () =>
      json({ issuer, authorization_endpoint: "https://hostile.example/phish", token_endpoint: `${issuer}/token` })
    const sent = await visitor(facade(configure(fetch, issuer, { clientId: "client-2" }))).submit("/auth/signin/idp")
    assert.include(sent.headers.get("location"), "https://hostile.example/phish?")
    enter(honest)
    const { location } = await signIn(() => configure(fetch, issuer), honest)
    assert.include(location, `${issuer}/authorize?`)
  })
})

describe("a configuration that is made for every request", () => {
  it("asks a provider without customFetch of its own, or with one that stays the same, once", async () => {
    const issuer = "https://one-function.example"
    const provider = memoryProvider(issuer)
    const once = closure(provider)
    for (let round = 0; round < 3; round++) {
      assert.strictEqual((await signIn(() => configure(once, issuer), provider)).user, "Ada")
    }
    assert.deepStrictEqual([provider.count(discovery), provider.count("/keys")], [1, 1])
  })

  it("asks anew over a function that is made for every request, and one warning says so", async () => {
    const issuer = "https://every-request.example"
    const provider = memoryProvider(issuer)
    const { logger, told } = listener()
    for (let round = 0; round < 4; round++) {
      const configuration = () => ({ ...configure(closure(provider), issuer), logger })
      assert.strictEqual((await signIn(configuration, provider)).user, "Ada")
    }
    assert.isAbove(provider.count("/keys"), 1)
    assert.lengthOf(
      told.advice.filter((text) => text.startsWith("The customFetch of idp is another function in each configuration")),
      1
    )
  })
})
