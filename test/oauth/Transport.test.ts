import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpHeaders from "effect/http/Headers"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { isInternal, isLoopback } from "../../src/http/NetworkAddress.ts"
import type { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import { clientLayer } from "../OAuthClientLayer.ts"
import {
  against,
  answer,
  issuer,
  json,
  metadata,
  now,
  oauth,
  oauthFlow,
  oidc,
  refusal,
  scripted,
  type Scripted,
  signIn,
  start,
  tokenResponse
} from "./ScriptedProvider.ts"

const path = "/.well-known/openid-configuration"
const given = answer(undefined, oauthFlow)

/** Lets the fibers of promises go on, which no clock of Effect knows. */
const turns = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 0)))

describe("Limits of provider calls", () => {
  for (const endpoint of ["/token", "/userinfo"]) {
    it.effect(`H127 ${endpoint} that never answers is given up after ten seconds`, () => {
      let interrupted = 0
      const silent = Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++))
      const idp = scripted({ "/token": () => json(tokenResponse(undefined)), [endpoint]: () => silent })
      return against(
        idp,
        Effect.gen(function* () {
          const running = yield* Effect.forkChild(refusal(oauth(), given))
          while (idp.count(endpoint) === 0) yield* turns
          yield* TestClock.adjust("9999 millis")
          assert.strictEqual(interrupted, 0)
          yield* TestClock.adjust("1 millis")
          const failure = yield* Fiber.join(running)
          assert.strictEqual(failure.code, "provider_unavailable")
          assert.isTrue(failure.retryable)
          assert.strictEqual(interrupted, 1)
        })
      )
    })
  }

  it.effect("H127 discovery that never answers is given up after ten seconds", () => {
    const idp = scripted({ [path]: () => Effect.never })
    return against(
      idp,
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(Effect.flip(start()))
        while (idp.count(path) === 0) yield* turns
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* Fiber.join(running)).code, "provider_unavailable")
      })
    )
  })

  it.effect("H128 an answer that drips is given up as a whole, and its connection closed", () => {
    let cancelled = false
    let drops = 0
    const drip = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            if (drops++ === 0) controller.enqueue(new TextEncoder().encode("{"))
            return new Promise<void>(() => undefined)
          },
          cancel: () => {
            cancelled = true
          }
        }),
        { headers: { "content-type": "application/json" } }
      )
    const idp = scripted({ "/token": drip })
    return against(
      idp,
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(refusal(oauth(), given))
        while (drops === 0) yield* turns
        yield* turns
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* Fiber.join(running)).code, "provider_unavailable")
        assert.isTrue(cancelled)
      })
    )
  })

  it.effect("H127 a browser that leaves ends the call", () => {
    let interrupted = 0
    const idp = scripted({ "/token": () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++)) })
    return against(
      idp,
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(signIn(oauth(), given))
        while (idp.count("/token") === 0) yield* turns
        yield* Fiber.interrupt(running)
        assert.strictEqual(interrupted, 1)
      })
    )
  })

  it.gen("H129 an answer is read up to 512 kB and not further", function* () {
    let pulled = 0
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled++
            controller.enqueue(new Uint8Array(16_384))
          }
        }),
        { headers: { "content-type": "application/json", "content-length": "10" } }
      )
    const failure = yield* against(scripted({ "/token": endless }), refusal(oauth(), given))
    assert.strictEqual(failure.code, "invalid_response")
    assert.isBelow(pulled, 40)
  })

  it.gen("H129 512 kB exactly are read", function* () {
    const body = JSON.stringify(tokenResponse(undefined, { filler: "" }))
    const full = tokenResponse(undefined, { filler: "x".repeat(512 * 1024 - body.length) })
    yield* against(scripted({ "/token": () => json(full) }), signIn(oauth(), given))
  })

  it.gen("H130 a connection that breaks off is a typed error that may be retried", function* () {
    const breaking = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
          pull: (controller) => controller.error(Object.assign(new Error("secret body"), { code: "ECONNRESET" }))
        }),
        { headers: { "content-type": "application/json" } }
      )
    const failure = yield* against(scripted({ "/token": breaking }), refusal(oauth(), given))
    assert.strictEqual(failure.code, "provider_unavailable")
    assert.strictEqual(String(failure.cause), "NetworkFailure: ECONNRESET: the connection was closed (idp.example)")
  })
})

