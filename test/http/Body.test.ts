import { assert, describe, it } from "@effect/vitest"
import { decodeAnyBody, decodeBody, readBody } from "../../src/http/Body.ts"
import { ofStream } from "../../src/internal/BoundedStream.ts"

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const json = (text: string) => decodeBody(utf8(text), "application/json")
const form = (text: string) => decodeBody(utf8(text), "application/x-www-form-urlencoded")

const streamed = (chunks: ReadonlyArray<Uint8Array>, onCancel: () => void = () => {}): ReadableStream<Uint8Array> => {
  const left = [...chunks]
  return new ReadableStream({
    pull: (controller) => {
      const chunk = left.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
    cancel: onCancel
  })
}

const cannotBeRead = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: () => Promise.reject(new Error("must not be read")) }, { highWaterMark: 0 })

const readStream = (stream: ReadableStream, contentLength: string | null) => readBody(ofStream(stream), contentLength)

describe("reading", () => {
  it("gathers what came in pieces", async () => {
    const bytes: unknown = await readStream(streamed([utf8("a=1"), utf8("&b="), utf8("2")]), null).bytes
    assert.deepStrictEqual(bytes, utf8("a=1&b=2"))
    assert.deepStrictEqual(await readStream(streamed([]), null).bytes, new Uint8Array(0))
  })

  it("H181 stops at 64 kB, for any announced length", async () => {
    const most = new Uint8Array(65_536)
    assert.strictEqual(((await readStream(streamed([most]), null).bytes) as Uint8Array).byteLength, 65_536)
    assert.strictEqual(await readStream(streamed([most, new Uint8Array(1)]), "10").bytes, "too_large")
    let chunks = 0
    let cancelled = false
    const huge = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        chunks++
        controller.enqueue(new Uint8Array(10_000))
      },
      cancel: () => {
        cancelled = true
      }
    })
    assert.strictEqual(await readStream(huge, null).bytes, "too_large")
    assert.isBelow(chunks, 10)
    assert.isTrue(cancelled)
  })
  it("H181 ends with a stream of empty chunks, and not with a few of them", async () => {
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(0)),
      cancel: () => {
        cancelled = true
      }
    })
    assert.strictEqual(await readStream(endless, null).bytes, "too_large")
    assert.isTrue(cancelled)
    const some = Array.from({ length: 500 }, () => new Uint8Array(0))
    assert.deepStrictEqual<unknown>(
      await readStream(streamed([...some, utf8("a=1"), ...some]), null).bytes,
      utf8("a=1")
    )
  })
  it("H181 does not read what is announced as larger", async () => {
    assert.strictEqual(await readStream(cannotBeRead(), "10000000").bytes, "too_large")
    assert.strictEqual((await readStream(streamed([utf8("ab")]), "nonsense").bytes) instanceof Uint8Array, true)
  })
})

