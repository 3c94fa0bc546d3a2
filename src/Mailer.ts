/**
 * Sends mail: one method, so that any way of sending is a layer of a few lines.
 *
 * The layers for SMTP and for the services of the web are in `effect-doorman/mail/Smtp` and `effect-doorman/mail/MailService`;
 * `capture` keeps mails in memory for tests and demonstrations. What a mail says is made by `email/SignInMail.ts`.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { MailerOfBoth, PlainMail } from "./models/PlainMailer.ts"
import type { EmailSignInError } from "./Errors.ts"

export { parse as parseAddress } from "./models/EmailAddress.ts"
export type { EmailAddressFault } from "./models/EmailAddress.ts"
export type { MailerOfBoth, PlainMail, PlainMailer } from "./models/PlainMailer.ts"

/**
 * A mail to one person, as plain text and as HTML. What holds the link is redacted: who has it can sign in.
 *
 * @category models
 * @since 0.1.0
 */
export interface Mail {
  /** One address in the form of `EmailAddress`: nothing else ever reaches a mailer. */
  readonly to: string
  /** The sender as the configuration says it, such as `Example <no-reply@example.com>`. */
  readonly from: string
  readonly subject: string
  readonly text: Redacted.Redacted
  readonly html: Redacted.Redacted
  /** The link that text and HTML hold, for services that fill in a template of their own. */
  readonly url: Redacted.Redacted
}

/**
 * Sends mail.
 *
 * @category services
 * @since 0.1.0
 */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Hands a mail over. Fails when no server accepted it. */
    readonly send: (mail: Mail) => Effect.Effect<void, EmailSignInError>
    /** The sender of providers that name none. */
    readonly from?: string | undefined
    /** The optional package that `send` loads: without it the mailer is a problem of the configuration. */
    readonly package?: "nodemailer" | undefined
  }
>()("effect-doorman/Mailer") {}

/**
 * A mail that was kept instead of sent, as a mailbox shows it, with the time in milliseconds since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export interface CapturedMail extends PlainMail {
  readonly sentAt: number
}

/** A mail with its texts, for the moment in which it is sent. @internal */
export const plainMail = (mail: Mail): PlainMail => ({
  ...mail,
  text: Redacted.value(mail.text),
  html: Redacted.value(mail.html),
  url: Redacted.value(mail.url)
})

/** The members of a mail that hold the link. */
const hidden = (text: string): Redacted.Redacted => Redacted.make(text, { label: "link" })

/** A mail whose texts no log shows. @internal */
export const redactedMail = (mail: PlainMail): Mail => ({
  ...mail,
  text: hidden(mail.text),
  html: hidden(mail.html),
  url: hidden(mail.url)
})

/**
 * A mailer for layers and for `createAuth`: `sendPlain` runs its Effect where it was made, in the copy of Effect of the
 * application.
 *
 * @internal
 */
export const ofBoth = <Sends extends Mailer["Service"]>(mailer: Sends): Sends & MailerOfBoth => ({
  ...mailer,
  sendPlain: (mail) => Effect.runPromise(mailer.send(redactedMail(mail)))
})

/**
 * The mails that a capturing mailer kept.
 *
 * @category services
 * @since 0.1.0
 */
export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** The sent mails, oldest first. */
    readonly mails: Effect.Effect<ReadonlyArray<CapturedMail>>
    readonly clear: Effect.Effect<void>
  }
>()("effect-doorman/Mailer/Mailbox") {}

/**
 * A mailer that keeps the last mails (100 unless `capacity` says otherwise) in place of sending them, and where to read
 * them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const capture = (capacity = 100): Mailer["Service"] & Mailbox["Service"] & MailerOfBoth => {
  const mails: Array<CapturedMail> = []
  return ofBoth({
    send: (mail: Mail) =>
      Effect.map(Clock.currentTimeMillis, (sentAt) => {
        mails.push({ ...plainMail(mail), sentAt })
        if (mails.length > capacity) mails.shift()
      }),
    mails: Effect.sync(() => [...mails]),
    clear: Effect.sync(() => void mails.splice(0))
  })
}

/**
 * As {@link capture}, as a layer of the mailer and of its mailbox.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerCapture = (capacity?: number): Layer.Layer<Mailer | Mailbox> =>
  Layer.effectContext(
    Effect.sync(() => {
      const both = capture(capacity)
      return Context.make(Mailer, Mailer.of(both)).pipe(Context.add(Mailbox, Mailbox.of(both)))
    })
  )
