/**
 * Reads a web stream to its end, up to a number of bytes; plain code below the doors. Whoever stops early closes the
 * connection.
 *
 * @since 0.1.0
 */

/** A stream on its way. */
export interface Reading {
  /** Its bytes, or that they are too many. Rejects when the other side breaks off. */
  readonly bytes: Promise<Uint8Array<ArrayBuffer> | "too_large">
  /** Gives up. */
  readonly cancel: () => void
}

const ignore = (): undefined => undefined

/** Collects a stream; it is cancelled when it passes the limit. */
export const readBounded = (stream: ReadableStream, limit: number): Reading => {
  const reader = stream.getReader()
  const cancel = () => void reader.cancel().catch(ignore)
  return { bytes: collect(reader, limit, cancel), cancel }
}

const collect = async (
  reader: ReadableStreamDefaultReader<unknown>,
  limit: number,
  cancel: () => void
): Promise<Uint8Array<ArrayBuffer> | "too_large"> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!isBytes(value)) {
      cancel()
      throw new TypeError("A body must be made of bytes.")
    }
    size += value.byteLength
    if (size > limit) {
      cancel()
      return "too_large"
    }
    chunks.push(value)
  }
  return concat(chunks, size)
}

/** A runtime may hand over bytes of another realm than the one the library runs in, where `instanceof` knows nothing. */
const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]"

/** Chunks of `size` bytes together, as one. */
export const concat = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.byteLength
  }
  return all
}
