import { assert, describe, it } from "@effect/vitest"
import { headersOnDemand, toWebHeaders } from "../../src/http/RequestHeaders.ts"

/** Headers on demand, and how often they were made. */
const counted = (init: Record<string, string>) => {
  const times = { made: 0 }
  const headers = headersOnDemand(() => {
    times.made++
    return new Headers(init)
  })
  return { headers, times }
}

describe("headers on demand", () => {
  it("are made by the first look at one of them, and once", () => {
    const { headers, times } = counted({ accept: "text/html" })
    assert.strictEqual(times.made, 0)
    assert.strictEqual(headers.get("Accept"), "text/html")
    assert.isTrue(headers.has("accept"))
    assert.isFalse(headers.has("authorization"))
    assert.isNull(headers.get("authorization"))
    assert.deepStrictEqual([...headers], [["accept", "text/html"]])
    assert.strictEqual(times.made, 1)
  })

  it("read as the headers of the web do", () => {
    const init = { accept: "text/html", "x-real-ip": "203.0.113.7" }
    const { headers } = counted(init)
    const web = new Headers(init)
    const visited = (given: Pick<Headers, "forEach">) => {
      const fields: Array<[string, string]> = []
      given.forEach((value, name) => fields.push([name, value]))
      return fields
    }
    assert.deepStrictEqual(visited(headers), visited(web))
    assert.deepStrictEqual([...headers.entries()], [...web.entries()])
    assert.deepStrictEqual([...headers.keys()], [...web.keys()])
    assert.deepStrictEqual([...headers.values()], [...web.values()])
  })

  it("have no member of their own, by which an engine would give each of them a class", () => {
    assert.deepStrictEqual(Reflect.ownKeys(counted({}).headers), [])
  })
})

describe("headers for functions of the application", () => {
  it("are the ones of a web request themselves", () => {
    const headers = new Headers({ accept: "text/html" })
    assert.strictEqual(toWebHeaders(headers), headers)
  })

  it("are web headers with the same fields where they were made on demand", () => {
    const { headers } = counted({ accept: "text/html", "x-real-ip": "203.0.113.7" })
    const web = toWebHeaders(headers)
    assert.instanceOf(web, Headers)
    assert.deepStrictEqual([...web], [...headers])
  })
})
