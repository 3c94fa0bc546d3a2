/** Bodies of every kind that a runtime hands over: in memory, streams of the web, other iterables, bytes of another realm. */
import { assert, describe, it } from "@effect/vitest"
import { runInNewContext } from "node:vm"
import { collector, ofBytes, ofStream, readBounded, readIterable } from "../../src/internal/BoundedStream.ts"

const bytes = (...values: ReadonlyArray<number>) => new Uint8Array(values)

const streamOf = (chunk: unknown, onCancel: () => void = () => {}) =>
  new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel: onCancel })

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it resolved"),
    (reason: unknown) => reason
  )

describe("a body in memory", () => {
  it("H181 is read up to its limit", async () => {
    const source = ofBytes(bytes(1, 2, 3))
    assert.deepStrictEqual<unknown>(await source.read(3).bytes, bytes(1, 2, 3))
    assert.strictEqual(await source.read(2).bytes, "too_large")
    source.cancel()
    source.read(3).cancel()
  })
})

describe("a body of a stream", () => {
  it("is given up unread, also when its end cannot be told", async () => {
    let isCancelled = false
    ofStream(streamOf(bytes(1), () => void (isCancelled = true))).cancel()
    assert.isTrue(isCancelled)
    ofStream(streamOf(bytes(1), () => assert.fail("no end"))).cancel()
    const { cancel } = readBounded(
      streamOf(bytes(1), () => assert.fail("no end")),
      10
    )
    cancel()
    await new Promise((resolve) => setImmediate(resolve))
  })

  for (const chunk of ["text", undefined, null, [1], new Uint16Array(1), new DataView(new ArrayBuffer(1))]) {
    it(`is refused and given up where a chunk is ${Object.prototype.toString.call(chunk)}`, async () => {
      let isCancelled = false
      const { bytes: read } = readBounded(
        streamOf(chunk, () => void (isCancelled = true)),
        10
      )
      assert.instanceOf(await rejection(read), TypeError)
      assert.isTrue(isCancelled)
    })
  }

  it("has bytes of another realm", async () => {
    const other: unknown = runInNewContext("new Uint8Array([7])")
    assert.isFalse(other instanceof Uint8Array)
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(other)
        controller.close()
      }
    })
    assert.deepStrictEqual<unknown>(await readBounded(stream, 1).bytes, bytes(7))
  })

  it("that somebody else reads is an error at once", () => {
    const stream = streamOf(bytes(1))
    stream.getReader()
    assert.throws(() => readBounded(stream, 10), TypeError)
  })
})

describe("a body of another iterable", () => {
  const iterable = (chunks: ReadonlyArray<unknown>, onReturn?: () => Promise<never>) => {
    const left = [...chunks]
    const next = async () =>
      left.length === 0 ? { done: true, value: undefined } : { done: false, value: left.shift() }
    const iterator = onReturn === undefined ? { next } : { next, return: onReturn }
    return { [Symbol.asyncIterator]: () => iterator } as AsyncIterable<unknown>
  }

  it("H181 is read up to its limit, and given up beyond", async () => {
    let times = 0
    const giveUp = () => {
      times++
      return Promise.reject(new Error("it ends badly"))
    }
    assert.deepStrictEqual<unknown>(
      await readIterable(iterable([bytes(1), bytes(2, 3)], giveUp), 3).bytes,
      bytes(1, 2, 3)
    )
    assert.strictEqual(times, 0)
    assert.strictEqual(await readIterable(iterable([bytes(1), bytes(2, 3)], giveUp), 2).bytes, "too_large")
    assert.strictEqual(times, 1)
    readIterable(iterable([], giveUp), 2).cancel()
    assert.strictEqual(times, 2)
    await new Promise((resolve) => setImmediate(resolve))
  })

  it("may have no way to be given up", async () => {
    assert.strictEqual(await readIterable(iterable([bytes(1, 2)]), 1).bytes, "too_large")
  })
})

describe("a collector", () => {
  it("H181 takes a thousand chunks without a byte, and none after them", () => {
    const { add, bytes: all } = collector(1)
    for (let at = 0; at < 1000; at++) assert.isTrue(add(new Uint8Array(0)))
    assert.isTrue(add(bytes(1)))
    assert.isFalse(add(new Uint8Array(0)))
    assert.isFalse(add(bytes(2)))
    assert.deepStrictEqual<unknown>([...all()].slice(0, 1), [1])
  })
})
