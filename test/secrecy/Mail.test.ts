/**
 * Plays sign-ins by email with every way of sending, and with failures that hold the whole mail, and looks for what must
 * stay secret in all that leaves but the mail.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Options } from "../../src/config/Settings.ts"
import { EmailSignInError } from "../../src/Errors.ts"
import type { Done } from "../../src/internal/Answer.ts"
import { plainMail } from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { Resend } from "../../src/Provider/Resend.ts"
import type { Browser } from "../Browser.ts"
import { type MailServer, startMailServer } from "../real/MailServer.ts"
import { canary, look } from "./Look.ts"
import { askForLink, followLink, makeSite, type Played, type Site, submit } from "./StorageFlows.ts"
import { of, talkativeStore } from "./TalkativeStore.ts"

const key = "canary-api-key-4711"
const wrong = "canary-token-4711-of-nobody"
const login = { user: "doorman", password: "canary mail password 4711" }

let refusing: MailServer
let closed: MailServer

beforeAll(async () => {
  refusing = await startMailServer({ unknown: [canary.email] })
  closed = await startMailServer({ login })
})

afterAll(async () => {
  await refusing.close()
  await closed.close()
})

/** An error of somebody who tells everything. */
const talkative = (mail: object): Error => {
  const text = JSON.stringify(mail)
  return Object.assign(new Error(`could not send ${text} ${Object.values(mail).map(String).join(" ")}`), {
    mail,
    config: { data: text },
    cause: Object.assign(new Error(`550 no mailbox ${text}`), { mail, response: text })
  })
}

interface MailFlow {
  readonly title: string
  readonly options?: () => Partial<Options>
  readonly before?: (site: Site) => void
  readonly play?: (site: Site, person: Browser) => Played<unknown>
  readonly lines: number
  /** Is the mail taken? */
  readonly sent?: boolean
}

const links = new Set<string>()

/** Keeps the link of a mail that goes wrong. */
const kept = <A extends { readonly url: string }>(mail: A): A => {
  links.add(new URL(mail.url).searchParams.get("token") ?? "")
  return mail
}

const mailer = (
  fail: (mail: ReturnType<typeof plainMail>) => Effect.Effect<void, EmailSignInError>
): Partial<Options> => ({ mailer: { send: (mail) => Effect.suspend(() => fail(kept(plainMail(mail)))) } })

const byApplication = (send: (params: { readonly url: string }) => Done): Partial<Options> => ({
  providers: [Email({ sendVerificationRequest: (params: { readonly url: string }) => send(kept(params)) })]
})

const flows: ReadonlyArray<MailFlow> = [
  {
    title: "a mail that is taken",
    sent: true,
    lines: 1,
    play: Effect.fnUntraced(function* (site, person) {
      yield* askForLink(person)
      yield* followLink(site, person)
      yield* followLink(site, person)
    })
  },
  {
    title: "a mailer that fails with the mail in its words",
    lines: 1,
    options: () =>
      mailer((mail) => Effect.fail(new EmailSignInError({ detail: JSON.stringify(mail), cause: talkative(mail) })))
  },
  {
    title: "a mailer that names the provider itself",
    lines: 1,
    options: () =>
      mailer((mail) => Effect.fail(new EmailSignInError({ provider: "email", detail: mail.text, cause: mail })))
  },
  {
    title: "a mailer that fails with anything",
    lines: 1,
    options: () => mailer((mail) => Effect.fail(talkative(mail) as unknown as EmailSignInError))
  },
  { title: "a mailer that dies", lines: 1, options: () => mailer((mail) => Effect.die(talkative(mail))) },
  {
    title: "a mailer that throws",
    lines: 1,
    options: () =>
      mailer((mail) => {
        throw talkative(mail)
      })
  },
  {
    title: "a function of the application that rejects",
    lines: 1,
    options: () => byApplication((params) => Promise.reject(talkative(params)))
  },
  {
    title: "a function of the application that throws text",
    lines: 1,
    options: () =>
      byApplication((params) => {
        // oxlint-disable-next-line typescript/only-throw-error
        throw `${params.url} ${JSON.stringify(params)}`
      })
  },
  {
    title: "a mail service that refuses",
    lines: 1,
    options: () => ({ providers: [Resend({ id: "email", apiKey: key, from: "site@example.com" })] }),
    before: ({ world }) => {
      world.provider.script["/emails"] = ({ body, headers }) => {
        links.add(/token=([0-9a-f]+)/.exec(body)?.[1] ?? "")
        return Response.json({ message: body, key: headers.get("authorization") }, { status: 422, statusText: key })
      }
    }
  },
  {
    title: "a mail service that cannot be reached, with an error that holds the request",
    lines: 1,
    options: () => ({ providers: [Resend({ id: "email", apiKey: key, from: "site@example.com" })] }),
    before: ({ world }) => {
      world.provider.script["/emails"] = (received) => {
        links.add(/token=([0-9a-f]+)/.exec(received.body)?.[1] ?? "")
        throw talkative({ ...received, key: received.headers.get("authorization") })
      }
    }
  },
  {
    title: "a mail server that knows no such mailbox",
    lines: 1,
    options: () => ({
      providers: [Nodemailer({ id: "email", server: refusing.transport(), from: "site@example.com" })]
    })
  },
  {
    title: "a mail server that wants another password",
    lines: 1,
    options: () => ({
      providers: [
        Nodemailer({
          id: "email",
          server: closed.transport({ auth: { user: login.user, pass: `${login.password} x` } }),
          from: "site@example.com"
        })
      ]
    })
  },
  {
    title: "an address that is none",
    lines: 1,
    play: (_, person) => submit(person, "/auth/signin/email", { email: `${canary.email}, ${canary.text}` })
  },
  {
    title: "a rule of the application for addresses that throws",
    lines: 1,
    options: () => ({
      providers: [
        Email({
          normalizeIdentifier: () => {
            throw new Error("the rule is broken")
          }
        })
      ]
    })
  },
  { title: "a callback that refuses", lines: 1, options: () => ({ callbacks: { signIn: () => false } }) },
  {
    title: "a link that is wrong",
    lines: 4,
    play: Effect.fnUntraced(function* (_, person) {
      links.add(wrong)
      const link = `/auth/callback/email?token=${wrong}&email=${encodeURIComponent(canary.email)}`
      yield* person.get(link)
      yield* submit(person, "/auth/callback/email", { token: wrong, email: canary.email })
      yield* person.send("POST", link)
      yield* person.get(`${link}&token=${canary.text}`)
      yield* person.get(`/auth/callback/email?token=${wrong}`)
    })
  },
  {
    title: "more mails than a mailbox may have",
    sent: true,
    lines: 0,
    play: (_, person) => Effect.forEach(Array.from({ length: 8 }), () => askForLink(person))
  }
]

describe("what a mail says", () => {
  for (const { before, lines, options, play, sent, title } of flows) {
    it.effect(`H277, H280, H285 stays in the mail, in ${title}`, () => {
      links.clear()
      const store = talkativeStore("rejects")
      const site = makeSite(store, options?.() ?? {})
      const { world } = site
      before?.(site)
      const person = world.person()
      return Effect.gen(function* () {
        yield* play?.(site, person) ?? askForLink(person)
        const mails = yield* site.mails
        assert.strictEqual(mails.length > 0, sent === true)
        for (const mail of mails) kept(mail)
        look(world, {
          lines,
          links: [...links].filter((link) => link !== ""),
          secrets: [key, login.password, ...of(store, "sessionToken", "token")],
          personal: [encodeURIComponent(canary.email)]
        })
      }).pipe(Effect.provide(world.layer))
    })
  }
})
