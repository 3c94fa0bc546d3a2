/** Writes the part of CBOR (RFC 8949) that authenticators use. */

export type Cbor = number | string | boolean | Uint8Array | ReadonlyArray<Cbor> | ReadonlyMap<Cbor, Cbor>

const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 0x100) return Buffer.from([(major << 5) | 24, value])
  if (value < 0x10000) return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
  const out = Buffer.alloc(5)
  out[0] = (major << 5) | 26
  out.writeUInt32BE(value, 1)
  return out
}

export const cbor = (value: Cbor): Buffer => {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === "boolean") return Buffer.from([value ? 0xf5 : 0xf4])
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<Cbor, Cbor>)]
    return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, member]) => [cbor(key), cbor(member)])])
  }
  const list = [...(value as ReadonlyArray<Cbor>)]
  return Buffer.concat([head(4, list.length), ...list.map(cbor)])
}
