/**
 * Which way a mail goes, and what functions of the application are given: Auth.js provider objects among them.
 */
import PeerForwardEmail from "@auth/core/providers/forwardemail"
import PeerLoops from "@auth/core/providers/loops"
import PeerMailgun from "@auth/core/providers/mailgun"
import PeerPostmark from "@auth/core/providers/postmark"
import PeerResend from "@auth/core/providers/resend"
import PeerSendGrid from "@auth/core/providers/sendgrid"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { afterEach, vi } from "vitest"
import { type LinkMail, EmailSender } from "../../src/email/EmailSender.ts"
import { capture } from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import type { VerificationRequestParams } from "../../src/Provider/internal/Provider.ts"
import { Resend } from "../../src/Provider/Resend.ts"
import { providerOf } from "../Provider/Read.ts"

const mailOf = (input: unknown, more: Partial<LinkMail> = {}): LinkMail => {
  const provider = providerOf(input)
  if (provider._tag !== "Email") throw new Error("not an email provider")
  return {
    provider,
    identifier: "ann@example.com",
    url: "https://app.example/auth/callback/x?token=t&email=ann%40example.com",
    token: "t",
    expires: new Date(1_800_000_000_000),
    theme: { colorScheme: "auto", brandColor: "#123456" },
    request: new Request("https://app.example/auth/signin/x", { method: "POST", body: "{}" }),
    ...more
  }
}

const asked: Array<string> = []
const client = HttpClient.make((request) =>
  Effect.sync(() => {
    asked.push(request.url)
    return HttpClientResponse.fromWeb(request, new Response("{}", { status: 200 }))
  })
)

afterEach(() => {
  asked.length = 0
  vi.unstubAllGlobals()
})

describe("the way of a mail", () => {
  it.gen("is the provider's function, then its service, then the mailer of the configuration", function* () {
    const mailer = capture()
    const room = EmailSender.make(mailer, client)
    const own: Array<string> = []
    const sendVerificationRequest = ({ identifier }: VerificationRequestParams) => void own.push(identifier)
    yield* room.send(mailOf(Resend({ apiKey: "k", sendVerificationRequest })))
    assert.deepStrictEqual([own.length, asked.length, (yield* mailer.mails).length], [1, 0, 0])
    yield* room.send(mailOf(Resend({ apiKey: "k" })))
    assert.deepStrictEqual([own.length, asked.length, (yield* mailer.mails).length], [1, 1, 0])
    yield* room.send(mailOf(Email()))
    assert.deepStrictEqual([own.length, asked.length, (yield* mailer.mails).length], [1, 1, 1])
    vi.stubEnv("NODE_ENV", "production")
    const failure = yield* Effect.flip(EmailSender.make(undefined, client).send(mailOf(Email())))
    vi.unstubAllEnvs()
    assert.deepInclude(failure, { _tag: "EmailSignInError", provider: "email" })
  })

  it.gen("has a sender: the provider's, the mailer's, or that of the site", function* () {
    const mailer = capture()
    yield* EmailSender.make({ ...mailer, from: "mailer@x.com" }, client).send(mailOf(Email({ from: "provider@x.com" })))
    yield* EmailSender.make({ ...mailer, from: "mailer@x.com" }, client).send(mailOf(Email()))
    const room = EmailSender.make(mailer, client)
    yield* room.send(mailOf(Email()))
    yield* room.send(mailOf(Email(), { url: "http://[::1]:3000/auth/callback/email" }))
    assert.deepStrictEqual(
      (yield* mailer.mails).map(({ from }) => from),
      ["provider@x.com", "mailer@x.com", "no-reply@app.example", "no-reply@localhost"]
    )
  })
})

describe("a function of the application", () => {
  it.gen("is given what Auth.js gives it", function* () {
    const given: Array<VerificationRequestParams> = []
    const provider = {
      ...Email({ from: "a@x.com", name: "Mail" }),
      custom: 1,
      sendVerificationRequest: (params: VerificationRequestParams) => void given.push(params)
    }
    const mail = mailOf(provider)
    yield* EmailSender.make(undefined, client).send(mail)
    const [params] = given
    assert.sameMembers(Object.keys(params ?? {}), [
      "identifier",
      "url",
      "expires",
      "provider",
      "token",
      "theme",
      "request"
    ])
    const { expires, identifier, request, token, url } = mail
    assert.deepInclude(params, { identifier, url, token, expires, request })
    const own: Record<string, unknown> = { ...params?.provider }
    assert.deepInclude(own, { id: "email", name: "Mail", type: "email", from: "a@x.com", custom: 1 })
    assert.deepStrictEqual(params?.theme, { colorScheme: "auto", logo: "", brandColor: "#123456", buttonText: "" })
  })

  it.gen("may answer an Effect, and may fail in any way", function* () {
    const room = EmailSender.make(undefined, client)
    const by = (send: () => unknown) =>
      room.send(mailOf({ id: "own", name: "Own", type: "email", sendVerificationRequest: send }))
    yield* by(() => Effect.succeed("sent"))
    for (const send of [
      () => Effect.fail("no"),
      () => Effect.die("no"),
      () => Promise.reject(new Error("no")),
      () => {
        throw new Error("no")
      }
    ]) {
      const failure = yield* Effect.flip(by(send))
      assert.deepInclude(failure, { _tag: "EmailSignInError", provider: "own", retryable: true })
      assert.isDefined(failure.cause)
    }
  })
})

describe("Auth.js providers that send by a service", () => {
  const from = "Acme <door@mail.example.com>"
  for (const [provider, url] of [
    [PeerResend({ apiKey: "k", from }), "https://api.resend.com/emails"],
    [PeerSendGrid({ apiKey: "k", from }), "https://api.sendgrid.com/v3/mail/send"],
    [PeerPostmark({ apiKey: "k", from }), "https://api.postmarkapp.com/email"],
    [
      PeerMailgun({ apiKey: "k", from: "door@mail.example.com" }),
      "https://api.mailgun.net/v3/mail.example.com/messages"
    ],
    [PeerForwardEmail({ apiKey: "k", from }), "https://api.forwardemail.net/v1/emails"],
    [PeerLoops({ apiKey: "k", transactionalId: "t" }), "https://app.loops.so/api/v1/transactional"]
  ] as const) {
    it.gen(`${provider.id} sends as it is, and its refusal is a failure`, function* () {
      const answers = [200, 422]
      const requests: Array<Request> = []
      // These objects know no other way than the global `fetch`.
      vi.stubGlobal("fetch", (input: string, init: RequestInit) => {
        requests.push(new Request(input, init))
        return Promise.resolve(new Response("{}", { status: answers.shift() ?? 500 }))
      })
      const room = EmailSender.make(undefined, client)
      yield* room.send(mailOf(provider))
      assert.deepStrictEqual(
        requests.map((request) => request.url),
        [url]
      )
      const body = yield* Effect.promise(() => requests[0]?.text() ?? Promise.resolve(""))
      assert.include(body, "ann@example.com")
      assert.include(body, "token=t")
      const failure = yield* Effect.flip(room.send(mailOf(provider)))
      assert.deepInclude(failure, { _tag: "EmailSignInError", provider: provider.id })
    })
  }
})
