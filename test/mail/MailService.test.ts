/**
 * Mail by services of the web: the requests as a server on this machine sees them, and what its answers become.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import { layer, make, type MailServiceOptions } from "../../src/mail/MailService.ts"
import { Mailer } from "../../src/Mailer.ts"
import { redactedMail } from "../../src/Mailer.ts"
import type { MailServiceName } from "../../src/Provider/internal/Provider.ts"

const apiKey = "key-0123456789"
const plain = {
  to: "ann+x@example.com",
  from: "Acme <door@mail.example.com>",
  subject: "Sign in to example.com",
  text: "text ä",
  html: "<p>html</p>",
  url: "https://example.com/auth/callback/x?token=t"
}
const mail = redactedMail(plain)

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** A server that says what it was asked, and a client whose every request ends there. */
const service = (answer: Partial<{ status: number; headers: Record<string, string>; silent: boolean }> = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const received: Array<Received> = []
      const server = createServer((incoming, outgoing) => {
        const chunks: Array<Buffer> = []
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
        incoming.on("end", () => {
          received.push({
            method: incoming.method ?? "",
            url: `https://${String(incoming.headers["x-service"])}${incoming.url}`,
            headers: new Headers(
              Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
            ),
            body: Buffer.concat(chunks).toString()
          })
          if (answer.silent !== true)
            outgoing.writeHead(answer.status ?? 200, answer.headers ?? {}).end("secret answer")
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
      const { port } = server.address() as AddressInfo
      return { server, received, origin: `http://127.0.0.1:${port}` }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
  ).pipe(
    Effect.map(({ origin, received }) => ({
      received,
      client: Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, (client) =>
          HttpClient.mapRequest(client, (request) => {
            const url = new URL(request.url)
            return HttpClientRequest.setHeader(
              HttpClientRequest.setUrl(request, `${origin}${url.pathname}${url.search}`),
              "x-service",
              url.host
            )
          })
        )
      ).pipe(Layer.provide(FetchHttpClient.layer))
    }))
  )

const sending = Effect.fnUntraced(function* (
  options: Partial<MailServiceOptions> & { service: MailServiceName },
  given = mail
) {
  const client = yield* HttpClient.HttpClient
  return yield* make(client, { apiKey: Redacted.make(apiKey), ...options }).send(given)
})

const bearer = `Bearer ${apiKey}`
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

const plainBody = { from: plain.from, to: plain.to, subject: plain.subject, html: plain.html, text: plain.text }

const expected: ReadonlyArray<readonly [MailServiceName, url: string, headers: Record<string, string>, body: object]> =
  [
    ["resend", "https://api.resend.com/emails", { authorization: bearer }, plainBody],
    [
      "sendgrid",
      "https://api.sendgrid.com/v3/mail/send",
      { authorization: bearer },
      {
        personalizations: [{ to: [{ email: plain.to }] }],
        from: { email: "door@mail.example.com", name: "Acme" },
        subject: plain.subject,
        content: [
          { type: "text/plain", value: plain.text },
          { type: "text/html", value: plain.html }
        ]
      }
    ],
    [
      "postmark",
      "https://api.postmarkapp.com/email",
      { "x-postmark-server-token": apiKey, accept: "application/json" },
      {
        From: plain.from,
        To: plain.to,
        Subject: plain.subject,
        TextBody: plain.text,
        HtmlBody: plain.html,
        MessageStream: "outbound"
      }
    ],
    ["forwardemail", "https://api.forwardemail.net/v1/emails", { authorization: basic(`${apiKey}:`) }, plainBody],
    [
      "loops",
      "https://app.loops.so/api/v1/transactional",
      { authorization: bearer },
      { transactionalId: "template", email: plain.to, dataVariables: { url: plain.url } }
    ]
  ]

describe("mail services", () => {
  for (const [name, url, headers, body] of expected) {
    it.live(`${name} gets its request`, () =>
      Effect.gen(function* () {
        const { client, received } = yield* service({ status: 202 })
        yield* Effect.provide(sending({ service: name, transactionalId: "template" }), client)
        assert.strictEqual(received.length, 1)
        const [request] = received
        assert.deepStrictEqual([request?.method, request?.url], ["POST", url])
        assert.strictEqual(request?.headers.get("content-type"), "application/json")
        for (const [header, value] of Object.entries(headers)) assert.strictEqual(request?.headers.get(header), value)
        assert.deepStrictEqual(JSON.parse(request?.body ?? ""), body)
        for (const header of ["traceparent", "b3"]) assert.isFalse(request?.headers.has(header))
      }).pipe(Effect.scoped)
    )
  }

  for (const [region, host] of [
    ["us", "api.mailgun.net"],
    ["eu", "api.eu.mailgun.net"]
  ] as const) {
    it.live(`mailgun gets its request in the ${region} region`, () =>
      Effect.gen(function* () {
        const { client, received } = yield* service()
        for (const from of ["door@mail.example.com", "Acme <door@mail.example.com>"]) {
          yield* Effect.provide(
            sending({ service: "mailgun", region, name: 'My "Site" <x>' }, { ...mail, from }),
            client
          )
        }
        const fields = []
        for (const { body, headers, method, url } of received) {
          assert.deepStrictEqual([method, url], ["POST", `https://${host}/v3/mail.example.com/messages`])
          assert.strictEqual(headers.get("authorization"), basic(`api:${apiKey}`))
          const form = yield* Effect.promise(() =>
            new Response(body, { headers: { "content-type": headers.get("content-type") ?? "" } }).formData()
          )
          fields.push(Object.fromEntries(form))
        }
        const { html, subject, text, to } = plain
        assert.deepStrictEqual(fields, [
          { from: "My Site x <door@mail.example.com>", to, subject, html, text },
          { from: "Acme <door@mail.example.com>", to, subject, html, text }
        ])
      }).pipe(Effect.scoped)
    )
  }

  it.live("sendgrid gets a bare sender bare", () =>
    Effect.gen(function* () {
      const { client, received } = yield* service()
      yield* Effect.provide(sending({ service: "sendgrid" }, { ...mail, from: "door@example.com" }), client)
      assert.deepStrictEqual(JSON.parse(received[0]?.body ?? "").from, { email: "door@example.com" })
    }).pipe(Effect.scoped)
  )

  for (const [title, answer, said] of [
    ["a refusal", { status: 422 }, "The mail service answered with status 422 (api.resend.com)"],
    ["an error", { status: 500 }, "The mail service answered with status 500 (api.resend.com)"],
    [
      "a redirect",
      { status: 307, headers: { location: "http://127.0.0.1:1/" } },
      "The mail service answered with status 307 (api.resend.com)"
    ]
  ] as const) {
    it.live(`${title} is a failure that tells neither the key nor the answer`, () =>
      Effect.gen(function* () {
        const { client, received } = yield* service(answer)
        const failure = yield* Effect.flip(Effect.provide(sending({ service: "resend" }), client))
        assert.strictEqual(failure._tag, "EmailSignInError")
        assert.strictEqual(failure.message, said)
        assert.notInclude(JSON.stringify([failure, String(failure.cause)]), "secret answer")
        assert.notInclude(JSON.stringify([failure, String(failure.cause)]), apiKey)
        assert.strictEqual(received.length, 1)
      }).pipe(Effect.scoped)
    )
  }

  it.live("a service that is not there is a failure", () =>
    Effect.gen(function* () {
      const nowhere = HttpClient.mapRequest(
        yield* HttpClient.HttpClient,
        HttpClientRequest.setUrl("http://127.0.0.1:1/")
      )
      const failure = yield* Effect.flip(make(nowhere, { service: "resend", apiKey: Redacted.make(apiKey) }).send(mail))
      assert.strictEqual(failure.message, "The mail service could not be reached")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.gen("a service that never answers is given up after ten seconds", function* () {
    const client = HttpClient.make(() => Effect.never)
    const fiber = yield* Effect.forkChild(
      Effect.flip(make(client, { service: "resend", apiKey: Redacted.make(apiKey) }).send(mail))
    )
    yield* TestClock.adjust("9 seconds")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual((yield* Fiber.join(fiber)).message, "The mail service did not answer within ten seconds")
  })

  it.live("leaves no trace of the mail or the key", () => {
    const spans: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        spans.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    return Effect.gen(function* () {
      const { client, received } = yield* service()
      yield* Effect.provide(sending({ service: "postmark" }), client).pipe(
        Effect.withSpan("around"),
        Effect.withTracer(tracer)
      )
      assert.deepStrictEqual(spans, ["around"])
      assert.isFalse(received[0]?.headers.has("traceparent"))
    }).pipe(Effect.scoped)
  })

  it.live("is a layer of the mailer", () =>
    Effect.gen(function* () {
      const { client, received } = yield* service()
      const mailer = layer({ service: "resend", apiKey: Redacted.make(apiKey), from: "door@example.com" })
      yield* Effect.gen(function* () {
        const { from, send } = yield* Mailer
        assert.strictEqual(from, "door@example.com")
        yield* send(mail)
      }).pipe(Effect.provide(mailer.pipe(Layer.provide(client))))
      assert.strictEqual(received.length, 1)
    }).pipe(Effect.scoped)
  )
})
