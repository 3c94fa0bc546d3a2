/**
 * Reads a body to its end, up to a number of bytes. A stream that is given up early is cancelled.
 *
 * @since 0.1.0
 */

/** A stream on its way. */
export interface Reading {
  /** Its bytes, or that they or its chunks are too many. Rejects when the other side breaks off. */
  readonly bytes: Promise<Uint8Array<ArrayBuffer> | "too_large">
  /** Gives up. */
  readonly cancel: () => void
}

const ignore = (): undefined => undefined

/** A body that has not been read. */
export interface BodySource {
  /** Collects its bytes, up to a number of them. */
  readonly read: (limit: number) => Reading
  /** Gives it up unread. */
  readonly cancel: () => void
}

/** The body of a web request. */
export const ofStream = (stream: ReadableStream): BodySource => ({
  read: (limit) => readBounded(stream, limit),
  cancel: () => void stream.cancel().catch(ignore)
})

/** A body that is in memory. */
export const ofBytes = (bytes: Uint8Array<ArrayBuffer>): BodySource => ({
  read: (limit) => ({ bytes: Promise.resolve(bytes.byteLength > limit ? "too_large" : bytes), cancel: ignore }),
  cancel: ignore
})

/** Collects a stream; it is cancelled when it passes the limit. */
export const readBounded = (stream: ReadableStream, limit: number): Reading => {
  const filling = fillingReader(stream)
  const reader = filling ?? stream.getReader()
  const cancel = () => void reader.cancel().catch(ignore)
  const read = isFilling(reader) ? fill(reader) : () => reader.read()
  return { bytes: collect(read, limit, cancel), cancel }
}

/** A reader of workerd: it waits until a number of bytes is there, and gives fewer at the end of the stream alone. */
interface FillingReader {
  readonly readAtLeast: (least: number, into: Uint8Array) => Promise<{ readonly value?: Uint8Array | undefined }>
  readonly cancel: () => Promise<void>
}

const isFilling = (reader: object): reader is FillingReader => "readAtLeast" in reader

/** `undefined` on other runtimes, and for a stream that an application made of something else than bytes. */
const fillingReader = (stream: ReadableStream): FillingReader | undefined => {
  if (typeof ReadableStreamBYOBReader !== "function" || !isFilling(ReadableStreamBYOBReader.prototype)) return undefined
  if (!(stream instanceof ReadableStream)) return undefined
  try {
    const reader = stream.getReader({ mode: "byob" })
    return isFilling(reader) ? reader : undefined
  } catch {
    return undefined
  }
}

/** Bytes of one read: more than most forms and most answers of a token endpoint have. */
const room = 2048

/**
 * Each read of a stream in workerd waits for a turn of its event loop, the one that finds the end as well. A read that gives
 * less than it asked for has found the end already.
 */
const fill = (reader: FillingReader) => {
  let isEnd = false
  return async () => {
    if (isEnd) return { done: true }
    const { value } = await reader.readAtLeast(room, new Uint8Array(room))
    isEnd = value === undefined || value.byteLength < room
    return { done: value === undefined, value }
  }
}

/** Collects the chunks of another kind of stream, such as one of Node; it is given up when it passes the limit. */
export const readIterable = (chunks: AsyncIterable<unknown>, limit: number): Reading => {
  const iterator = chunks[Symbol.asyncIterator]()
  const cancel = () => void Promise.resolve(iterator.return?.()).catch(ignore)
  return { bytes: collect(() => iterator.next(), limit, cancel), cancel }
}

const collect = async (
  read: () => Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>,
  limit: number,
  cancel: () => void
): Promise<Uint8Array<ArrayBuffer> | "too_large"> => {
  const collection = collector(limit)
  for (;;) {
    const { done, value } = await read()
    if (done === true) return collection.bytes()
    if (!isBytes(value)) {
      cancel()
      throw new TypeError("A body must be made of bytes.")
    }
    if (!collection.add(value)) {
      cancel()
      return "too_large"
    }
  }
}

/** Chunks without a byte in one stream: a sender that never ends with them would never let this process do anything else. */
const mostEmpty = 1000

/** The bytes of a stream so far. */
export interface Collector {
  /** Takes a chunk; `false` for one too many, by its bytes or because too many before it had none. */
  readonly add: (chunk: Uint8Array) => boolean
  /** All bytes so far. */
  readonly bytes: () => Uint8Array<ArrayBuffer>
}

/** Collects chunks up to a number of bytes. */
export const collector = (limit: number): Collector => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  let empty = 0
  return {
    add: (chunk) => {
      if (chunk.byteLength === 0) return ++empty <= mostEmpty
      size += chunk.byteLength
      if (size > limit) return false
      chunks.push(chunk)
      return true
    },
    bytes: () => concat(chunks, size)
  }
}

/** A runtime may hand over bytes of another realm than the one the library runs in, where `instanceof` knows nothing. */
const isBytes = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array ||
  (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]")

/** Chunks of `size` bytes together, as one. */
const concat = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.byteLength
  }
  return all
}
