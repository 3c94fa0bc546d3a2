import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { byFetch, type Fetch, type Network, type Outgoing, type Read } from "../../src/internal/Network.ts"
import type { OAuthFault } from "../../src/oauth/Fault.ts"
import * as ProviderCache from "../../src/oauth/ProviderCache.ts"
import * as Transport from "../../src/oauth/Transport.ts"
import type { OAuthProvider } from "../../src/Provider/internal/Provider.ts"
import { oauth, reasonOf } from "./ScriptedProvider.ts"

const url = "https://idp.example/token"
const outgoing: Outgoing = { method: "GET", url, headers: {}, body: undefined }
const limit = 512 * 1024

/** The way to a provider; by default it has no fetch of its own. */
const wayTo = (network: Network["Service"], provider: Partial<OAuthProvider> = {}, basePath = "/auth") =>
  Transport.transportTo({ network, site: { basePath, secrets: [] } }, oauth(provider))

/** A transport over something in the place of `fetch`, which answers whatever a test wants. */
const over = (fetcher: (input: string, init: RequestInit) => unknown) =>
  wayTo({ send: byFetch(fetcher as unknown as Fetch) })

const send = (answer: unknown) => over(() => answer).send("token endpoint", outgoing)

const faultOf = (answer: unknown): Effect.Effect<OAuthFault, Response> => Effect.flip(send(answer))

const foreign = (members: object) => ({ status: 200, headers: new Headers(), body: null, ...members })

const bytesOf = (length: number) => new Uint8Array(length)

/** The bytes of a response. */
const read = (response: Response) => Effect.promise(() => response.bytes())

/** Lets promises go on, which no clock of Effect knows. */
const turns = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 0)))

describe("an answer that is none", () => {
  const whole = { status: 200, headers: new Headers(), arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) }
  const { arrayBuffer: _a, ...withoutBytes } = whole
  const { headers: _h, ...withoutHeaders } = whole
  const { status: _s, ...withoutStatus } = whole
  const values = [null, undefined, 5, "{}", () => whole, {}, withoutBytes, withoutHeaders, withoutStatus]
  for (const [index, value] of values.entries()) {
    it.gen(`H130 is a provider that could not be reached: number ${index}`, function* () {
      const fault = yield* faultOf(value)
      assert.strictEqual(fault.code, "provider_unavailable")
      assert.strictEqual(fault.detail, "the token endpoint could not be reached")
      assert.strictEqual(String(fault.cause), "NetworkFailure: Error: the request failed (idp.example)")
    })
  }

  for (const status of [600, 999, 200.5, Number.NaN, "text"]) {
    it.gen(`H130 has a status that none can have: ${status}`, function* () {
      assert.strictEqual((yield* faultOf(foreign({ status, arrayBuffer: true }))).code, "provider_unavailable")
    })
  }

  it.gen("has a status, a text among them, that one can have", function* () {
    for (const status of [200, "200", 599]) {
      const response = yield* send(foreign({ status, arrayBuffer: true }))
      assert.deepStrictEqual([response.status, (yield* read(response)).length], [Number(status), 0])
    }
  })
})

describe("a redirect", () => {
  for (const [kind, members] of [
    ["that fetch hides", { status: 0 }],
    ["that fetch hides behind a status below 200", { status: 199 }],
    ["that a client followed", { redirected: true }]
  ] as const) {
    it.gen(`H140 ${kind} is refused, and its body given up`, function* () {
      let cancelled = 0
      const body = { cancel: () => void cancelled++ }
      const fault = yield* faultOf(foreign({ ...members, body, arrayBuffer: true }))
      assert.deepStrictEqual(
        [fault.code, reasonOf(fault.detail), cancelled],
        ["invalid_response", "the token endpoint answered with a redirect, which is not followed", 1]
      )
      const withoutBody = yield* faultOf(foreign({ ...members, arrayBuffer: true }))
      assert.strictEqual(withoutBody.detail, fault.detail)
      const stubborn = { cancel: () => Promise.reject(new Error("cancel")) }
      assert.strictEqual(
        (yield* faultOf(foreign({ ...members, body: stubborn, arrayBuffer: true }))).detail,
        fault.detail
      )
    })
  }
})

