/**
 * Sign-in mails over SMTP, to a real server: who gets them, what is in them, and what its refusals become.
 */
import PeerNodemailer from "@auth/core/providers/nodemailer"
import PeerEmail from "@auth/core/providers/email"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as EmailAddress from "../../src/models/EmailAddress.ts"
import { EmailSignInError } from "../../src/Errors.ts"
import type { Options as AuthConfig } from "../../src/config/Settings.ts"
import { layer, make } from "../../src/mail/Smtp.ts"
import { Mailer } from "../../src/Mailer.ts"
import { redactedMail } from "../../src/Mailer.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { inputOf } from "../Emails.ts"
import corpus from "../emails.json" with { type: "json" }
import { facade, secret, visitor } from "../Visitor.ts"
import { type MailServer, startMailServer } from "./MailServer.ts"

const origin = "http://localhost:3000"
const login = { user: "doorman", password: "pass word" }

let plain: MailServer
let guarded: MailServer

beforeAll(async () => {
  plain = await startMailServer({ unknown: ["nobody@example.com"] })
  guarded = await startMailServer({ login, unknown: ["nobody@example.com"] })
})

afterAll(async () => {
  await plain.close()
  await guarded.close()
})

/** Each with a secret of its own, so that each has its own budget of mails. */
const configured = (provider: AuthConfig["providers"][number], errors: Array<Error> = []): AuthConfig => ({
  secret: `${secret} ${randomUUID()}`,
  trustHost: true,
  basePath: "/auth",
  adapter: makeMemory(),
  providers: [provider],
  logger: { error: (error) => void errors.push(error), warn: () => undefined, debug: () => undefined }
})

/** The visitor's form, sent; where the answer leads. */
const asking = async (config: AuthConfig, email: string, id = "nodemailer") => {
  const person = visitor(facade(config), origin)
  const response = await person.submit(`/auth/signin/${id}`, { email })
  return { person, location: response.headers.get("location") }
}

const sent = (id: string) => `${origin}/auth/verify-request?provider=${id}&type=email`
const unsent = `${origin}/auth/signin?error=EmailSignin`