describe("reading in workerd", () => {
  const { prototype } = ReadableStreamBYOBReader

  /** As in workerd: a read of at least so many bytes, of any stream of bytes. `asked` counts them. */
  const withReadAtLeast = async (run: (asked: { times: number }) => Promise<void>): Promise<void> => {
    const asked = { times: 0 }
    const value = function (this: ReadableStreamBYOBReader, min: number, into: Uint8Array<ArrayBuffer>) {
      asked.times++
      return this.read(into, { min })
    }
    Object.defineProperty(prototype, "readAtLeast", { value, configurable: true })
    try {
      await run(asked)
    } finally {
      Reflect.deleteProperty(prototype, "readAtLeast")
    }
  }

  /** A stream of bytes in pieces of `size`, that counts what was asked of it. */
  const ofPieces = (size: number, count: number) => {
    const seen = { pieces: 0, isCancelled: false }
    const stream = new ReadableStream({
      type: "bytes",
      pull: (controller) => {
        if (seen.pieces === count) {
          controller.close()
          controller.byobRequest?.respond(0)
          return
        }
        seen.pieces++
        controller.enqueue(new Uint8Array(size).fill(seen.pieces))
      },
      cancel: () => {
        seen.isCancelled = true
      }
    })
    return { seen, stream }
  }

  it("asks once for a short body, and until the end for a longer one", () =>
    withReadAtLeast(async (asked) => {
      const short = ofPieces(3, 2).stream
      assert.deepStrictEqual<unknown>(await readStream(short, null).bytes, new Uint8Array([1, 1, 1, 2, 2, 2]))
      assert.strictEqual(asked.times, 1)
      const longer = await readStream(ofPieces(2048, 2).stream, null).bytes
      assert.deepStrictEqual<unknown>(longer, new Uint8Array(4096).fill(1, 0, 2048).fill(2, 2048))
      assert.strictEqual(asked.times, 4)
      assert.deepStrictEqual<unknown>(await readStream(ofPieces(1, 0).stream, null).bytes, new Uint8Array(0))
    }))

  it("H181 stops at 64 kB, for any announced length", () =>
    withReadAtLeast(async () => {
      const most = await readStream(ofPieces(1024, 64).stream, "10").bytes
      assert.strictEqual((most as Uint8Array).byteLength, 65_536)
      const endless = ofPieces(1000, Infinity)
      assert.strictEqual(await readStream(endless.stream, "10").bytes, "too_large")
      assert.isTrue(endless.seen.isCancelled)
      assert.isBelow(endless.seen.pieces, 80)
    }))

  it("reads a stream of an application that has no reads of that kind", () =>
    withReadAtLeast(async (asked) => {
      assert.deepStrictEqual<unknown>(await readStream(streamed([utf8("a=1")]), null).bytes, utf8("a=1"))
      assert.strictEqual(asked.times, 0)
    }))

  it("ends when it is given up in the middle of a read", () =>
    withReadAtLeast(async () => {
      const stalled = new ReadableStream({ type: "bytes", pull: () => new Promise(() => {}) })
      const { bytes, cancel } = readStream(stalled, null)
      cancel()
      assert.deepStrictEqual<unknown>(await bytes, new Uint8Array(0))
    }))
})

describe("content types", () => {
  const refused = [
    null,
    "",
    "text/plain",
    "text/plain; x=application/json",
    "text/json",
    "application/jsonp",
    "application/json-patch+json",
    "x/application/json",
    "application/json, text/plain",
    "application/octet-stream"
  ]
  for (const type of refused) {
    it(`H086 ${JSON.stringify(type)} is not read`, () =>
      assert.strictEqual(decodeBody(utf8('{"a":1}'), type), "media_type"))
  }

  const charsets = [
    "multipart/form-data; boundary=x; charset=utf-7",
    "application/x-www-form-urlencoded; charset=utf-7",
    "application/x-www-form-urlencoded;charset=iso-8859-1",
    "application/json; charset=utf-16",
    'application/json; charset="utf-16le"'
  ]
  for (const type of charsets) {
    it(`H087 ${type} is not read`, () => assert.strictEqual(decodeBody(utf8("a=1"), type), "media_type"))
  }

  it("H087 UTF-8 may be named", () => {
    for (const charset of [
      "",
      ";charset=utf-8",
      "; charset=UTF-8",
      '; charset="utf-8"',
      ";charset=utf8",
      "; boundary=x"
    ]) {
      assert.deepStrictEqual(decodeBody(utf8("a=1"), `application/x-www-form-urlencoded${charset}`), {
        body: { a: "1" }
      })
      assert.deepStrictEqual(decodeBody(utf8('{"a":1}'), `Application/JSON${charset}`), { body: { a: 1 } })
    }
  })

  it("no bytes are no body, for any content type", () => {
    for (const type of [null, "text/plain", "application/json"]) {
      assert.deepStrictEqual(decodeBody(new Uint8Array(0), type), { body: undefined })
    }
  })
})