describe("the body of an answer", () => {
  const bodies: ReadonlyArray<readonly [kind: string, body: unknown]> = [
    ["a text", "text"],
    ["an object", {}],
    ["an object whose getReader is no function", { getReader: true }],
    ["an object whose iterator is no function", { [Symbol.asyncIterator]: true }],
    ["undefined", undefined]
  ]
  for (const [kind, body] of bodies) {
    it.gen(`H129 that is ${kind} is in memory, and has the same limit`, function* () {
      const of = (size: number) => foreign({ body, arrayBuffer: () => Promise.resolve(bytesOf(size).buffer) })
      assert.strictEqual((yield* read(yield* send(of(limit)))).length, limit)
      const fault = yield* faultOf(of(limit + 1))
      assert.deepStrictEqual(
        [fault.code, reasonOf(fault.detail)],
        [
          "invalid_response",
          "the answer of the token endpoint is larger than 512 kB, or comes in too many empty pieces"
        ]
      )
    })
  }

  it.gen("is read from a stream of the platform, of another implementation and of an iterable", function* () {
    const chunks = () =>
      (async function* () {
        yield new Uint8Array([1, 2])
        yield new Uint8Array([3])
      })()
    const streams = [
      new Response(new Uint8Array([1, 2, 3])).body,
      {
        getReader: () => ({
          read: (
            (all) => () =>
              all.next()
          )(chunks()),
          cancel: () => undefined
        })
      },
      chunks()
    ]
    for (const body of streams) {
      const response = yield* send(foreign({ body, arrayBuffer: () => assert.fail("the whole body was asked for") }))
      assert.deepStrictEqual([...(yield* read(response))], [1, 2, 3])
    }
  })

  it.gen("H130 that breaks off is named by the host and never by its own error", function* () {
    const fault = yield* faultOf(foreign({ body: {}, arrayBuffer: () => Promise.reject(new Error("secret")) }))
    assert.deepStrictEqual(
      [fault.code, reasonOf(fault.detail), String(fault.cause)],
      [
        "provider_unavailable",
        "the answer of the token endpoint broke off",
        "NetworkFailure: Error: the request failed (idp.example)"
      ]
    )
  })

  it.effect("H127, H128 that comes late is given up, and says so", () =>
    Effect.gen(function* () {
      let cancelled = 0
      const body = new ReadableStream({
        pull: () => new Promise<void>(() => undefined),
        cancel: () => void cancelled++
      })
      const running = yield* Effect.forkChild(faultOf(new Response(body)))
      yield* turns
      yield* TestClock.adjust("10 seconds")
      const fault = yield* Fiber.join(running)
      assert.deepStrictEqual(
        [fault.code, reasonOf(fault.detail), String(fault.cause)],
        [
          "provider_unavailable",
          "the token endpoint did not answer within ten seconds",
          "NetworkFailure: ETIMEDOUT: there was no answer in time (idp.example)"
        ]
      )
      assert.strictEqual(cancelled, 1)
    })
  )

  for (const [kind, bodyOf] of [
    ["with a body", (cancel: () => void) => ({ cancel })],
    [
      "whose body cannot be given up",
      (cancel: () => void) => ({ cancel: () => (cancel(), Promise.reject(new Error("x"))) })
    ],
    ["without a body", (cancel: () => void) => (cancel(), null)]
  ] as const) {
    it.gen(`H128 of an answer ${kind} that comes after the deadline is never read`, function* () {
      let cancelled = 0
      let read: Read<Response> | undefined
      const network: Network["Service"] = {
        send: (_, reading) => {
          // The type of the way is that of every answer; here it is the one of a transport.
          read = reading as unknown as Read<Response>
          return Effect.never
        }
      }
      yield* Effect.forkChild(wayTo(network).send("token endpoint", outgoing), {
        startImmediately: true
      })
      const answer = foreign({ body: bodyOf(() => void cancelled++), arrayBuffer: () => assert.fail("it was read") })
      const reading = read?.(answer, AbortSignal.abort(new Error("late"))) ?? assert.fail("no request was sent")
      const fault = yield* Effect.flip(Effect.tryPromise({ try: () => reading, catch: (cause) => cause as OAuthFault }))
      assert.deepStrictEqual(
        [fault.code, reasonOf(fault.detail), cancelled],
        ["provider_unavailable", "the token endpoint could not be reached", 1]
      )
    })
  }
})

it.gen(
  "a response that a function of the application gave is read with the same limits, and named by its URL",
  function* () {
    const response = yield* Transport.readGiven("token endpoint", new Response("ok", { status: 201 }))
    assert.deepStrictEqual([response.status, yield* Effect.promise(() => response.text())], [201, "ok"])
    const broken = Object.assign(foreign({ url, body: {}, arrayBuffer: () => Promise.reject(new Error("x")) }))
    const fault = yield* Effect.flip(Transport.readGiven("token endpoint", broken as unknown as Response))
    assert.strictEqual(String(fault.cause), "NetworkFailure: Error: the request failed (idp.example)")
  }
)

