/**
 * The two engines every test of the codec runs on, and the fixed world it runs in.
 */
import { type CryptoEngine, webCrypto, type NodeCrypto, nodeCrypto } from "../../src/crypto/CryptoEngine.ts"

const requireNode = (): NodeCrypto => {
  const node = nodeCrypto()
  if (node === undefined) throw new Error("these tests run on Node, whose node:crypto must be found")
  return node
}

export const node = requireNode()

export const engines: ReadonlyArray<readonly [string, CryptoEngine]> = [
  ["node:crypto", node],
  ["WebCrypto", webCrypto]
]

export const secret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
export const otherSecret = "other-secret-0123456789-abcdefghijklmnopqrstuvwxy"
export const salt = "authjs.session-token"

/** 2026-01-01T00:00:00Z in seconds. */
export const now = 1_767_225_600

/** Bytes that differ from call to call and are the same in every run. */
export const makeRandom = (start = 1): ((bytes: number) => Uint8Array) => {
  let state = start
  return (bytes) =>
    Uint8Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    })
}

/** An engine like `node`, and how often its functions were called. */
export const counting = (): { readonly engine: NodeCrypto; readonly calls: Map<string, number> } => {
  const calls = new Map<string, number>()
  const counted =
    <Args extends ReadonlyArray<unknown>, A>(name: string, f: (...args: Args) => A) =>
    (...args: Args): A => {
      calls.set(name, (calls.get(name) ?? 0) + 1)
      return f(...args)
    }
  return {
    calls,
    engine: {
      ...node,
      hkdfSync: counted("hkdf", node.hkdfSync),
      hash: counted("hash", node.hash),
      createSecretKey: counted("import", node.createSecretKey),
      createCipheriv: counted("cipher", node.createCipheriv),
      createDecipheriv: counted("decipher", node.createDecipheriv)
    }
  }
}