/** A client that is not made of fetch. */
const clientOf = (answerWith: (path: string) => Response | "fail"): Layer.Layer<OAuthClient> =>
  Layer.provide(
    clientLayer,
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request, url) => {
        const response = answerWith(url.pathname)
        if (response === "fail") {
          const cause = new TypeError("fetch failed", {
            cause: Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" })
          })
          return Effect.fail(
            new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
          )
        }
        const web = HttpClientResponse.fromWeb(request, response)
        return Effect.succeed(
          // A response without a web source behind it.
          Object.assign(Object.create({ pipe: web.pipe }), {
            status: response.status,
            headers: HttpHeaders.fromInput([...response.headers.entries()]),
            stream: Stream.fromReadableStream({
              evaluate: () => response.body ?? new ReadableStream(),
              onError: () => assert.fail("unreadable")
            })
          })
        )
      })
    )
  )

describe("Clients", () => {
  const layer = clientOf((asked) => (asked === "/token" ? json(tokenResponse(undefined)) : json({ id: "person-1" })))

  it.gen("H129 a client of another kind is read with the same limit", function* () {
    yield* Effect.provide(signIn(oauth(), given), layer)
    const large = clientOf(() => json({ ...tokenResponse(undefined), filler: "x".repeat(600_000) }))
    assert.strictEqual((yield* Effect.provide(refusal(oauth(), given), large)).code, "invalid_response")
  })

  it.gen("H130 a name that does not resolve is a typed error without the request", function* () {
    const failure = yield* Effect.provide(
      refusal(oauth(), given),
      clientOf(() => "fail")
    )
    assert.strictEqual(failure.code, "provider_unavailable")
    assert.isTrue(failure.retryable)
    assert.strictEqual(
      String(failure.cause),
      "NetworkFailure: ENOTFOUND: the name of the host could not be resolved (idp.example)"
    )
  })

  it.effect("P020, H285 a tracer is told which endpoint was called, and no trace header reaches the provider", () => {
    const idp = scripted()
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    return Effect.gen(function* () {
      yield* against(idp, signIn()).pipe(Effect.withSpan("request"), Effect.provideService(Tracer.Tracer, tracer))
      const [, ...calls] = spans
      assert.deepStrictEqual(
        calls.map(({ attributes, kind, name }) => [name, kind, Object.fromEntries(attributes)]),
        [
          ["discovery", "GET"],
          ["token", "POST"],
          ["keys", "GET"]
        ].map(([endpoint, method]) => [
          "effect-doorman.provider",
          "client",
          {
            "effect-doorman.provider": "idp",
            "effect-doorman.endpoint": endpoint,
            "server.address": "idp.example",
            "http.request.method": method,
            "http.response.status_code": 200
          }
        ])
      )
      for (const { headers } of idp.sent) {
        assert.isNull(headers.get("traceparent"))
        assert.isNull(headers.get("b3"))
      }
    })
  })

  const fetchOf =
    (idp: Scripted): typeof globalThis.fetch =>
    async (input, init) => {
      const request = new Request(input, init)
      const url = new URL(request.url)
      const sent = {
        method: request.method,
        url: url.href,
        path: url.pathname,
        headers: request.headers,
        body: await request.text()
      }
      idp.sent.push(sent)
      assert.strictEqual(request.redirect, "manual")
      const made = idp.endpoints[url.pathname]?.(sent) ?? new Response("", { status: 404 })
      return Effect.isEffect(made) ? Effect.runPromise(made) : made
    }

  it.gen("H127 a fetch of the provider is used for every call, with the same limits", function* () {
    const idp = scripted()
    const unused = scripted()
    yield* against(unused, signIn(oidc({ fetch: fetchOf(idp) })))
    assert.deepStrictEqual(
      idp.sent.map((one) => one.path),
      [path, "/token", "/keys"]
    )
    assert.strictEqual(unused.sent.length, 0)
    const hanging = oauth({ fetch: () => new Promise(() => undefined) })
    const running = yield* Effect.forkChild(against(unused, refusal(hanging, given)))
    yield* turns
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual((yield* Fiber.join(running)).code, "provider_unavailable")
  })

  it.effect("P092, H140 fetch is told not to follow redirects, and keeps what else the application set for it", () => {
    const idp = scripted()
    const seen: Array<RequestInit | undefined> = []
    const fetcher = fetchOf(idp)
    const layer = Layer.provide(clientLayer, FetchHttpClient.layer)
    return Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000)
      yield* signIn()
      assert.deepStrictEqual(
        seen.map((init) => `${init?.redirect} ${init?.cache}`),
        Array.from({ length: 3 }, () => "manual no-store")
      )
    }).pipe(
      Effect.provide(layer),
      Effect.provideService(FetchHttpClient.RequestInit, { cache: "no-store", redirect: "follow" }),
      Effect.provideService(FetchHttpClient.Fetch, (input, init) => {
        seen.push(init)
        return fetcher(input, init)
      })
    )
  })

  it.effect(
    "P095 documents fetched over a provider's fetch are kept for that function and provider, and for no other",
    () => {
      const client = scripted()
      const first = scripted()
      const second = scripted({ [path]: () => json({ ...metadata, authorization_endpoint: `${issuer}/other` }) })
      return Effect.gen(function* () {
        const [one, other] = [fetchOf(first), fetchOf(second)]
        for (let times = 0; times < 2; times++) {
          assert.include((yield* start(oidc({ fetch: one }))).url, "/authorize?")
          assert.include((yield* start(oidc({ fetch: other }))).url, "/other?")
        }
        assert.include((yield* start(oidc({ id: "other", fetch: other }))).url, "/other?")
        assert.deepStrictEqual([first.sent.length, second.sent.length, client.sent.length], [1, 2, 0])
      }).pipe((program) => against(client, program))
    }
  )

  it.gen("an adapted fetch wraps the client of the library and keeps its limits", function* () {
    const idp = scripted()
    const provider = oidc({
      adaptFetch: (inner) => async (input, init) => {
        const response = await inner(input, { ...init, headers: { ...init?.headers, "x-adapted": "yes" } })
        return response
      }
    })
    yield* against(idp, signIn(provider))
    assert.deepStrictEqual(
      idp.sent.map((one) => one.headers.get("x-adapted")),
      ["yes", "yes", "yes"]
    )
    const down = scripted({ "/token": () => json({ filler: "x".repeat(600_000) }) })
    const failure = yield* against(down, refusal(provider))
    assert.strictEqual(failure.code, "invalid_response")
  })

  it.gen("a form that a function of the application sends leaves as it was written", function* () {
    const form = "sign=a%2Bb%20c~*&name=%C4%E3&flag&x=1"
    const idp = scripted()
    const provider = oauth({
      token: {
        url: `${issuer}/token`,
        conform: undefined,
        request: async ({ fetch }) => {
          const headers = { "content-type": "application/x-www-form-urlencoded" }
          await fetch(`${issuer}/token`, { method: "POST", headers, body: form })
          return { tokens: { access_token: "a" } }
        }
      }
    })
    yield* Effect.exit(against(idp, signIn(provider, given)))
    assert.deepStrictEqual(
      idp.sent.filter(({ path }) => path === "/token").map(({ body }) => body),
      [form]
    )
  })

  it.gen("H140 an answer that another server redirected is refused", function* () {
    const redirected = Object.defineProperty(json(tokenResponse(undefined)), "redirected", { value: true })
    const provider = oauth({ fetch: () => Promise.resolve(redirected) })
    assert.strictEqual((yield* against(scripted(), refusal(provider, given))).code, "invalid_response")
  })
})

