import { assert, describe, it, vi } from "@effect/vitest"
import { createCipheriv, createHmac } from "node:crypto"
import { decryptNode, encryptNode, nodeKey } from "../../src/crypto/Keyring.ts"
import { webKey } from "../../src/crypto/WebKeys.ts"
import { node } from "./Engines.ts"

const bytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ""), "hex"))
const base64url = (hex: string): string => Buffer.from(bytes(hex)).toString("base64url")

// RFC 7518 appendix B.3, AES_256_CBC_HMAC_SHA_512.
const material = Uint8Array.from({ length: 64 }, (_, i) => i)
const plaintext =
  "A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience"
const aad = "The second principle of Auguste Kerckhoffs"
const iv = "1af38c2dc2b96ffdd86694092341bc04"
const ciphertext = `4affaaadb78c31c5da4b1b590d10ffbd3dd8d5d302423526912da037ecbcc7bd822c301dd67c373bccb584ad3e9279c2
e6d12a1374b77f077553df829410446b36ebd97066296ae6427ea75c2e0846a11a09ccf5370dc80bfecbad28c73f09b3
a3b75e662a2594410ae496b2e2e6609e31e6e02cc837f053d21f37ff4f51950bbe2638d09dd7a4930930806d0703b1f6`
const tag = "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5"

const parts = { iv: base64url(iv), ciphertext: base64url(ciphertext), tag: base64url(tag) }
const text = `${parts.iv}.${parts.ciphertext}.${parts.tag}`

