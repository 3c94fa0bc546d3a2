/**
 * Hands mails to an SMTP server with Nodemailer, which the caller loads.
 *
 * Every mail is a connection of its own: nothing of one mail is left for the next. Addresses are handed over as objects and
 * in the envelope, so that no parser of free text decides who gets a mail. It is a failure when the server accepts the mail
 * for another recipient, or for none.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { EmailSignInError } from "../Errors.ts"
import { hostOf, networkFailure } from "../internal/NetworkFailure.ts"
import { memberOf, ownMember } from "../internal/OwnProperty.ts"
import { Mailer } from "../Mailer.ts"

/** Milliseconds for each step of the conversation. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

/** Options that the configuration may not change: one connection for one mail, and nothing read from files or addresses. */
const fixedOptions = { pool: false, disableFileAccess: true, disableUrlAccess: true }

const transportOptions = (server: string | object): object => {
  if (typeof server === "string") return { ...patience, url: server, ...fixedOptions }
  // A transport that is made already, such as one of a test, is an object with functions.
  return "send" in server && typeof memberOf(server, "send") === "function"
    ? server
    : { ...patience, ...server, ...fixedOptions }
}

const packageOf = (load: () => Promise<unknown>): Effect.Effect<typeof import("nodemailer"), EmailSignInError> =>
  Effect.tryPromise({ try: load, catch: () => missing }).pipe(Effect.filterOrFail(isNodemailer, () => missing))

const missing = new EmailSignInError({
  detail: "SMTP needs the package nodemailer, which is not installed: npm install nodemailer"
})

/** Code cannot inspect the types of a package; the library assumes those of the package with this function. */
const isNodemailer = (loaded: unknown): loaded is typeof import("nodemailer") =>
  typeof loaded === "object" &&
  loaded !== null &&
  "createTransport" in loaded &&
  typeof loaded.createTransport === "function"

/** A mailer of a server whose secrets are strings; `load` brings the package. @internal */
export const ofServer = (load: () => Promise<unknown>, server: string | object, from?: string): Mailer["Service"] =>
  Mailer.of({
    from,
    package: "nodemailer",
    send: (mail) =>
      Effect.flatMap(packageOf(load), ({ createTransport }) =>
        Effect.acquireUseRelease(
          Effect.try({
            try: () => createTransport(transportOptions(server)),
            catch: (cause) => toFailure("The server option cannot be used", cause)
          }),
          (transport) =>
            Effect.flatMap(
              Effect.tryPromise({
                try: () =>
                  transport.sendMail({
                    envelope: { from: senderOf(mail.from).address, to: [mail.to] },
                    from: senderOf(mail.from),
                    to: { name: "", address: mail.to },
                    subject: mail.subject,
                    text: Redacted.value(mail.text),
                    html: Redacted.value(mail.html)
                  }),
                catch: (cause) => toFailure("The mail server did not take the mail", cause, hostOfServer(server))
              }),
              (sent) =>
                isTaken(sent, mail.to)
                  ? Effect.void
                  : Effect.fail(toFailure("The mail server did not accept the recipient"))
            ),
          (transport) => Effect.sync(() => transport.close())
        )
      )
  })

/**
 * The package's code of an error: `EAUTH`, `ECONNECTION`, and the server's status. Its message holds addresses.
 * Without a status of the server, the connection is the reason.
 */
const toFailure = (what: string, cause?: unknown, host?: string): EmailSignInError => {
  const code = member(cause, "code")
  const status = member(cause, "responseCode")
  const said = [code, status].filter((one) => /^(?:[A-Z]{2,20}|\d{3})$/.test(one))
  const isUnreachable = cause !== undefined && status === "" && !byServer.has(code)
  return new EmailSignInError({
    detail: said.length === 0 ? what : `${what} (${said.join(", ")})`,
    retryable: true,
    ...(isUnreachable ? { cause: networkFailure(cause, host) } : {})
  })
}

/** Codes of the package for failures that do not concern the connection. */
const byServer: ReadonlySet<string> = new Set(["EAUTH", "EENVELOPE", "EMESSAGE", "EOAUTH2", "ESTREAM"])

/** The host and port that mails are handed to, as the option names them. */
const hostOfServer = (server: string | object): string | undefined => {
  if (typeof server === "string") return hostOf(server)
  const host = ownMember(server, "host")
  const port = ownMember(server, "port")
  if (typeof host !== "string") return undefined
  return typeof port === "number" || typeof port === "string" ? `${host}:${port}` : host
}

const member = (value: unknown, name: string): string =>
  typeof value === "object" && value !== null && name in value ? String(Reflect.get(value, name)) : ""

/** `Name <address>` taken apart; an address alone has no name. */
const senderOf = (from: string): { readonly name: string; readonly address: string } => {
  const [, name, address] = /^([^<>]*)<([^<>]*)>$/.exec(from.trim()) ?? []
  return address === undefined
    ? { name: "", address: from.trim() }
    : { name: (name ?? "").trim().replace(/^"(.*)"$/, "$1"), address: address.trim() }
}

/** Did the server accept this recipient only, with none rejected or pending? Some transports do not say. */
const isTaken = (sent: unknown, to: string): boolean => {
  const recipients = listOf(sent, "accepted")
  return (
    (recipients === undefined || (recipients.length === 1 && recipients[0] === to)) &&
    (listOf(sent, "rejected")?.length ?? 0) === 0 &&
    (listOf(sent, "pending")?.length ?? 0) === 0
  )
}

const listOf = (value: unknown, name: string): ReadonlyArray<unknown> | undefined => {
  const list = typeof value === "object" && value !== null ? ownMember(value, name) : undefined
  return Array.isArray(list) ? list : undefined
}
