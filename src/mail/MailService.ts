/**
 * Sends mail by a service of the web: one HTTP request for one mail.
 *
 * Requests have ten seconds, follow no redirect, and leave no trace of the key or of the mail in spans and failures. An
 * answer counts by its status alone.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { EmailSignInError } from "../Errors.ts"
import { hostOf, NetworkFailure, networkFailure } from "../internal/NetworkFailure.ts"
import { quiet } from "../internal/UntracedClient.ts"
import type { MailerOfBoth } from "../models/PlainMailer.ts"
import { type Mail, Mailer, ofBoth, plainMail } from "../Mailer.ts"
import type { MailServiceName, MailTransport } from "../Provider/internal/Provider.ts"

/**
 * A service and the key for it.
 *
 * @category models
 * @since 0.1.0
 */
export interface MailServiceOptions extends Omit<Extract<MailTransport, { readonly _tag: "Http" }>, "_tag"> {
  /** The sender of providers that name none. */
  readonly from?: string | undefined
}

/** Time for one request, its answer included. */
const deadline = "10 seconds"

/**
 * Makes a mailer of a service.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (client: HttpClient.HttpClient, options: MailServiceOptions): Mailer["Service"] & MailerOfBoth =>
  ofBoth({
    from: options.from,
    send: (mail: Mail) =>
      Effect.suspend(() => {
        const request = requests[options.service](plainMail(mail), options)
        const host = hostOf(request.url)
        return client.execute(request).pipe(
          Effect.mapError((cause) =>
            toFailure("The mail service could not be reached", { cause: networkFailure(cause, host) })
          ),
          Effect.flatMap(({ status }) =>
            status >= 200 && status < 300
              ? Effect.void
              : Effect.fail(
                  toFailure(`The mail service answered with status ${status} (${host})`, {
                    retryable: status >= 500 || status === 429
                  })
                )
          ),
          Effect.timeoutOrElse({
            duration: deadline,
            orElse: () =>
              Effect.fail(
                toFailure("The mail service did not answer within ten seconds", {
                  cause: new NetworkFailure("ETIMEDOUT", host)
                })
              )
          })
        )
      }).pipe(Effect.updateContext(quiet))
  })

/**
 * A mailer of a service, as a layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: MailServiceOptions): Layer.Layer<Mailer, never, HttpClient.HttpClient> =>
  Layer.effect(
    Mailer,
    Effect.map(HttpClient.HttpClient, (client) => make(client, options))
  )

const toFailure = (
  detail: string,
  more: { readonly retryable?: boolean; readonly cause?: NetworkFailure } = {}
): EmailSignInError => new EmailSignInError({ detail, retryable: true, ...more })

type Request = HttpClientRequest.HttpClientRequest

const json = (url: string, headers: Readonly<Record<string, string>>, body: object): Request =>
  HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(url, { headers }), body)

const bearer = (key: Redacted.Redacted) => ({ authorization: `Bearer ${Redacted.value(key)}` })

const basic = (user: string, password: string) => ({ authorization: `Basic ${btoa(`${user}:${password}`)}` })

/** The address of a sender that may have a display name. */
const addressOf = (from: string): string => /<([^<>]*)>$/.exec(from.trim())?.[1]?.trim() ?? from.trim()

const nameOf = (from: string): string | undefined => /^\s*"?([^<>"]*?)"?\s*</.exec(from)?.[1]

const requests: {
  readonly [Name in MailServiceName]: (mail: ReturnType<typeof plainMail>, options: MailServiceOptions) => Request
} = {
  // https://resend.com/docs/api-reference/emails/send-email
  resend: ({ from, html, subject, text, to }, { apiKey }) =>
    json("https://api.resend.com/emails", bearer(apiKey), { from, to, subject, html, text }),

  // https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
  sendgrid: ({ from, html, subject, text, to }, { apiKey }) => {
    const name = nameOf(from)
    return json("https://api.sendgrid.com/v3/mail/send", bearer(apiKey), {
      personalizations: [{ to: [{ email: to }] }],
      from: name === undefined || name === "" ? { email: addressOf(from) } : { email: addressOf(from), name },
      subject,
      content: [
        { type: "text/plain", value: text },
        { type: "text/html", value: html }
      ]
    })
  },

  // https://postmarkapp.com/developer/api/email-api
  postmark: ({ from, html, subject, text, to }, { apiKey }) =>
    json(
      "https://api.postmarkapp.com/email",
      { accept: "application/json", "x-postmark-server-token": Redacted.value(apiKey) },
      { From: from, To: to, Subject: subject, TextBody: text, HtmlBody: html, MessageStream: "outbound" }
    ),

  // https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
  mailgun: ({ from, html, subject, text, to }, { apiKey, name, region }) => {
    const address = addressOf(from)
    const form = new FormData()
    form.set("from", address === from.trim() && name !== undefined ? `${displayName(name)} <${address}>` : from)
    form.set("to", to)
    form.set("subject", subject)
    form.set("html", html)
    form.set("text", text)
    const host = region === "eu" ? "api.eu.mailgun.net" : "api.mailgun.net"
    const domain = encodeURIComponent(address.slice(address.indexOf("@") + 1))
    return HttpClientRequest.bodyFormData(
      HttpClientRequest.post(`https://${host}/v3/${domain}/messages`, {
        headers: basic("api", Redacted.value(apiKey))
      }),
      form
    )
  },

  // https://forwardemail.net/en/email-api#create-outbound-email
  forwardemail: ({ from, html, subject, text, to }, { apiKey }) =>
    json("https://api.forwardemail.net/v1/emails", basic(Redacted.value(apiKey), ""), {
      from,
      to,
      subject,
      html,
      text
    }),

  // https://loops.so/docs/api-reference/send-transactional-email
  loops: ({ to, url }, { apiKey, transactionalId }) =>
    json("https://app.loops.so/api/v1/transactional", bearer(apiKey), {
      transactionalId,
      email: to,
      dataVariables: { url }
    })
}

/** The name of a provider without what ends a display name. */
const displayName = (name: string): string => name.replaceAll(/[^\p{L}\p{N} .'_-]/gu, "").trim()
