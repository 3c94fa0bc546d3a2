import { assert, describe, it } from "@effect/vitest"
import { make, system } from "../../src/crypto/RandomPool.ts"

/** A source whose every byte says how many bytes were drawn before it, so that a byte handed out twice is seen. */
const counting = () => {
  const seen: { drawn: number; largest: number } = { drawn: 0, largest: 0 }
  const fill = (bytes: Uint8Array) => {
    seen.largest = Math.max(seen.largest, bytes.length)
    for (let index = 0; index < bytes.length; index++) bytes[index] = (seen.drawn + index) % 251
    seen.drawn += bytes.length
  }
  return { seen, fill }
}

describe("a pool of random bytes", () => {
  it("hands out every byte once, for any sizes", () => {
    const { fill } = counting()
    const random = make(fill)
    let last = -1
    for (let round = 0; round < 200; round++) {
      const size = 1 + (round % 40)
      const bytes = random(size)
      assert.strictEqual(bytes.length, size)
      for (const byte of bytes) {
        assert.notStrictEqual(byte, last)
        last = byte
      }
    }
  })

  it("gives copies that nothing else writes to", () => {
    const random = make(counting().fill)
    const first = random(16)
    const before = Array.from(first)
    for (let round = 0; round < 1000; round++) random(16).fill(255)
    assert.deepStrictEqual(Array.from(first), before)
  })

  it("draws long ones by themselves, in pieces that the generator takes", () => {
    const { fill, seen } = counting()
    const bytes = make(fill)(200_000)
    assert.strictEqual(bytes.length, 200_000)
    assert.strictEqual(seen.drawn, 200_000)
    assert.isAtMost(seen.largest, 65_536)
  })

  it("P004 is the runtime's generator: two draws differ", () => {
    const random = make(system)
    const draws = new Set(Array.from({ length: 1000 }, () => Buffer.from(random(16)).toString("hex")))
    assert.strictEqual(draws.size, 1000)
  })
})
