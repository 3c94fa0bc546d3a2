import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as crypto from "node:crypto"

const load = async () => {
  vi.resetModules()
  const { nodeCrypto } = await import("../../src/crypto/CryptoEngine.ts")
  const { defaultEngine } = await import("../../src/crypto/CryptoEngine.ts")
  return { node: nodeCrypto(), again: nodeCrypto(), engine: defaultEngine() }
}

const runtime = (modules: Record<string, unknown>) => ({ getBuiltinModule: (id: string) => modules[id] })

/** A runtime whose node:crypto differs from Node's in these functions. */
const withCrypto = (changes: Record<string, unknown>) =>
  runtime({ "node:crypto": { ...crypto, ...changes }, "node:buffer": { Buffer } })

/** A runtime whose buffers have these other methods. */
const withBytes = (methods: Record<string, unknown>) =>
  runtime({
    "node:crypto": crypto,
    "node:buffer": {
      Buffer: {
        allocUnsafe: (size: number) => Object.assign(Buffer.allocUnsafe(size), methods),
        byteLength: Buffer.byteLength,
        from: Buffer.from
      }
    }
  })

describe("NodeCrypto", () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it("is found on Node, once, and is then the default engine", async () => {
    const { again, engine, node } = await load()
    assert.isDefined(node)
    assert.strictEqual(again, node)
    assert.strictEqual(engine, node)
  })

  it.each([
    ["no process", undefined],
    ["a process that is null", null],
    ["a process without getBuiltinModule", {}],
    [
      "a process that throws when it is asked for getBuiltinModule",
      {
        get getBuiltinModule() {
          throw new Error("not supported in this runtime")
        }
      }
    ],
    ["no built-in modules", runtime({})],
    ["no Buffer", runtime({ "node:crypto": crypto, "node:buffer": {} })],
    ["an empty node:crypto", runtime({ "node:crypto": {}, "node:buffer": { Buffer } })],
    [
      "a node:crypto whose ciphers are missing",
      runtime({ "node:crypto": { ...crypto, createCipheriv: undefined }, "node:buffer": { Buffer } })
    ],
    [
      "a node:crypto whose ciphers throw",
      runtime({
        "node:crypto": {
          ...crypto,
          createCipheriv: () => {
            throw new Error("not implemented")
          }
        },
        "node:buffer": { Buffer }
      })
    ],
    ["a process that is a function", Object.assign(() => {}, withCrypto({}))],
    ["a node:crypto that is null", runtime({ "node:crypto": null, "node:buffer": { Buffer } })],
    ["a node:buffer that is null", runtime({ "node:crypto": crypto, "node:buffer": null })],
    [
      "a Buffer that cannot count bytes",
      runtime({
        "node:crypto": crypto,
        "node:buffer": { Buffer: { allocUnsafe: Buffer.allocUnsafe, from: Buffer.from } }
      })
    ],
    [
      "deciphers that answer what they were given",
      withCrypto({ createDecipheriv: () => ({ setAutoPadding: () => {}, update: (data: Buffer) => data }) })
    ],
    [
      "ciphers that begin anew with each text",
      withCrypto({
        createCipheriv: (...args: Parameters<typeof crypto.createCipheriv>) => ({
          setAutoPadding: () => {},
          update: (data: Buffer) =>
            crypto
              .createCipheriv(...args)
              .setAutoPadding(false)
              .update(data)
        })
      })
    ],
    ["no hash in one call, as before Node 20.12", withCrypto({ hash: undefined })],
    ["a hash in one call that answers nothing", withCrypto({ hash: () => "" })],
    ["a comparison that never holds", withCrypto({ timingSafeEqual: () => false })],
    ["buffers that write no base64url", withBytes({ write: () => 0 })],
    ["buffers that read no base64url", withBytes({ toString: () => "+/8=" })]
  ])("is absent in a runtime with %s, where WebCrypto serves", async (_, process) => {
    vi.stubGlobal("process", process)
    const { engine, node } = await load()
    assert.isUndefined(node)
    assert.strictEqual(engine._tag, "WebCrypto")
  })
})
