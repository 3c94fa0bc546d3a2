/**
 * Email providers: the presets, what Auth.js factories return, and what is wrong with either.
 */
import PeerForwardEmail from "@auth/core/providers/forwardemail"
import PeerLoops from "@auth/core/providers/loops"
import PeerMailgun from "@auth/core/providers/mailgun"
import PeerNodemailer from "@auth/core/providers/nodemailer"
import PeerPostmark from "@auth/core/providers/postmark"
import PeerResend from "@auth/core/providers/resend"
import PeerSendGrid from "@auth/core/providers/sendgrid"
import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { type EnvironmentConfig, setEnvDefaults } from "../../src/config/Environment.ts"
import { Email } from "../../src/Provider/Email.ts"
import { ForwardEmail } from "../../src/Provider/ForwardEmail.ts"
import { Loops } from "../../src/Provider/Loops.ts"
import { Mailgun } from "../../src/Provider/Mailgun.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { Postmark } from "../../src/Provider/Postmark.ts"
import type { EmailProvider } from "../../src/Provider/internal/Provider.ts"
import type { EmailConfig, EmailUserConfig, ProviderInput } from "../../src/Provider/internal/ProviderOptions.ts"
import * as Registry from "../../src/Provider/internal/ReadProvider.ts"
import { Resend } from "../../src/Provider/Resend.ts"
import { SendGrid } from "../../src/Provider/SendGrid.ts"
import { failureOf, providerOf } from "./Read.ts"

const emailOf = (input: unknown): EmailProvider => {
  const provider = providerOf(input)
  if (provider._tag !== "Email") throw new Error("not an email provider")
  return provider
}

/** Every preset bare: also a proof by the compiler that they may stand so in a configuration. */
const bare: ReadonlyArray<ProviderInput> = [Nodemailer, Email, Resend, SendGrid, Postmark, Mailgun, ForwardEmail, Loops]

/** The results of Auth.js factories. */
const peers: ReadonlyArray<ProviderInput> = [
  PeerNodemailer({ server: "smtp://localhost" }),
  PeerResend({}),
  PeerSendGrid({}),
  PeerPostmark({}),
  PeerMailgun({}),
  PeerForwardEmail({}),
  PeerLoops({ apiKey: "k", transactionalId: "t" })
]

const services: ReadonlyArray<(options?: EmailUserConfig) => EmailConfig> = [
  Resend,
  SendGrid,
  Postmark,
  Mailgun,
  ForwardEmail
]

const surroundings = { hasAdapter: true, enableWebAuthn: false }
const problemOf = (input: unknown, hasMailer = false) =>
  failureOf(input, { surroundings: { ...surroundings, hasMailer } })