describe("JSON", () => {
  it("is an object, or null for none", () => {
    assert.deepStrictEqual(json('{"a":[1,{"b":null}]}'), { body: { a: [1, { b: null }] } })
    assert.deepStrictEqual(json("null"), { body: undefined })
    for (const text of ["[]", "1", '"a"', "true", "{", "{'a':1}", "undefined", "{}{}", "NaN"]) {
      assert.strictEqual(json(text), "malformed", text)
    }
  })

  for (const text of ['{"a":1,"a":2}', '{"email":"a","\\u0065mail":"b"}', '{"a":[{"b":1,"b":1}]}']) {
    it(`a member twice is refused: ${text}`, () => assert.strictEqual(json(text), "malformed"))
  }

  for (const text of ['{"a":"\\ud800"}', '{"\\udfff":1}', '{"a":["\\ud83d"]}']) {
    it(`H184 half a surrogate pair is refused: ${text}`, () => assert.strictEqual(json(text), "malformed"))
  }
  it("H184 characters beyond sixteen bits and line breaks are text", () => {
    const body = { a: "\u{1f469}\u200d\u{1f4bb}", b: "two\r\nlines\t" }
    assert.deepStrictEqual(json(JSON.stringify(body)), { body })
    assert.deepStrictEqual(form("a=%00"), { body: { a: "\0" } })
  })

  for (const text of [
    '{"__proto__":{"admin":true}}',
    '{"a":{"__proto__":1}}',
    '{"a":[{"constructor":{"prototype":{}}}]}',
    '{"\\u005f_proto__":1}',
    '{"prototype":1}'
  ]) {
    it(`H179 ${text} is refused`, () => {
      assert.strictEqual(json(text), "malformed")
      assert.isUndefined(Reflect.get({}, "admin"))
    })
  }
  it("H179 a form cannot name them either", () => {
    for (const name of ["__proto__", "constructor", "prototype"]) assert.strictEqual(form(`${name}=1`), "malformed")
  })

  it("H182 depth is counted before anything recursive reads it", () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
    assert.notStrictEqual(json(nested(32)), "malformed")
    assert.strictEqual(json(nested(33)), "malformed")
    assert.strictEqual(json(nested(12_000)), "malformed")
    assert.strictEqual(json(`{"a":${"[".repeat(60_000)}`), "malformed")
    assert.strictEqual(json("[".repeat(65_000)), "malformed")
    assert.deepStrictEqual(json(`{"a":"${"[{".repeat(100)}\\"["}`), { body: { a: `${"[{".repeat(100)}"[` } })
  })
})

describe("forms", () => {
  it("are text", () => {
    assert.deepStrictEqual(form("a=1&b=%20+&c"), { body: { a: "1", b: "  ", c: "" } })
    assert.deepStrictEqual(form("toString=1"), { body: { toString: "1" } })
  })

  it("a field that is given twice says one thing, or the form is refused", () => {
    assert.deepStrictEqual(form("callbackUrl=/a&callbackUrl=/a"), { body: { callbackUrl: "/a" } })
    for (const name of ["callbackUrl", "code", "state", "iss", "email", "token", "csrfToken", "password", "a"]) {
      assert.strictEqual(form(`${name}=1&${name}=2`), "malformed", name)
      assert.strictEqual(form(`${name}=1&b=&${name}=1&${name}=`), "malformed", name)
    }
    assert.strictEqual(form("a=1&%61=2"), "malformed")
  })

  it("H183 two hundred fields are enough", () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join("&")
    assert.notStrictEqual(form(fields(200)), "malformed")
    assert.strictEqual(form(fields(201)), "malformed")
    assert.strictEqual(form(Array.from({ length: 30_000 }, () => "a").join("&")), "malformed")
  })
})

