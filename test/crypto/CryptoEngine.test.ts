import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as crypto from "node:crypto"

const load = async () => {
  vi.resetModules()
  const { nodeCrypto } = await import("../../src/crypto/CryptoEngine.ts")
  const { defaultEngine } = await import("../../src/crypto/CryptoEngine.ts")
  return { node: nodeCrypto(), again: nodeCrypto(), engine: defaultEngine() }
}

const runtime = (modules: Record<string, unknown>) => ({ getBuiltinModule: (id: string) => modules[id] })

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
    ]
  ])("is absent in a runtime with %s, where WebCrypto serves", async (_, process) => {
    vi.stubGlobal("process", process)
    const { engine, node } = await load()
    assert.isUndefined(node)
    assert.strictEqual(engine._tag, "WebCrypto")
  })
})
