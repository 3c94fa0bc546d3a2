/**
 * One store, two libraries: keys that Auth.js registered sign in here, and keys that were registered here sign in there.
 */
import { assert, describe, it } from "@effect/vitest"
import { Auth as Peer, type AuthConfig as PeerConfig } from "@auth/core"
import PeerPasskey from "@auth/core/providers/passkey"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import * as nine from "simplewebauthn-server-9"
import { createStorage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"
import { Auth } from "../../src/index.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { options as ours, secret, site, type Visitor, visitor } from "../Visitor.ts"
import { forFunctions } from "../ForFunctions.ts"
import { create, type CreationOptions, type Credential, get, type RequestOptions } from "./SoftwareAuthenticator.ts"

const ada = "ada@example.com"

const world = () => {
  const storage = createStorage({ driver: memoryDriver() })
  const adapter = UnstorageAdapter(storage)
  const {
    generateAuthenticationOptions,
    generateRegistrationOptions,
    verifyAuthenticationResponse,
    verifyRegistrationResponse
  } = nine
  const passkey = PeerPasskey({})
  const peer = {
    adapter,
    secret,
    trustHost: true,
    basePath: "/auth",
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    providers: [
      {
        ...passkey,
        simpleWebAuthn: {
          generateAuthenticationOptions,
          generateRegistrationOptions,
          verifyAuthenticationResponse,
          verifyRegistrationResponse
        }
      }
    ]
  } as unknown as PeerConfig
  const config = (provider: unknown) =>
    ours({
      adapter: adapter as never,
      session: { strategy: "jwt" },
      experimental: { enableWebAuthn: true },
      providers: [provider as never]
    })
  const own = config(Passkey())
  const theirs = config(passkey)
  return {
    storage,
    atPeer: visitor((request) => Peer(request, peer)),
    here: visitor((request) => Auth(request, forFunctions(own))),
    /** This library with a provider object of theirs. */
    hereWithTheirs: visitor((request) => Auth(request, forFunctions(theirs)))
  }
}

const optionsOf = async <A>(at: Visitor, query: string): Promise<A> =>
  ((await (await at.get(`/auth/webauthn-options/passkey?${query}`)).json()) as { options: A }).options

const register = async (at: Visitor): Promise<Credential> => {
  const options = await optionsOf<CreationOptions>(at, `action=register&email=${ada}`)
  const { credential, data } = create(options, site)
  const seen = await at.post("/auth/callback/passkey", { action: "register", data: JSON.stringify(data) })
  assert.strictEqual(seen.headers.get("location"), site)
  assert.strictEqual((await at.session())?.user?.["email"], ada)
  return credential
}

const signIn = async (at: Visitor, credential: Credential): Promise<string | null> => {
  at.cookies.clear()
  credential.counter++
  const options = await optionsOf<RequestOptions>(at, "action=authenticate")
  const data = JSON.stringify(get(credential, options, site))
  const seen = await at.post("/auth/callback/passkey", { action: "authenticate", data })
  assert.strictEqual((await at.session())?.user?.["email"], ada)
  return seen.headers.get("location")
}

describe("a key", () => {
  it("that Auth.js registered signs in here, and there again", async () => {
    const { atPeer, here, hereWithTheirs } = world()
    const credential = await register(atPeer)
    assert.strictEqual(await signIn(here, credential), site)
    assert.strictEqual(await signIn(hereWithTheirs, credential), site)
    assert.strictEqual(await signIn(atPeer, credential), site)
    assert.strictEqual(await signIn(here, credential), site)
  })

  it("that was registered here signs in at Auth.js", async () => {
    for (const place of ["here", "hereWithTheirs"] as const) {
      const at = world()
      const credential = await register(at[place])
      assert.strictEqual(await signIn(at.atPeer, credential), site)
      assert.strictEqual(await signIn(at[place], credential), site)
    }
  })

  it("leaves rows of the same form in either", async () => {
    const forms: Array<unknown> = []
    for (const place of ["here", "atPeer"] as const) {
      const at = world()
      const credential = await register(at[place])
      const id = credential.id.toString("base64")
      const row = await at.storage.getItem<Record<string, unknown>>(`authenticator:${id}`)
      assert.deepInclude(row, { credentialID: id, providerAccountId: id })
      forms.push(
        Object.fromEntries(
          Object.entries(row ?? {})
            .sort(([a], [b]) => a.localeCompare(b))
            .map(([name, value]) => [name, typeof value])
        )
      )
    }
    assert.deepStrictEqual(forms[0], forms[1])
  })
})
