/**
 * Keys of session tokens, derived from the application's secrets.
 *
 * For one salt (the name of the cookie a token lives in) every secret gives one key for each content encryption: HKDF
 * with SHA-256 (RFC 5869) for the material and the JWK thumbprint (RFC 7638) as key id. A key is derived when it is
 * first needed and then kept, in the ring and in a small cache that only saves time. How keys are used is in Jwe.ts.
 */
import * as Base64Url from "./Base64Url.ts"
import { type Encryption, type NodeKey, type WebKey, keyLength, nodeKey, webKey } from "./ContentEncryption.ts"
import { type CryptoEngine, type WebCrypto, defaultEngine, webCrypto, type NodeCrypto } from "./CryptoEngine.ts"

/**
 * A derived key with what a token says about it.
 */
export interface DerivedKey<out Key> {
  readonly key: Key
  /** JWK thumbprint of the key, base64url. */
  readonly kid: string
  /** Protected header of tokens made with this key, encoded. */
  readonly header: string
  /** The encoded header and the two dots that follow it: how every such token begins. */
  readonly prefix: string
}

interface NodeSlot {
  readonly secret: string
  derived: DerivedKey<NodeKey> | undefined
}

interface WebSlot {
  readonly secret: string
  derived: DerivedKey<WebKey> | undefined
  pending: Promise<DerivedKey<WebKey>> | undefined
}

interface Ring<Engine, Slot> {
  readonly engine: Engine
  readonly salt: string
  /** Newest first: the first seals, each may open. */
  readonly secrets: ReadonlyArray<string>
  /** Slots for A256CBC-HS512, in the order of the secrets. */
  readonly slots: ReadonlyArray<Slot>
}

/**
 * A keyring on node:crypto.
 */
export type NodeKeyring = Ring<NodeCrypto, NodeSlot>

/**
 * A keyring on WebCrypto.
 */
export type WebKeyring = Ring<WebCrypto, WebSlot>

/**
 * The keys of a list of secrets for one salt.
 */
export type Keyring = NodeKeyring | WebKeyring

/**
 * Whether a ring works on node:crypto, hence without promises.
 */
export const isNodeKeyring = (ring: Keyring): ring is NodeKeyring => ring.engine._tag === "NodeCrypto"

/**
 * Is the key that seals there already, or will it be derived when it is first needed?
 */
export const isDerived = ({ slots: [newest] }: Keyring): boolean => newest?.derived !== undefined

/** HKDF's `info` may have at most 1024 bytes in node:crypto; both engines keep to it. */
const maxInfoLength = 1024

const utf8 = /* @__PURE__ */ new TextEncoder()

/**
 * Makes a keyring: newest secret first, `salt` is the name of the cookie. Nothing is derived yet.
 *
 * Throws a `TypeError` without secrets, for an empty secret, and for a salt that is no string or too long.
 */
export const keyring = (
  secrets: ReadonlyArray<string>,
  salt: string,
  engine: CryptoEngine = defaultEngine()
): Keyring => {
  if (typeof salt !== "string" || (salt.length > 256 && utf8.encode(hkdfInfo(salt)).length > maxInfoLength)) {
    throw new TypeError("The salt of a keyring must be a string of less than 1 kB.")
  }
  if (secrets.length === 0 || !secrets.every((secret) => typeof secret === "string" && secret !== "")) {
    throw new TypeError("A keyring needs at least one secret, and every secret must be a string that is not empty.")
  }
  return engine._tag === "NodeCrypto"
    ? { engine, salt, secrets, slots: secrets.map((secret) => nodeSlot(engine, secret, salt, "A256CBC-HS512")) }
    : { engine, salt, secrets, slots: secrets.map((secret) => webSlot(secret, salt, "A256CBC-HS512")) }
}

/**
 * The key of the secret at `index`, derived at the first call.
 */
export const nodeKeyAt = (ring: NodeKeyring, index: number, enc: Encryption): DerivedKey<NodeKey> => {
  const slot = enc === "A256CBC-HS512" ? ring.slots[index] : undefined
  return deriveNode(
    ring.engine,
    slot ?? nodeSlot(ring.engine, ring.secrets[index] ?? "", ring.salt, enc),
    ring.salt,
    enc
  )
}

/**
 * As {@link nodeKeyAt}, with WebCrypto; not a promise once the key is there.
 */