describe("text", () => {
  const broken: ReadonlyArray<readonly [string, Uint8Array]> = [
    ["a stray byte", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)],
    ["an overlong form", Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
    ["a surrogate", Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ["UTF-16", Uint8Array.from(Buffer.from('{"a":1}', "utf16le"))],
    ["a byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
    ["the mark of UTF-16", Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)]
  ]
  for (const [name, bytes] of broken) {
    it(`H184 ${name} is refused as JSON`, () => assert.strictEqual(decodeBody(bytes, "application/json"), "malformed"))
  }
  it("H184 a form is UTF-8 once it is decoded, in names and in values", () => {
    for (const text of ["a=%ff", "a=%c0%af", "a=%ed%a0%80", "%ff=a", "a=%fe%ff"]) {
      assert.strictEqual(form(text), "malformed", text)
    }
    const bytes = Uint8Array.of(0x61, 0x3d, 0xff)
    assert.strictEqual(decodeBody(bytes, "application/x-www-form-urlencoded"), "malformed")
    assert.deepStrictEqual(form("a=%E2%82%AC"), { body: { a: "\u20ac" } })
  })
})

describe("forms of several parts", () => {
  const field = (name: string, value: string, more = "") =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const parts = (text: string, type = "multipart/form-data; boundary=b") =>
    Promise.resolve(decodeAnyBody(utf8(`${text}--b--\r\n`), type))
  const many = (count: number) => Array.from({ length: count }, (_, index) => field(`n${index}`, "1")).join("")

  const read: ReadonlyArray<
    readonly [title: string, text: string, body: Readonly<Record<string, unknown>>, type?: string]
  > = [
    ["fields", field("username", "ann") + field("password", "p w&=+"), { username: "ann", password: "p w&=+" }],
    ["a line break in a value", field("a", "1\r\n2"), { a: "1\r\n2" }],
    ["other scripts", field("a", "\u65e5\u{1f9d1}"), { a: "\u65e5\u{1f9d1}" }],
    ["fields alone, and no file", field("a", "1") + field("f", "text", '; filename="f.txt"'), { a: "1" }],
    ["a value that is given twice alike", field("a", "1") + field("a", "1"), { a: "1" }],
    ["the type in capitals", field("a", "1"), { a: "1" }, "Multipart/Form-Data; boundary=b"],
    ["a quoted boundary", field("a", "1"), { a: "1" }, 'multipart/form-data; boundary="b"'],
    ["two hundred fields", many(200), Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`n${n}`, "1"]))]
  ]
  for (const [title, text, body, type] of read) {
    it(`H087 ${title}: read`, async () => assert.deepStrictEqual(await parts(text, type), { body }))
  }

  const malformed: ReadonlyArray<readonly [title: string, text: string, type?: string]> = [
    ["no boundary", field("a", "1"), "multipart/form-data"],
    ["another boundary", field("a", "1"), "multipart/form-data; boundary=c"],
    ["two values of one field", field("a", "1") + field("a", "2")],
    ["__proto__", field("__proto__", "1")],
    ["constructor", field("constructor", "1")],
    ["a file named __proto__", field("__proto__", "1", '; filename="f"')],
    ["more than two hundred fields", many(201)],
    ["more than two hundred files", many(201).replaceAll('"\r\n', '"; filename="f"\r\n')]
  ]
  for (const [title, text, type] of malformed) {
    it(`H087 ${title}: refused`, async () => assert.strictEqual(await parts(text, type), "malformed"))
  }
  it("H087 bytes that are no UTF-8: refused", async () => {
    const [head = "", tail = ""] = `${field("a", "|")}--b--\r\n`.split("|")
    const bytes = new Uint8Array([...utf8(head), 0xff, 0xfe, ...utf8(tail)])
    assert.strictEqual(await decodeAnyBody(bytes, "multipart/form-data; boundary=b"), "malformed")
  })
  it("an empty body is none", async () =>
    assert.deepStrictEqual(await decodeAnyBody(new Uint8Array(0), "multipart/form-data; boundary=b"), {
      body: undefined
    }))
})
