import { assert, describe, it, vi } from "@effect/vitest"
import { webCrypto } from "../../src/crypto/CryptoEngine.ts"
import { forgeGcm } from "./Forge.ts"
import { node, now, salt, secret } from "./Engines.ts"

const claims = { sub: "1", iat: now, exp: now + 60 }

describe("the codec on WebCrypto", () => {
  it("rejects while its code cannot be loaded, and works once it can", async () => {
    vi.resetModules()
    vi.doMock("../../src/crypto/WebKeys.ts", () => {
      throw new Error("the file is gone")
    })
    const { open, seal } = await import("../../src/crypto/Jwe.ts")
    const { keyring } = await import("../../src/crypto/Keyring.ts")
    const ring = keyring([secret], salt, webCrypto)
    const random = (bytes: number) => new Uint8Array(bytes)
    const sealing = () => Promise.resolve(seal(ring, { sub: "1" }, { now, maxAge: 60, random }))
    const failed = await sealing().then(
      () => false,
      () => true
    )
    assert.isTrue(failed)
    vi.doUnmock("../../src/crypto/WebKeys.ts")
    const opened = await open(ring, await sealing(), { now })
    assert.isTrue(opened.ok)
  })

  it("is no token of another secret for getToken while its code cannot be loaded", async () => {
    vi.resetModules()
    vi.doMock("../../src/crypto/WebKeys.ts", () => {
      throw new Error("the file is gone")
    })
    const { getToken } = await import("../../src/compat/Token.ts")
    // The function for applications reads the clock of the platform.
    const later = { ...claims, exp: Math.floor(Date.now() / 1000) + 60 }
    const headers = { cookie: `authjs.session-token=${forgeGcm({ payload: later })}` }
    const warn = vi.fn()
    const reading = () =>
      getToken({ req: { headers }, secret, salt, acceptA256GCM: true, logger: { debug: vi.fn(), warn } })
    const failed = await reading().then(
      () => false,
      () => true
    )
    assert.isTrue(failed)
    assert.strictEqual(warn.mock.calls.length, 0)
    vi.doUnmock("../../src/crypto/WebKeys.ts")
    assert.strictEqual((await reading())?.sub, "1")
  })

  it("opens A256GCM for a ring on node:crypto, with whichever secret sealed it", async () => {
    const { open } = await import("../../src/crypto/Jwe.ts")
    const { keyring } = await import("../../src/crypto/Keyring.ts")
    const ring = keyring([`${secret} newer`, secret], salt, node)
    const token = forgeGcm({ payload: claims })
    for (let time = 0; time < 2; time++) {
      const opened = await open(ring, token, { now, acceptA256GCM: true })
      assert(opened.ok)
      assert.deepStrictEqual([opened.claims, opened.keyIndex, opened.current], [claims, 1, false])
    }
  })
})