describe("mail over SMTP", () => {
  it("H148 goes to the one mailbox that was named, for every address of the corpus", async () => {
    const { send } = make({ server: plain.transport() })
    let before = plain.deliveries.length
    for (const row of corpus) {
      const address = Result.getOrUndefined(EmailAddress.parse(inputOf(row)))
      if (address === undefined) continue
      await Effect.runPromise(
        send(
          redactedMail({
            to: address,
            from: "Site <site@example.com>",
            subject: "s",
            text: "t",
            html: "<p>h</p>",
            url: origin
          })
        )
      )
      const delivery = plain.deliveries[before++]
      assert.deepStrictEqual(delivery?.recipients, [address], row.no)
      assert.deepStrictEqual(delivery?.mail.to, [{ name: "", address }], row.no)
      assert.isUndefined(delivery?.mail.cc ?? delivery?.mail.bcc)
    }
    assert.strictEqual(plain.deliveries.length, before)
  })

  it("H148 for every address of the corpus, no other mailbox gets a mail", async () => {
    const config = configured(Nodemailer({ server: plain.transport(), from: "site@example.com" }))
    const before = plain.deliveries.length
    for (const row of corpus) {
      const input = inputOf(row)
      if (typeof input === "string") await asking(config, input)
    }
    const recipients = plain.deliveries.slice(before).map((delivery) => delivery.recipients)
    const accepted = corpus.flatMap(({ canonical }) => (canonical === undefined ? [] : [canonical]))
    assert.deepStrictEqual(
      recipients,
      accepted.map((address) => [address])
    )
  })

  it("H172, H173, H175 says what it is for, in both forms, with the link whole", async () => {
    const config = configured(Nodemailer({ server: plain.transport(), from: '"Acme, Inc." <door@example.com>' }))
    const before = plain.deliveries.length
    const person = visitor(facade(config), origin)
    const callbackUrl = `/${"long-path/".repeat(30)}?q="><b>&x=ä`
    const response = await person.submit("/auth/signin/nodemailer", { email: "Ann.O'Hara+x@Example.com", callbackUrl })
    assert.strictEqual(response.headers.get("location"), sent("nodemailer"))
    const delivery = plain.deliveries[before]
    const mail = delivery?.mail
    assert.strictEqual(delivery?.from, "door@example.com")
    assert.deepStrictEqual(mail?.from, { name: "Acme, Inc.", address: "door@example.com" })
    assert.strictEqual(mail?.subject, "Sign in to localhost:3000")
    const [, link = ""] = /^(http:\/\/\S+)$/m.exec(mail?.text ?? "") ?? []
    assert.match(link, /^[!-~]+$/)
    const [, href = ""] = /href="([^"]*)"/.exec(mail?.html ?? "") ?? []
    assert.strictEqual(href.replaceAll("&amp;", "&"), link)
    assert.notInclude(mail?.html ?? "", "<b>")
    const url = new URL(link)
    assert.strictEqual(url.searchParams.get("email"), "ann.o'hara+x@example.com")
    const fields = mail?.headers.map(({ key }) => key) ?? []
    assert.sameMembers(fields, ["from", "to", "subject", "message-id", "date", "mime-version", "content-type"])
    const page = await person.get(url.pathname + url.search)
    assert.strictEqual(page.status, 200)
  })

  it("speaks TLS and gives a password where the server wants them", async () => {
    const config = configured(
      Nodemailer({
        server: guarded.transport({ auth: { user: login.user, pass: login.password }, requireTLS: true }),
        from: "site@example.com"
      })
    )
    const { location } = await asking(config, "ann@example.com")
    assert.strictEqual(location, sent("nodemailer"))
    const delivery = guarded.deliveries.at(-1)
    assert.deepStrictEqual([delivery?.secure, delivery?.user], [true, login.user])
  })

  it("takes a connection address in place of options", async () => {
    const { password, user } = login
    const server = `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${guarded.port}/?tls.rejectUnauthorized=false`
    const { location } = await asking(configured(Nodemailer({ server, from: "site@example.com" })), "ann@example.com")
    assert.strictEqual(location, sent("nodemailer"))
  })

  it("keeps no connection for the next mail", async () => {
    const server = plain.transport({ pool: true, maxConnections: 3 })
    const { send } = make({ server })
    const mail = redactedMail({
      to: "a@x.com",
      from: "site@example.com",
      subject: "s",
      text: "t",
      html: "h",
      url: origin
    })
    await Effect.runPromise(Effect.all([send(mail), send(mail), send(mail)], { concurrency: 3 }))
    while (plain.open() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.strictEqual(plain.open(), 0)
  })

  const failing: ReadonlyArray<readonly [string, () => object, string, RegExp]> = [
    [
      "a wrong password",
      () => guarded.transport({ auth: { user: login.user, pass: "wrong" } }),
      "ann@example.com",
      /EAUTH, 535/
    ],
    ["no password", () => guarded.transport(), "ann@example.com", /EENVELOPE|530/],
    ["an unknown mailbox", () => plain.transport(), "nobody@example.com", /EENVELOPE, 550/],
    [
      "a server that is not there",
      () => ({ host: "127.0.0.1", port: 1 }),
      "ann@example.com",
      /ESOCKET|ECONNECTION|ECONNREFUSED/
    ],
    [
      "a certificate that nobody trusts",
      () => plain.transport({ tls: {}, requireTLS: true }),
      "ann@example.com",
      /ETLS|ESOCKET/
    ]
  ]
  for (const [title, server, address, said] of failing) {
    it(`H167 ${title} is EmailSignin, and the log says why without the address`, async () => {
      const errors: Array<Error> = []
      const config = configured(Nodemailer({ server: server(), from: "site@example.com" }), errors)
      const { location } = await asking(config, address)
      assert.strictEqual(location?.split("&request_id=")[0], unsent)
      const [error] = errors
      assert.instanceOf(error, EmailSignInError)
      assert.match(error.message, said)
      assert.notInclude(JSON.stringify([error.message, String(error.cause)]), address)
    })
  }

  it("H169 a server that says nothing is given up", async () => {
    const silent = await startMailServer({ silent: true })
    const { send } = make({ server: silent.transport({ greetingTimeout: 50 }) })
    const exit = await Effect.runPromiseExit(
      send(redactedMail({ to: "a@x.com", from: "site@example.com", subject: "s", text: "t", html: "h", url: origin }))
    )
    assert.isTrue(Exit.isFailure(exit))
    await silent.close()
  })
})

