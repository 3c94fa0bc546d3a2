/**
 * The cookies of a request, read when they are asked for: a search for one name and a reading of all agree on every header.
 */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { fromWeb } from "../../src/http/AuthRequest.ts"
import { type CookieHeader, parseCookieHeader, readCookie, searchCookies } from "../../src/http/CookieHeader.ts"
import { readCookies } from "../../src/http/RequestCookies.ts"
import { Jwt } from "../../src/Jwt.ts"
import { isNamed } from "../../src/session/SessionMark.ts"
import { at } from "../Browser.ts"
import { facade, ownSite, site, visitor } from "../Visitor.ts"

const token = "__Secure-authjs.session-token"
const id = "__Host-authjs.session-id"
const names = [token, `${token}.0`, id, "authjs.session-token", "session", "_", "foreign"]

/** A cookie so long that a header with it is searched. */
const long = `long=${"x".repeat(1100)}`

const asText = ({ conflicts, values }: CookieHeader) => ({ conflicts: [...(conflicts ?? [])], values: [...values] })

/** What a header says of a name. */
const factsOf = (cookies: CookieHeader, name: string) => {
  const { conflicts, values } = searchCookies(cookies, name)
  return {
    cookie: readCookie(cookies, name),
    value: values.get(name),
    conflict: conflicts?.get(name),
    isThis: isNamed(cookies, "b"),
    isOther: isNamed(cookies, "another")
  }
}

/** Both readings of a header agree, in either order. */
const assertAgreement = (header: string) => {
  const whole = parseCookieHeader(header)
  const searched = readCookies(header)
  for (const name of names) {
    assert.deepStrictEqual(factsOf(searched, name), factsOf(whole, name), `${name} in ${header}`)
    // The same again, from what the first search left.
    assert.deepStrictEqual(factsOf(searched, name), factsOf(whole, name), `${name} again in ${header}`)
  }
  assert.deepStrictEqual(asText(searched), asText(whole), header)
  assert.strictEqual(searched.size, header.length)
  for (const name of names) assert.deepStrictEqual(factsOf(searched, name), factsOf(whole, name), `${name} at last`)
}

/** Pieces of headers as browsers and attackers send them. */
const pieces = [
  `${token}=a`,
  `${token}=b`,
  `${token}="a"`,
  `${token} = a`,
  `${token}=`,
  `${token}=%`,
  `${token}=%61`,
  `${token}.0=a`,
  `${token}.0="a;`,
  `${token}.1=b`,
  `${token}.01=c`,
  `${token}.9=c`,
  `${token}x=c`,
  `x${token}=c`,
  `${id}=b`,
  `${id}=c`,
  `${id}="b"`,
  "authjs.session-token=a",
  token,
  id,
  `foreign=${token}=a`,
  "__Secure-",
  "__Host-",
  "=",
  '"',
  "%",
  "é=\u0100",
  "\u0000",
  "a",
  " ",
  "\t",
  ";",
  ";",
  "; ",
  ";\t",
  ",",
  "\n"
] as const

/** Characters that are looked at while `run` answers. */
const looksWhile = async (run: () => unknown): Promise<number> => {
  const indexOf = vi.spyOn(String.prototype, "indexOf")
  const charCodeAt = vi.spyOn(String.prototype, "charCodeAt")
  try {
    await run()
    return indexOf.mock.results.reduce((sum, { value }, call) => {
      const end: number = value === -1 ? String(indexOf.mock.contexts[call]).length : value
      return sum + Math.max(0, end - (indexOf.mock.calls[call]?.[1] ?? 0))
    }, charCodeAt.mock.calls.length)
  } finally {
    indexOf.mockRestore()
    charCodeAt.mockRestore()
  }
}