export const webKeyAt = (
  ring: WebKeyring,
  index: number,
  enc: Encryption
): DerivedKey<WebKey> | Promise<DerivedKey<WebKey>> => {
  const slot = enc === "A256CBC-HS512" ? ring.slots[index] : undefined
  return deriveWeb(slot ?? webSlot(ring.secrets[index] ?? "", ring.salt, enc), ring.salt, enc)
}

const hkdfInfo = (salt: string): string => `Auth.js Generated Encryption Key (${salt})`

/** RFC 7638: required members in lexicographic order, no white space. */
const canonicalJwk = (material: Uint8Array): string => `{"k":"${Base64Url.encode(material)}","kty":"oct"}`

const derivedKey = <Key>(key: Key, enc: Encryption, kid: string): DerivedKey<Key> => {
  const header = Base64Url.encode(utf8.encode(JSON.stringify({ alg: "dir", enc, kid })))
  return { key, kid, header, prefix: `${header}..` }
}

const deriveNode = (node: NodeCrypto, slot: NodeSlot, salt: string, enc: Encryption): DerivedKey<NodeKey> => {
  if (slot.derived !== undefined) return slot.derived
  const material = new Uint8Array(node.hkdfSync("sha256", slot.secret, salt, hkdfInfo(salt), keyLength(enc)))
  const hash = enc === "A256CBC-HS512" ? "sha512" : "sha256"
  const kid = node.createHash(hash).update(canonicalJwk(material)).digest().toString("base64url")
  slot.derived = derivedKey(nodeKey(node, enc, material), enc, kid)
  return slot.derived
}

const deriveWeb = (slot: WebSlot, salt: string, enc: Encryption): DerivedKey<WebKey> | Promise<DerivedKey<WebKey>> => {
  if (slot.derived !== undefined) return slot.derived
  slot.pending ??= deriveWebKey(slot.secret, salt, enc).then(
    (derived) => {
      slot.derived = derived
      slot.pending = undefined
      return derived
    },
    (cause: unknown) => {
      slot.pending = undefined
      throw cause
    }
  )
  return slot.pending
}

const deriveWebKey = async (secret: string, salt: string, enc: Encryption): Promise<DerivedKey<WebKey>> => {
  const { subtle } = globalThis.crypto
  const base = await subtle.importKey("raw", utf8.encode(secret), "HKDF", false, ["deriveBits"])
  const bits = await subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: utf8.encode(salt), info: utf8.encode(hkdfInfo(salt)) },
    base,
    keyLength(enc) * 8
  )
  const material = new Uint8Array(bits)
  const hash = enc === "A256CBC-HS512" ? "SHA-512" : "SHA-256"
  const [kid, key] = await Promise.all([
    subtle.digest(hash, utf8.encode(canonicalJwk(material))),
    webKey(enc, material)
  ])
  return derivedKey(key, enc, Base64Url.encode(new Uint8Array(kid)))
}

/** Slots that every engine keeps between calls which bring the same secret and salt again. */
const cacheSize = 64

interface SlotCache {
  readonly node: Map<string, NodeSlot>
  readonly web: Map<string, WebSlot>
}

const caches: WeakMap<CryptoEngine, SlotCache> = /* @__PURE__ */ new WeakMap()

const cacheOf = (engine: CryptoEngine): SlotCache => {
  const engineCache = caches.get(engine)
  if (engineCache !== undefined) return engineCache
  const cache: SlotCache = { node: new Map(), web: new Map() }
  caches.set(engine, cache)
  return cache
}

const nodeSlot = (node: NodeCrypto, secret: string, salt: string, enc: Encryption): NodeSlot =>
  recall(cacheOf(node).node, cacheKey(secret, salt, enc), () => ({ secret, derived: undefined }))

const webSlot = (secret: string, salt: string, enc: Encryption): WebSlot =>
  recall(cacheOf(webCrypto).web, cacheKey(secret, salt, enc), () => ({
    secret,
    derived: undefined,
    pending: undefined
  }))

const cacheKey = (secret: string, salt: string, enc: Encryption): string => `${enc} ${salt.length} ${salt}${secret}`

/** The value under `key`, most recently used last; the least recently used one gives way to a new one. */
const recall = <A>(cache: Map<string, A>, key: string, make: () => A): A => {
  const cachedKey = cache.get(key)
  if (cachedKey !== undefined) {
    cache.delete(key)
    cache.set(key, cachedKey)
    return cachedKey
  }
  const made = make()
  cache.set(key, made)
  if (cache.size > cacheSize) {
    const [oldest] = cache.keys()
    if (oldest !== undefined) cache.delete(oldest)
  }
  return made
}