describe("other transports of Nodemailer", () => {
  const mail = redactedMail({
    to: "a@x.com",
    from: "Site <site@example.com>",
    subject: "s",
    text: "t",
    html: "h",
    url: origin
  })

  it("send without a server, and made beforehand", async () => {
    await Effect.runPromise(make({ server: { jsonTransport: true } }).send(mail))
    const sent: Array<unknown> = []
    const transport = {
      name: "of a test",
      version: "1",
      send: (message: { readonly data: { readonly to?: unknown } }, done: (error: null, info: object) => void) => {
        sent.push(message.data.to)
        done(null, {})
      }
    }
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* (yield* Mailer).send(mail)
      }).pipe(Effect.provide(layer({ server: transport })))
    )
    assert.deepStrictEqual(sent, [{ name: "", address: "a@x.com" }])
  })

  it("fail when they took the mail for another recipient, or for none", async () => {
    for (const info of [
      { accepted: ["b@x.com"] },
      { accepted: ["a@x.com", "b@x.com"] },
      { accepted: [] },
      { rejected: ["a@x.com"] },
      { pending: ["a@x.com"] }
    ]) {
      const transport = {
        name: "of a test",
        version: "1",
        send: (_message: object, done: (error: null, info: object) => void) => done(null, info)
      }
      const failure = await Effect.runPromise(Effect.flip(make({ server: transport }).send(mail)))
      assert.strictEqual(failure.message, "The mail server did not accept the recipient", JSON.stringify(info))
    }
  })

  it("fail when their options are none", async () => {
    const failure = await Effect.runPromise(Effect.flip(make({ server: Redacted.make("smtp://[") }).send(mail)))
    assert.instanceOf(failure, EmailSignInError)
  })
})

describe("Auth.js providers that send by Nodemailer", () => {
  const credentials = () => guarded.transport({ auth: { user: login.user, pass: login.password } })
  for (const [id, provider] of [
    ["nodemailer", PeerNodemailer],
    ["email", PeerEmail]
  ] as const) {
    it(`${id} sends as it is, and its link signs in`, async () => {
      const config = configured(provider({ server: credentials(), from: "Site <site@example.com>" }))
      const before = guarded.deliveries.length
      const { location, person } = await asking(config, "Ann@Example.com", id)
      assert.strictEqual(location, sent(id))
      const delivery = guarded.deliveries[before]
      assert.deepStrictEqual(delivery?.recipients, ["ann@example.com"])
      const [, link = ""] = /(http:\/\/\S+)/.exec(delivery?.mail.text ?? "") ?? []
      const url = new URL(link)
      await person.get(url.pathname + url.search)
      const done = await person.submit(url.pathname + url.search)
      assert.strictEqual(done.status, 303)
      assert.strictEqual((await person.session())?.user?.["email"], "ann@example.com")
    })

    it(`${id} that fails is EmailSignin`, async () => {
      const errors: Array<Error> = []
      const config = configured(provider({ server: credentials(), from: "site@example.com" }), errors)
      const { location } = await asking(config, "nobody@example.com", id)
      assert.strictEqual(location?.split("&request_id=")[0], unsent)
      assert.include(String(errors[0]?.cause), "550")
    })
  }
})

describe("the provider for a mailer of the configuration", () => {
  it("takes its sender from the mailer, else from the site", async () => {
    for (const [from, address] of [
      ["Mailer <mailer@example.com>", "mailer@example.com"],
      [undefined, "no-reply@localhost"]
    ] as const) {
      const config = { ...configured(Email()), mailer: make({ server: plain.transport(), from }) }
      const { location } = await asking(config, "ann@example.com", "email")
      assert.strictEqual(location, sent("email"))
      assert.strictEqual(plain.deliveries.at(-1)?.from, address)
    }
  })
})