describe("email presets", () => {
  it("have the ids and names of Auth.js", () => {
    assert.deepStrictEqual(
      Registry.make(bare).identities.map(({ id, name, type }) => [id, name, type]),
      [
        ["nodemailer", "Nodemailer", "email"],
        ["email", "Email", "email"],
        ["resend", "Resend", "email"],
        ["sendgrid", "SendGrid", "email"],
        ["postmark", "Postmark", "email"],
        ["mailgun", "Mailgun", "email"],
        ["forwardemail", "Forward Email", "email"],
        ["loops", "Loops", "email"]
      ]
    )
    assert.deepStrictEqual(
      Registry.make(peers).identities.map(({ id, name }) => [id, name]),
      Registry.make(bare)
        .identities.filter(({ id }) => id !== "email")
        .map(({ id, name }) => [id, name])
    )
  })

  it("H160 give a link ten minutes, and wait for the button, unless they are told otherwise", () => {
    for (const preset of [Nodemailer, Email, ...services]) {
      const { consumeOn, from, maxAge, secret, sendVerificationRequest } = emailOf(preset())
      assert.deepStrictEqual(
        [maxAge, consumeOn, from, secret, sendVerificationRequest],
        [600, "post", undefined, undefined, undefined]
      )
      assert.deepInclude(emailOf(preset({ maxAge: 60, consumeOn: "get" })), { maxAge: 60, consumeOn: "get" })
    }
  })

  it("believe an object that says how long its links last", () => {
    for (const peer of peers) assert.deepInclude(emailOf(peer), { maxAge: 86_400, consumeOn: "post" })
  })

  it("take their key from the options or the environment, and hide it", () => {
    for (const preset of services) {
      const { id } = preset()
      const config: EnvironmentConfig = { providers: [preset, { ...preset({ apiKey: "own" }), id: `${id}-own` }] }
      setEnvDefaults({ [`AUTH_${id.toUpperCase()}_KEY`]: "of the environment" }, config)
      const [first, second] = (config.providers ?? []).map((provider) => emailOf(provider).transport)
      for (const [transport, key] of [
        [first, "of the environment"],
        [second, "own"]
      ] as const) {
        assert.strictEqual(transport?._tag, "Http")
        if (transport?._tag !== "Http") return
        assert.strictEqual(transport.service, id)
        assert.strictEqual(Redacted.value(transport.apiKey), key)
        assert.notInclude(JSON.stringify(transport), key)
      }
    }
  })

  it("know the region of Mailgun and the template of Loops", () => {
    for (const [region, read] of [
      ["EU", "eu"],
      ["eu", "eu"],
      ["US", "us"],
      [undefined, "us"]
    ] as const) {
      assert.deepInclude(emailOf(Mailgun({ apiKey: "k", region })).transport, { service: "mailgun", region: read })
    }
    assert.deepInclude(emailOf(Loops({ apiKey: "k", transactionalId: "t" })).transport, { transactionalId: "t" })
  })

  it("send over SMTP to a server that is an address or options", () => {
    for (const server of ["smtp://localhost", { host: "localhost" }]) {
      assert.deepInclude(emailOf(Nodemailer({ server })).transport, { _tag: "Smtp", server })
    }
  })
})

describe("what is wrong with an email provider", () => {
  const lacks: ReadonlyArray<readonly [unknown, RegExp]> = [
    [Nodemailer(), /lacks a server/],
    [Email({ server: "" }), /lacks a server/],
    [Resend(), /lacks an apiKey \(or AUTH_RESEND_KEY\)/],
    [Resend({ id: "my-mail" }), /AUTH_MY_MAIL_KEY/],
    [Mailgun({ apiKey: "" }), /AUTH_MAILGUN_KEY/],
    [Loops({ apiKey: "k" }), /lacks a transactionalId/],
    [{ id: "own", name: "Own", type: "email" }, /cannot send mail/]
  ]
  it("is what it lacks to send, unless the configuration has a mailer", () => {
    for (const [input, said] of lacks) {
      const [tag, detail] = problemOf(input) ?? []
      assert.strictEqual(tag, "InvalidConfiguration")
      assert.match(detail ?? "", said)
      assert.isUndefined(problemOf(input, true), String(detail))
    }
    for (const peer of peers) assert.isUndefined(problemOf(peer))
  })

  it("is a sender that is no address", () => {
    for (const from of ["x", "a@x.com, b@x.com", "Name <x>", "a\r\nBcc: b@x.com", "Name\n <a@x.com>", ""]) {
      assert.strictEqual(problemOf(Resend({ apiKey: "k", from }))?.[0], "InvalidConfiguration", from)
    }
    for (const from of ["a@x.com", "Name <a@x.com>", '"Acme, Inc." <A@X.com>', "dev@localhost"]) {
      assert.isUndefined(problemOf(Resend({ apiKey: "k", from })), from)
    }
  })

  it("is a member of the wrong kind", () => {
    for (const members of [
      { maxAge: 0 },
      { maxAge: -1 },
      { maxAge: Number.NaN },
      { maxAge: "600" },
      { consumeOn: "head" },
      { from: 1 },
      { apiKey: 1 },
      { secret: "" },
      { normalizeIdentifier: "x" },
      { generateVerificationToken: {} },
      { sendVerificationRequest: true }
    ]) {
      const [tag, detail] = problemOf({ id: "own", name: "Own", type: "email", transport: "resend", ...members }) ?? []
      assert.strictEqual(tag, "InvalidConfiguration", JSON.stringify(members))
      assert.include(detail, Object.keys(members)[0])
    }
  })

  it("is that there is no adapter", () => {
    const failure = failureOf(Email(), { surroundings: { ...surroundings, hasAdapter: false, hasMailer: true } })
    assert.strictEqual(failure?.[0], "MissingAdapter")
  })
})
