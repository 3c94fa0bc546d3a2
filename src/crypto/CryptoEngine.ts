/**
 * Which cryptography the token codec runs on: synchronous node:crypto, or WebCrypto everywhere else.
 *
 * The engine is a value handed to the codec, so a caller can fix it. Both engines read and write the same bytes.
 */
import type { NodeCrypto } from "./NodeCrypto.ts"
import { nodeCrypto } from "./NodeCrypto.ts"

/**
 * WebCrypto of the runtime (`globalThis.crypto.subtle`), asynchronous.
 */
export interface WebCrypto {
  readonly _tag: "WebCrypto"
}

/**
 * The cryptography a keyring was made for.
 */
export type CryptoEngine = NodeCrypto | WebCrypto

/**
 * The WebCrypto engine.
 */
export const webCrypto: WebCrypto = { _tag: "WebCrypto" }

/**
 * node:crypto where it works, WebCrypto elsewhere.
 */
export const defaultEngine = (): CryptoEngine => nodeCrypto() ?? webCrypto