/** A header of such a length. Its cookies have names as chunks, each of which begins the next, and the last comes again and again. */
const nested = (length: number): string => {
  const chunks = Array.from({ length: 16 }, (_, at) => `${token}.${"9".repeat(at + 1)}`)
  const pairs = chunks.map((name) => `${name}=a`)
  for (let size = pairs.join("; ").length; size < length; size += String(pairs.at(-1)).length + 2)
    pairs.push(`${chunks.at(-1)}=${pairs.length}`)
  return pairs.join("; ")
}

describe("Cookies of a request", () => {
  it.prop(
    "P213, P218, P219, P220, P221 a search for a name and a reading of all agree on every header",
    { parts: Schema.Array(Schema.Literals(pieces)), junk: Schema.String },
    ({ junk, parts }) => {
      const header = parts.join("")
      for (const text of [header, parts.join("; "), `${header}${junk}`])
        for (const padded of [text, `${text};${long}`, `${long};${text}`, `${text}${long}`, `${long}${text}`])
          assertAgreement(padded)
    },
    { arbitrary: { runs: 300 } }
  )

  it("P213 agree at the ends of a header and of its pairs", () => {
    for (const pair of [`${token}=a`, `x${token}=a`, `;${token}=a`, ` ${token}=a`, `=${token}=a`, `"${token}=a`])
      for (const text of [pair, `${pair};${token}=b`, `${pair} ;\t ${token}=b`])
        for (const header of [text, `${text};${long}`, `${long};${text}`]) assertAgreement(header)
  })

  it("are read once, and short ones whole", () => {
    const searched = readCookies(`${token}=a; ${long}`)
    const result = searchCookies(searched, token)
    assert.strictEqual(searchCookies(searched, token), result)
    assert.deepStrictEqual([...result.values.keys()], [token])
    const { values } = searched
    assert.strictEqual(searched.values, values)
    assert.strictEqual(searchCookies(searched, token).values, values)
    const ofLength = (length: number) => readCookies(`a=${"x".repeat(length - 4)};b`)
    assert.strictEqual(searchCookies(ofLength(1023), "b").values.size, 1)
    assert.strictEqual(searchCookies(ofLength(1024), "b").values.size, 0)
  })

  it("P225 agree on the last of 4096 pairs, and on what follows them", () => {
    for (const empty of [";", "a;", "a=1;", "=;"]) {
      const valueBehind = (pairs: number) => {
        const header = `${empty.repeat(pairs)} ${token}=a; ${token}=b`
        assertAgreement(header)
        return readCookie(readCookies(header), token).candidates
      }
      assert.deepStrictEqual(valueBehind(4094), ["a", "b"])
      assert.deepStrictEqual(valueBehind(4095), ["a"])
      assert.deepStrictEqual(valueBehind(4096), [])
    }
    const last = `${"a".repeat(4096)};${token}=a`
    assertAgreement(last)
    assert.deepStrictEqual(readCookie(readCookies(last), token).candidates, ["a"])
  })

  it("P225, H304 are searched in time that grows with the length of the header", async () => {
    for (const pair of [token, `${token};`, ` ${token}`, `${token}=`, `${token}=;`, "; ", ` ;${token}`]) {
      const header = pair.repeat(2000)
      const looks = await looksWhile(() => searchCookies(readCookies(header), token))
      assert.isAtMost(looks, header.length * 8, pair)
    }
  })

  it("are not searched again for a name that begins like one before", () => {
    const searched = readCookies(`${token}=a; ${token}.9=b; ${token}.9=c; ${long}`)
    const result = searchCookies(searched, token)
    assert.strictEqual(searchCookies(searched, `${token}.9`), result)
    assert.deepStrictEqual(result.conflicts?.get(`${token}.9`), ["b", "c"])
    assert.notStrictEqual(searchCookies(searched, "__Secure-"), result)
  })

  const rows: ReadonlyArray<readonly [string, Partial<Options>]> = [
    ["tokens", {}],
    ["a database", { adapter: makeMemory(), session: { strategy: "database" } }]
  ]
  for (const [strategy, more] of rows) {
    it(`H304 with names of which each begins the next are read about once, with sessions in ${strategy}`, async () => {
      const person = visitor(facade(ownSite(more)))
      const looksOf = async (cookie: string) => {
        const looks = await looksWhile(() => person.get("/auth/session", { cookie }))
        person.cookies.clear()
        return looks
      }
      await looksOf(nested(1000))
      const [short, whole] = [await looksOf(nested(1000)), await looksOf(nested(15_000))]
      assert.isAtMost(whole - short, 14_000 * 8)
    })
  }

  it("find nothing under names that no cookie can have", () => {
    for (const name of ["", ";", ";x", "a=1", " a", "a;b", "\t"]) {
      for (const text of ["a=1;b=2", ";;x=1", " a=1", "a;b=1", "=1"]) {
        const header = `${text};${long};${text}`
        assert.deepStrictEqual(
          readCookie(readCookies(header), name),
          readCookie(parseCookieHeader(header), name),
          `${name} in ${text}`
        )
      }
    }
  })

  it("are none without a header, whose size nothing says", () => {
    for (const nothing of [null, undefined]) {
      const cookies = readCookies(nothing)
      assert.deepStrictEqual(asText(cookies), { conflicts: [], values: [] })
      assert.isUndefined(cookies.size)
    }
    assert.strictEqual(readCookies("").size, 0)
  })
})