describe("Functions in the place of fetch", () => {
  const made: ReadonlyArray<readonly [title: string, fetcher: () => unknown]> = [
    ["throws", () => assert.fail("of the application")],
    ["rejects", () => Promise.reject(new TypeError("of the application"))],
    ["gives nothing", () => Promise.resolve(undefined)],
    ["gives a text", () => Promise.resolve("{}")],
    [
      "gives a foreign response that breaks off",
      () =>
        Promise.resolve({
          status: 200,
          headers: new Headers(),
          body: {},
          arrayBuffer: () => Promise.reject(new Error("x"))
        })
    ],
    ...[600, 200.5, Number.NaN].map(
      (status) =>
        [
          `gives a foreign response with the status ${status}`,
          () => Promise.resolve({ status, headers: new Headers(), body: null, arrayBuffer: () => assert.fail("read") })
        ] as const
    )
  ]
  for (const [title, fetcher] of made) {
    it.gen(`H130 a fetch that ${title} is a typed error`, function* () {
      const provider = oauth({ fetch: fetcher as typeof globalThis.fetch })
      const failure = yield* against(scripted(), refusal(provider, given))
      assert.strictEqual(failure.code, "provider_unavailable")
    })
  }

  for (const kind of ["an iterable", "a reader"] as const) {
    it.gen(`H129 a stream of ${kind} that never ends is read no further than the limit, and given up`, function* () {
      const seen = { chunks: 0, isGivenUp: false }
      const chunk = new Uint8Array(64 * 1024).fill(32)
      const endless = (async function* (): AsyncGenerator<Uint8Array, void> {
        try {
          for (;;) {
            seen.chunks += 1
            yield chunk
          }
        } finally {
          seen.isGivenUp = true
        }
      })()
      const reader = { read: () => endless.next(), cancel: () => endless.return(undefined) }
      const body = kind === "an iterable" ? endless : { getReader: () => reader }
      const headers = new Headers({ "content-type": "application/json" })
      const answer = { status: 200, headers, body, arrayBuffer: () => assert.fail("the whole body was asked for") }
      const provider = oauth({ fetch: (() => Promise.resolve(answer)) as unknown as typeof globalThis.fetch })
      assert.strictEqual((yield* against(scripted(), refusal(provider, given))).code, "invalid_response")
      assert.deepStrictEqual(seen, { chunks: 9, isGivenUp: true })
    })
  }

  it.gen("a response whose headers are pairs of its own kind is read", function* () {
    const fetcher = (url: string) => {
      const bytes = new TextEncoder().encode(
        JSON.stringify(url.endsWith("/token") ? tokenResponse(undefined) : { id: "person-1" })
      )
      const headers = [["Content-Type", "application/json"]]
      return Promise.resolve({ status: 200, headers, body: {}, arrayBuffer: () => Promise.resolve(bytes.buffer) })
    }
    yield* against(scripted(), signIn(oauth({ fetch: fetcher as unknown as typeof globalThis.fetch }), given))
  })

  it.gen("H129 a response with a stream of its own kind is read, up to the limit", function* () {
    const foreign = (size: number) => (url: string) => {
      const text = JSON.stringify(
        url.endsWith("/token") ? tokenResponse(undefined, { filler: "x".repeat(size) }) : { id: "person-1" }
      )
      const bytes = new TextEncoder().encode(text)
      const headers = new Headers({ "content-type": "application/json" })
      return Promise.resolve({ status: 200, headers, body: {}, arrayBuffer: () => Promise.resolve(bytes.buffer) })
    }
    const of = (size: number) => oauth({ fetch: foreign(size) as unknown as typeof globalThis.fetch })
    yield* against(scripted(), signIn(of(10), given))
    assert.strictEqual((yield* against(scripted(), refusal(of(600_000), given))).code, "invalid_response")
  })
})

