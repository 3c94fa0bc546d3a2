/** Writes X.509 certificates (RFC 5280) for makers of authenticators that exist in tests alone. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const bytes = (hex: string) => Buffer.from(hex, "hex")
const text = (tag: number, value: string) => der(tag, Buffer.from(value))

const ecdsaWithSha256 = sequence(bytes("06082a8648ce3d040302"))

/** Country, organisation, unit and name, as the attestation of a packed statement asks for (WebAuthn section 8.2.1). */
const named = (name: string, unit: string): Buffer =>
  sequence(
    ...(
      [
        ["0603550406", 0x13, "EX"],
        ["060355040a", 0x0c, "Example Keys"],
        ["060355040b", 0x0c, unit],
        ["0603550403", 0x0c, name]
      ] as const
    ).map(([oid, tag, value]) => der(0x31, sequence(bytes(oid), text(tag, value))))
  )

const day = (date: Date) => text(0x18, date.toISOString().replace(/[-:T]|\.\d+/g, ""))

export interface Certificate {
  readonly der: Buffer
  readonly pem: string
  readonly privateKey: KeyObject
  readonly subject: Buffer
}

const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replace(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`

/** A certificate by `issuer`, or by itself. */
export const certificate = (
  name: string,
  options: { readonly issuer?: Certificate; readonly isCa?: boolean; readonly until?: Date } = {}
): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { isCa = false, issuer, until = new Date("2100-01-01T00:00:00Z") } = options
  const subject = named(name, isCa ? "Certification" : "Authenticator Attestation")
  const basicConstraints = sequence(
    bytes("0603551d13"),
    bytes("0101ff"),
    der(0x04, isCa ? sequence(bytes("0101ff")) : sequence())
  )
  const tbs = sequence(
    bytes("a003020102"),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    issuer?.subject ?? subject,
    sequence(day(new Date("2020-01-01T00:00:00Z")), day(until)),
    subject,
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, sequence(basicConstraints))
  )
  const signature = sign("sha256", tbs, issuer?.privateKey ?? privateKey)
  const whole = sequence(tbs, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return { der: whole, pem: pemOf(whole), privateKey, subject }
}
