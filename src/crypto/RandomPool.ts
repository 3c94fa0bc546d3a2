/**
 * Random bytes of the runtime, drawn in larger pieces: asking the system for a few bytes at a time costs more than the
 * bytes. Every byte is handed out once and erased from the pool.
 *
 * @since 0.1.0
 */
const poolSize = 4096

/** Makes a source of random bytes: every call gets a copy of bytes that no other call gets. */
export const make = (fill: (bytes: Uint8Array<ArrayBuffer>) => void): ((size: number) => Uint8Array) => {
  const pool = new Uint8Array(poolSize)
  let next = poolSize
  return (size) => {
    if (size > poolSize / 4) {
      const bytes = new Uint8Array(size)
      for (let offset = 0; offset < size; offset += 65_536) fill(bytes.subarray(offset, offset + 65_536))
      return bytes
    }
    if (next + size > poolSize) {
      fill(pool)
      next = 0
    }
    const bytes = pool.slice(next, next + size)
    pool.fill(0, next, next + size)
    next += size
    return bytes
  }
}

/** The runtime's generator. */
export const system = (bytes: Uint8Array<ArrayBuffer>): void => {
  crypto.getRandomValues(bytes)
}