it.gen("a response of a status that has no body keeps its headers", function* () {
  const empty = yield* send(new Response(null, { status: 204, headers: { "x-own": "1" } }))
  assert.deepStrictEqual([empty.status, empty.body, empty.headers.get("x-own")], [204, null, "1"])
})

describe("a function in the place of fetch", () => {
  const form = new TextEncoder().encode("a=1&b=%20")
  const bodyGiven = (provider: "adaptFetch" | "fetch", request: Partial<Outgoing>) =>
    Effect.gen(function* () {
      const bodies: Array<unknown> = []
      const fetcher = ((_, init) => {
        bodies.push(init?.body)
        return Promise.resolve(new Response("{}"))
      }) satisfies Fetch
      const network = { send: byFetch(() => assert.fail("the network was asked")) }
      const way = provider === "fetch" ? { fetch: fetcher } : { adaptFetch: () => fetcher }
      const transport = wayTo(network, way)
      yield* transport.send("token endpoint", { ...outgoing, method: "POST", ...request })
      return bodies[0]
    })

  for (const provider of ["fetch", "adaptFetch"] as const) {
    it.gen(`of ${provider} is given the fields of a form, and other bodies as they are`, function* () {
      for (const type of ["application/x-www-form-urlencoded", "Application/X-WWW-Form-URLEncoded; charset=utf-8"]) {
        const body = yield* bodyGiven(provider, { headers: { "content-type": type }, body: form })
        assert.instanceOf(body, URLSearchParams)
        assert.strictEqual(String(body), "a=1&b=+")
      }
      const fields = new URLSearchParams("a=1")
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      assert.strictEqual(yield* bodyGiven(provider, { headers, body: fields }), fields)
      assert.strictEqual(
        yield* bodyGiven(provider, { headers: { "content-type": "application/json" }, body: form }),
        form
      )
      assert.strictEqual(yield* bodyGiven(provider, { headers: {}, body: form }), form)
    })
  }
})

describe("the way in the form of fetch", () => {
  const recorded = () => {
    const requests: Array<Outgoing> = []
    const network: Network["Service"] = {
      send: (request, read) => {
        requests.push(request)
        return Effect.promise(() => read(new Response("answer"), new AbortController().signal))
      }
    }
    return { requests, fetch: Transport.fetchOver(wayTo(network), "userinfo endpoint", Context.empty()) }
  }

  it("sends what fetch was given", async () => {
    const { fetch, requests } = recorded()
    const response = await fetch(url, { method: "POST", body: "a=1", headers: { "X-Own": "1" } })
    assert.strictEqual(await response.text(), "answer")
    await fetch(new URL(url))
    const [post, get] = requests
    assert.deepInclude(post, { method: "POST", url })
    assert.strictEqual(post?.headers["x-own"], "1")
    assert.deepStrictEqual(post?.body, new TextEncoder().encode("a=1"))
    assert.deepStrictEqual(get, { method: "GET", url, headers: {}, body: undefined })
  })

  it("ends when its signal is aborted", async () => {
    let interrupted = 0
    const network: Network["Service"] = {
      send: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++))
    }
    const fetch = Transport.fetchOver(wayTo(network), "userinfo endpoint", Context.empty())
    const controller = new AbortController()
    const running = fetch(url, { signal: controller.signal }).then(
      () => "answered",
      () => "rejected"
    )
    await new Promise((resolve) => setTimeout(resolve, 0))
    controller.abort()
    assert.strictEqual(await running, "rejected")
    assert.strictEqual(interrupted, 1)
  })
})

