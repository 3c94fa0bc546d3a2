/**
 * An authenticator in software, which does as it is told: every member of what it signs can be wrong.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { type Cbor, cbor } from "./Cbor.ts"

export type Algorithm = "ES256" | "EdDSA" | "RS256"

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest()
const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url")
const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64url")

/** A key as the authenticator keeps it. */
export interface Credential {
  readonly id: Buffer
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  /** COSE key (RFC 9052 section 7). */
  readonly publicKey: Map<Cbor, Cbor>
  readonly rpId: string
  /** As base64url. */
  readonly userHandle: string
  counter: number
}

/** Faults of an authenticator and a browser. */
export interface Lies {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  readonly rpId?: string
  readonly userPresent?: boolean
  readonly userVerified?: boolean
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  readonly counter?: number
  readonly id?: Buffer
  /** The id beside the statement, where that shall differ. */
  readonly outerId?: string
  readonly publicKey?: Map<Cbor, Cbor>
  readonly extensions?: Map<Cbor, Cbor>
  readonly fmt?: string
  readonly attStmt?: Map<Cbor, Cbor>
  readonly attestationObject?: Buffer
  readonly clientData?: string
  readonly signature?: Buffer
  /** Of ES256: one of the signature's numbers begins with a zero byte, as in one signature of a hundred. */
  readonly shortSignature?: boolean
  readonly userHandle?: string
  readonly transports?: ReadonlyArray<unknown>
}

const keys: { [A in Algorithm]: () => { privateKey: KeyObject; publicKey: KeyObject } } = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 })
}

export const coseOf = (algorithm: Algorithm, publicKey: KeyObject): Map<Cbor, Cbor> => {
  const jwk = publicKey.export({ format: "jwk" })
  switch (algorithm) {
    case "ES256":
      return new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(jwk.x)],
        [-3, bytes(jwk.y)]
      ])
    case "EdDSA":
      return new Map<Cbor, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes(jwk.x)]
      ])
    case "RS256":
      return new Map<Cbor, Cbor>([
        [1, 3],
        [3, -257],
        [-1, bytes(jwk.n)],
        [-2, bytes(jwk.e)]
      ])
  }
}

const clientDataOf = (type: string, challenge: string, origin: string, lies: Lies): Buffer =>
  Buffer.from(
    lies.clientData ??
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: lies.crossOrigin ?? false,
        ...(lies.topOrigin === undefined ? {} : { topOrigin: lies.topOrigin })
      })
  )

const headOf = (rpId: string, counter: number, lies: Lies, attested: boolean): Buffer => {
  const flags =
    (lies.userPresent === false ? 0 : 0x01) |
    (lies.userVerified === false ? 0 : 0x04) |
    (lies.backupEligible === true ? 0x08 : 0) |
    (lies.backedUp === true ? 0x10 : 0) |
    (attested ? 0x40 : 0) |
    (lies.extensions === undefined ? 0 : 0x80)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(lies.counter ?? counter)
  return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), count])
}

/** The members of options for a new key that an authenticator reads. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials: ReadonlyArray<{ readonly id: string }>
}

/** The members of options for the proof of a key. */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  readonly allowCredentials?: ReadonlyArray<{ readonly id: string; readonly transports?: ReadonlyArray<string> }>
}

export interface Made {
  readonly credential: Credential
  /** The answer as the browser posts it. */
  readonly data: Record<string, unknown> & { readonly id: string }
}

/** Makes a key and the statement about it. */
export const create = (
  options: CreationOptions,
  origin: string,
  lies: Lies = {},
  algorithm: Algorithm = "ES256",
  given?: Credential
): Made => {
  const pair = given === undefined ? keys[algorithm]() : undefined
  const credential: Credential = given ?? {
    id: lies.id ?? randomBytes(32),
    algorithm,
    privateKey: pair?.privateKey as KeyObject,
    publicKey: coseOf(algorithm, pair?.publicKey as KeyObject),
    rpId: options.rp.id,
    userHandle: options.user.id,
    counter: 0
  }
  const id = lies.id ?? credential.id
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const authData = Buffer.concat([
    headOf(options.rp.id, credential.counter, lies, true),
    Buffer.alloc(16),
    length,
    id,
    cbor(lies.publicKey ?? credential.publicKey),
    lies.extensions === undefined ? Buffer.alloc(0) : cbor(lies.extensions)
  ])
  const clientData = clientDataOf("webauthn.create", options.challenge, origin, lies)
  const attestationObject =
    lies.attestationObject ??
    cbor(
      new Map<Cbor, Cbor>([
        ["fmt", lies.fmt ?? "none"],
        ["attStmt", lies.attStmt ?? new Map<Cbor, Cbor>()],
        ["authData", authData]
      ])
    )
  const name = lies.outerId ?? base64url(id)
  return {
    credential,
    data: {
      id: name,
      rawId: name,
      type: "public-key",
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestationObject),
        transports: lies.transports ?? ["internal", "hybrid"]
      },
      clientExtensionResults: {},
      authenticatorAttachment: "platform"
    }
  }
}

/** Bytes of the shorter of the two numbers of an ECDSA signature in DER (RFC 3279 section 2.2.3). */
const shortest = (signature: Buffer): number => {
  const at = 5 + (signature[3] ?? 0)
  const numbers = [signature.subarray(4, 4 + (signature[3] ?? 0)), signature.subarray(at + 1)]
  return Math.min(...numbers.map((number) => (number[0] === 0 ? number.length - 1 : number.length)))
}

/** Signs again until the numbers of an ECDSA signature are as long, or as short, as they are wanted. */
const signed = ({ algorithm, privateKey }: Credential, data: Uint8Array, short: boolean): Buffer => {
  for (;;) {
    const signature = sign(algorithm === "EdDSA" ? null : "sha256", data, privateKey)
    if (algorithm !== "ES256" || shortest(signature) < 32 === short) return signature
  }
}

/** Proves to have a key; the counter grows unless it is 0 for ever. */
export const get = (
  credential: Credential,
  options: RequestOptions,
  origin: string,
  lies: Lies = {}
): Record<string, unknown> & { readonly id: string } => {
  const clientData = clientDataOf("webauthn.get", options.challenge, origin, lies)
  const authData = Buffer.concat([
    headOf(credential.rpId, credential.counter, lies, false),
    lies.extensions === undefined ? Buffer.alloc(0) : cbor(lies.extensions)
  ])
  const data = Buffer.concat([authData, sha256(clientData)])
  const signature = lies.signature ?? signed(credential, data, lies.shortSignature === true)
  const id = lies.outerId ?? base64url(lies.id ?? credential.id)
  return {
    id,
    rawId: id,
    type: "public-key",
    response: {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      userHandle: lies.userHandle ?? credential.userHandle
    },
    clientExtensionResults: {},
    authenticatorAttachment: "platform"
  }
}