/** A hundred cookies of the application, each of which has to be decoded. */
const foreign = Array.from({ length: 100 }, (_, index) => `foreign-${index}=value-%41-of-the-application`).join("; ")

/** The encoded values of the application that are decoded while `run` answers. */
const decodedWhile = async <A>(run: () => Promise<A>): Promise<{ readonly answer: A; readonly decoded: number }> => {
  const decode = vi.spyOn(globalThis, "decodeURIComponent")
  try {
    const answer = await run()
    return { answer, decoded: decode.mock.calls.filter(([text]) => text.includes("%41")).length }
  } finally {
    decode.mockRestore()
  }
}

describe("A request with a hundred cookies of the application", () => {
  it("P225 has its session read without them", async () => {
    const person = visitor(facade(ownSite()))
    await person.signIn()
    const own = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const alone = await (await person.get("/auth/session", { cookie: own })).json()
    for (const cookie of [`${foreign}; ${own}`, `${own}; ${foreign}`]) {
      const { answer, decoded } = await decodedWhile(() => person.get("/auth/session", { cookie }))
      assert.strictEqual(decoded, 0)
      assert.deepInclude(await answer.json(), { user: alone.user })
      assert.deepStrictEqual(
        answer.headers.getSetCookie().map((line) => line.slice(0, line.indexOf("="))),
        [token, id]
      )
    }
  })

  it("shows all of them to what asks for all", async () => {
    const { answer, decoded } = await decodedWhile(() => {
      const request = new Request(`${site}/auth/session`, { headers: { cookie: `${foreign}; ${token}=a` } })
      return Effect.runPromise(fromWeb(request, "/auth"))
    })
    assert.strictEqual(decoded, 0)
    assert.strictEqual(answer.cookies.values.size, 101)
    assert.strictEqual(answer.cookies.values.get("foreign-99"), "value-A-of-the-application")
    assert.isUndefined(answer.cookies.conflicts)
  })

  it.effect("has a token read under any name", () =>
    at()(
      Effect.gen(function* () {
        const jwt = yield* Jwt
        const sealed = yield* jwt.encode({ sub: "ann" }, "foreign-token")
        const headers = { cookie: `${foreign}; foreign-token=${sealed}; ${token}=other` }
        const read = yield* jwt.read(
          yield* fromWeb(new Request(`${site}/auth/session`, { headers }), "/auth"),
          "foreign-token"
        )
        assert(read._tag === "Valid")
        assert.strictEqual(read.claims.sub, "ann")
        assert.deepStrictEqual(read.names, ["foreign-token"])
      })
    )
  )
})