describe("content encryption", () => {
  it("agrees with RFC 7518 B.3 on node:crypto", () => {
    const key = nodeKey(node, material)
    // 128 bytes: a whole block of padding follows.
    assert.strictEqual(plaintext.length, 128)
    assert.strictEqual(encryptNode(key, aad, bytes(iv), plaintext), text)
    assert.strictEqual(decryptNode(key, aad, parts), plaintext)
  })

  it("encrypts each text alone, whatever the one before was and whether it failed", () => {
    let isFailing = false
    const failing: typeof node = {
      ...node,
      createCipheriv: (...args) => {
        const cipher = node.createCipheriv(...args)
        const update = (data: Uint8Array) => {
          const ciphertext = cipher.update(data)
          if (isFailing) throw new Error("out of memory")
          return ciphertext
        }
        return { setAutoPadding: (padding) => cipher.setAutoPadding(padding), update }
      }
    }
    const key = nodeKey(failing, material)
    for (const before of ["", "a", "b".repeat(15), "c".repeat(16), "d".repeat(5000)]) {
      const [beforeIv = "", beforeText = "", beforeTag = ""] = encryptNode(key, aad, new Uint8Array(16), before).split(
        "."
      )
      assert.strictEqual(decryptNode(key, aad, { iv: beforeIv, ciphertext: beforeText, tag: beforeTag }), before)
      assert.strictEqual(encryptNode(key, aad, bytes(iv), plaintext), text)
      assert.strictEqual(decryptNode(key, aad, parts), plaintext)
      isFailing = true
      assert.throws(() => encryptNode(key, aad, bytes(iv), before), "out of memory")
      isFailing = false
      assert.strictEqual(encryptNode(key, aad, bytes(iv), plaintext), text)
    }
  })

  it("leaves neither the key nor the right tag of a forged token in the memory that buffers share", () => {
    const secret = crypto.getRandomValues(new Uint8Array(64))
    const key = nodeKey(node, secret)
    // `alloc` takes memory of its own.
    const pads = [0, 0x36, 0x5c].map((pad) => Buffer.alloc(32).map((_, at) => (secret[at] ?? 0) ^ pad))
    const [sentIv = "", sent = "", rightTag = ""] = encryptNode(key, aad, bytes(iv), plaintext).split(".")
    const right = Buffer.alloc(32)
    right.write(rightTag, "base64url")
    const forged = { iv: sentIv, ciphertext: sent, tag: base64url("00".repeat(32)) }
    for (let run = 0; run < 50; run++) {
      encryptNode(key, aad, bytes(iv), plaintext)
      assert.isUndefined(decryptNode(key, aad, forged))
      const shared = Buffer.from(Buffer.from("small").buffer)
      for (const pad of pads) assert.strictEqual(shared.indexOf(pad), -1)
      assert.strictEqual(shared.indexOf(right), -1)
    }
  })

  it("agrees with RFC 7518 B.3 on WebCrypto", async () => {
    const key = await webKey("A256CBC-HS512", material)
    assert(key._tag === "WebCbc")
    assert.strictEqual(await key.encrypt(aad, bytes(iv), plaintext), text)
    assert.strictEqual(await key.decrypt(aad, parts), plaintext)
  })

  it("authenticates the additional data and its boundaries", async () => {
    const key = nodeKey(node, material)
    const web = await webKey("A256CBC-HS512", material)
    for (const other of ["", aad.slice(1), `${aad} `, aad.toLowerCase()]) {
      assert.isUndefined(decryptNode(key, other, parts))
      assert.isUndefined(await web.decrypt(other, parts))
    }
  })

  it("P233 wants a tag of exactly its length", async () => {
    const key = nodeKey(node, material)
    const web = await webKey("A256CBC-HS512", material)
    const whole = bytes(tag)
    for (let length = 0; length <= 64; length++) {
      if (length === whole.length) continue
      const cut = Uint8Array.from({ length }, (_, i) => whole[i % whole.length] ?? 0)
      const wrong = { ...parts, tag: Buffer.from(cut).toString("base64url") }
      assert.isUndefined(decryptNode(key, aad, wrong), `${length} bytes`)
      assert.isUndefined(await web.decrypt(aad, wrong), `${length} bytes`)
    }
  })

  it("P243 never decrypts what is not authentic", () => {
    let decryptions = 0
    const watched = {
      ...node,
      createDecipheriv: (...args: Parameters<typeof node.createDecipheriv>) => {
        decryptions++
        return node.createDecipheriv(...args)
      }
    }
    const key = nodeKey(watched, material)
    const flipped = bytes(ciphertext)
    flipped[0] = (flipped[0] ?? 0) ^ 1
    assert.isUndefined(decryptNode(key, aad, { ...parts, ciphertext: Buffer.from(flipped).toString("base64url") }))
    assert.strictEqual(decryptions, 0)
    assert.strictEqual(decryptNode(key, aad, parts), plaintext)
    assert.strictEqual(decryptions, 1)
  })

  /** Parts that the holder of the keys made of any blocks, so that their tag is right. */
  const authentic = (blocks: Uint8Array, rest: Uint8Array = new Uint8Array()) => {
    const cipher = createCipheriv("aes-256-cbc", material.subarray(32), bytes(iv)).setAutoPadding(false)
    const sealed = Buffer.concat([cipher.update(blocks), rest])
    const length = Buffer.alloc(8)
    length.writeUInt32BE(aad.length * 8, 4)
    const mac = createHmac("sha512", material.subarray(0, 32)).update(aad).update(bytes(iv)).update(sealed)
    const tag = mac.update(length).digest().subarray(0, 32)
    return { iv: parts.iv, ciphertext: sealed.toString("base64url"), tag: tag.toString("base64url") }
  }

  const openBoth = async (of: typeof parts) => [
    decryptNode(nodeKey(node, material), aad, of),
    await (await webKey("A256CBC-HS512", material)).decrypt(aad, of)
  ]

  it("opens authentic blocks only with the padding of PKCS #7", async () => {
    const block = (...end: ReadonlyArray<number>) =>
      Buffer.concat([Buffer.alloc(16 - end.length, "a"), Buffer.from(end)])
    assert.deepStrictEqual(await openBoth(authentic(block(1))), ["a".repeat(15), "a".repeat(15)])
    for (const end of [[0], [17], [255], [2], [3, 2, 3], [97]]) {
      assert.deepStrictEqual(await openBoth(authentic(block(...end))), [undefined, undefined], end.join())
    }
  })

  it("opens no authentic ciphertext that ends within a block, and none that is empty", async () => {
    const whole = Buffer.from([...Buffer.alloc(15, "a"), 1])
    assert.deepStrictEqual(await openBoth(authentic(whole, Uint8Array.of(1))), [undefined, undefined])
    assert.deepStrictEqual(await openBoth(authentic(new Uint8Array())), [undefined, undefined])
  })

  it("opens nothing with an initialization vector that is longer than the token", async () => {
    const long = Buffer.alloc(1000).toString("base64url")
    assert.deepStrictEqual(await openBoth({ ...parts, iv: long }), [undefined, undefined])
  })

  it("opens A256GCM only with an initialization vector of twelve bytes", async () => {
    const key = material.subarray(0, 32)
    for (const length of [11, 12, 16]) {
      const vector = Buffer.alloc(length, 7)
      const cipher = createCipheriv("aes-256-gcm", key, vector).setAAD(Buffer.from(aad))
      const sealed = Buffer.concat([cipher.update("text"), cipher.final()])
      const [ofIv, ofText, ofTag] = [vector, sealed, cipher.getAuthTag()].map((one) => one.toString("base64url"))
      const of = { iv: ofIv ?? "", ciphertext: ofText ?? "", tag: ofTag ?? "" }
      const expected = length === 12 ? "text" : undefined
      assert.strictEqual(await (await webKey("A256GCM", key)).decrypt(aad, of), expected)
    }
  })

  it("makes keys of WebCrypto that nothing can read again", async () => {
    const imports = vi.spyOn(crypto.subtle, "importKey")
    const made = [await webKey("A256CBC-HS512", material), await webKey("A256GCM", material.slice(0, 32))]
    assert.deepStrictEqual(
      made.map(({ _tag }) => _tag),
      ["WebCbc", "WebGcm"]
    )
    const keys = await Promise.all(imports.mock.results.map(({ value }) => value))
    imports.mockRestore()
    assert.deepStrictEqual(
      keys.map(({ extractable }) => extractable),
      [false, false, false]
    )
  })
})