describe("Addresses", () => {
  for (const host of [
    "localhost",
    "a.localhost",
    "localhost.",
    "127.0.0.1",
    "127.255.0.1",
    "[::1]",
    "[::ffff:7f00:1]"
  ]) {
    it(`P097 ${host} is this machine`, () => {
      assert.isTrue(isLoopback(host))
      assert.isTrue(isInternal(host))
    })
  }
  for (const host of [
    "idp.example",
    "8.8.8.8",
    "128.0.0.1",
    "11.0.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.167.0.1",
    "169.253.0.1",
    "[2606:4700::1]",
    "idp.notlocalhost",
    "[::ffff:808:808]",
    "[2002:808:808::1]",
    "[64:ff9b::808:808]",
    "idp.notinternal",
    "internal.example",
    "idp.notlocal",
    "local.example",
    "nothome.arpa",
    "[::ffff:0:808:808]",
    "[2001:200::1]",
    "[2001:4860:4860::8888]"
  ]) {
    it(`P097 ${host} is out there`, () => {
      assert.isFalse(isLoopback(host))
      assert.isFalse(isInternal(host))
    })
  }
  for (const host of [
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "255.255.255.255",
    "[fc00::1]",
    "[fdff::1]",
    "[fe80::1]",
    "[febf::1]",
    "[ff02::1]",
    "[::]",
    "[fec0::1]",
    "[2002:a00:1::1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::808:808]",
    "metadata.google.internal",
    "internal.",
    "kubernetes.default.svc.cluster.local",
    "printer.local.",
    "nas.home.arpa",
    "vault",
    "vault.",
    "[::ffff:0:7f00:1]",
    "[::ffff:0:a9fe:a9fe]",
    "[2001::7f00:1]",
    "[2001:1ff::1]"
  ]) {
    it(`P097 ${host} is internal and not this machine`, () => {
      assert.isFalse(isLoopback(host))
      assert.isTrue(isInternal(host))
    })
  }
})