describe("what stands for a way", () => {
  const network: Network["Service"] = { send: () => Effect.never }
  const own: Fetch = () => Promise.resolve(new Response())
  const ownerOf = (provider: Partial<OAuthProvider>, shared = network) => wayTo(shared, provider).owner

  it("P095 is the network, or its client, for providers without a fetch of their own", () => {
    assert.strictEqual(ownerOf({}), network)
    const client = {} as NonNullable<Network["Service"]["client"]>
    assert.strictEqual(ownerOf({}, { ...network, client }), client)
    assert.strictEqual(wayTo(network, {}, "/a").scope, wayTo(network, {}, "/b").scope)
  })

  it("P095 is the function or the network, with a scope for each site and each client", () => {
    for (const [provider, owner] of [
      [{ fetch: own }, own],
      [{ adaptFetch: () => own }, network]
    ] as const) {
      assert.strictEqual(ownerOf(provider), owner)
      const { scope } = wayTo(network, provider, "/a")
      assert.strictEqual(wayTo(network, provider, "/a").scope, scope)
      assert.notStrictEqual(wayTo(network, provider, "/b").scope, scope)
      assert.notStrictEqual(wayTo(network, { ...provider, clientId: "other" }, "/a").scope, scope)
      assert.notStrictEqual(wayTo(network, {}, "/a").scope, scope)
    }
  })

  it("P095 is another for each function, whatever its source text", () => {
    const make = (): Fetch => () => Promise.resolve(new Response())
    assert.notStrictEqual(ownerOf({ fetch: make() }), ownerOf({ fetch: make() }))
  })

  it("says of a function that it is made anew each time, and not of one that stays or is changed", () => {
    const make = (): Fetch => () => Promise.resolve(new Response())
    const isMadeAnew = (fetch: Fetch, scope: string) => wayTo(network, { fetch }, scope).isMadeAnew === true
    assert.deepStrictEqual(
      Array.from({ length: 5 }, () => isMadeAnew(make(), "anew")),
      [false, false, false, false, true]
    )
    assert.deepStrictEqual(
      Array.from({ length: 9 }, () => isMadeAnew(own, "one")),
      Array(9).fill(false)
    )
  })

  it.gen("H129 has the thousand newest documents", function* () {
    const cache = ProviderCache.make<number>({ freshFor: 1000, usableFor: 1000 })
    const at = (index: number) => cache(own, String(index), Effect.succeed(index))
    const entries = Array.from({ length: 1000 }, (_, index) => at(index))
    assert.strictEqual(at(0), entries[0])
    assert.strictEqual(yield* at(1000).get, 1000)
    assert.strictEqual(at(1), entries[1])
    assert.notStrictEqual(at(0), entries[0])
  })
})

describe("the text of an answer", () => {
  const response = (type: string | undefined, body: string | Uint8Array<ArrayBuffer>): Response =>
    new Response(typeof body === "string" ? new TextEncoder().encode(body) : body, {
      headers: type === undefined ? {} : { "content-type": type }
    })

  it.gen("is UTF-8, or there is none", function* () {
    assert.strictEqual(yield* Transport.textOf(response(undefined, "é")), "é")
    assert.isUndefined(yield* Transport.textOf(response(undefined, new Uint8Array([0xff]))))
  })

  it("has a media type without parameters, in lower case", () => {
    const typeOf = (type?: string) => Transport.mediaType(response(type, ""))
    assert.deepStrictEqual(
      [typeOf(), typeOf("Text/HTML"), typeOf("text/html ; charset=utf-8"), typeOf(";a")],
      ["", "text/html", "text/html", ""]
    )
  })

  const json = [
    "application/json",
    "text/json",
    "APPLICATION/JSON; charset=utf-8",
    "application/vnd.a-b+json",
    "a/b_1+json"
  ]
  for (const type of json) {
    it.gen(`is JSON when it is marked as ${type}`, function* () {
      assert.deepStrictEqual(yield* Transport.readJson("key set", response(type, `{"a":1}`)), { a: 1 })
    })
  }

  const others = [undefined, "text/html", "application/jsonx", "xapplication/json", "application/a+jsonx", "a/b/c+json"]
  for (const type of [...others, "+json", "/a+json", "a/+json", "a b/c+json", "a/b c+json", "a/bjson"]) {
    it.gen(`is not read when it is marked as ${type}`, function* () {
      const fault = yield* Effect.flip(Transport.readJson("key set", response(type, `{"a":1}`)))
      assert.deepStrictEqual(
        [fault.code, reasonOf(fault.detail)],
        ["invalid_response", "the answer of the key set is not marked as JSON"]
      )
    })
  }

  const refused: ReadonlyArray<readonly [body: string | Uint8Array<ArrayBuffer>, detail: string]> = [
    [`{"a":1,"a":2}`, "the answer of the key set gives a member twice"],
    ["[]", "the answer of the key set is not a JSON object"],
    ["null", "the answer of the key set is not a JSON object"],
    ["{", "the answer of the key set is not a JSON object"],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "the answer of the key set is not a JSON object"]
  ]
  for (const [body, detail] of refused) {
    it.gen(`is refused when it is ${typeof body === "string" ? body : "not UTF-8"}`, function* () {
      const fault = yield* Effect.flip(Transport.readJson("key set", response("application/json", body)))
      assert.deepStrictEqual([fault.code, reasonOf(fault.detail)], ["invalid_response", detail])
    })
  }
})
