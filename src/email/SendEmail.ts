/**
 * Sends the mail of an email provider: by its own function, its preset's service, or the mailer of the configuration.
 * At most thirty seconds are waited for, and nothing of what the mail says is kept of a failure.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { EmailSignInError, isAuthError } from "../Errors.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { keptOf, secretsIn, withoutValues } from "../internal/SanitizedError.ts"
import { NetworkFailure } from "../internal/NetworkFailure.ts"
import type { Mailer } from "../Mailer.ts"
import type { EmailProvider } from "../Provider/internal/Provider.ts"
import { developmentMailer, isDeveloped } from "./DevelopmentMailbox.ts"
import type { LinkMail } from "./LinkMail.ts"
import { make as makeService } from "../mail/MailService.ts"
import { signInMail } from "./SignInMail.ts"
import { ofServer } from "../mail/SmtpServer.ts"

/** The way that a provider's preset names, else the configuration's, else that of a site which is being developed. */
const wayOf = (
  mail: LinkMail,
  mailer: Mailer["Service"] | undefined,
  client: HttpClient.HttpClient | undefined
): Mailer["Service"] | undefined => {
  const { transport } = mail.provider
  if (transport === undefined) return mailer ?? inDevelopment(mail)
  return transport._tag === "Smtp"
    ? ofServer(transport.nodemailer, transport.server)
    : makeService(client ?? platformClient(), transport)
}

const inDevelopment = (mail: LinkMail): Mailer["Service"] | undefined =>
  isDeveloped(new URL(mail.url)) ? developmentMailer(baseOf(mail)) : undefined

/** The client of an ordinary server, which brings none. */
const platformClient = (): HttpClient.HttpClient =>
  Context.get(Effect.runSync(Layer.buildWithScope(FetchHttpClient.layer, Scope.makeUnsafe())), HttpClient.HttpClient)

/** Sends a link. @internal */
export const send = (
  mailer: Mailer["Service"] | undefined,
  client: HttpClient.HttpClient | undefined,
  mail: LinkMail
): Effect.Effect<void, EmailSignInError> => {
  const { provider } = mail
  return Effect.suspend(() => {
    if (provider.sendVerificationRequest !== undefined) return byApplication(mail, provider.sendVerificationRequest)
    const way = wayOf(mail, mailer, client)
    return way === undefined
      ? Effect.fail(
          failure(provider, "There is no way to send mail: give the provider a server, or the configuration a mailer")
        )
      : Effect.mapError(way.send(compose(mail, way.from)), (failed) => withCause(mail, failed))
  }).pipe(
    Effect.catchDefect((cause) => Effect.fail(failure(provider, "The mailer failed", keptOf(cause, [mail])))),
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () => Effect.fail(failure(provider, "The mail was not taken within 30 seconds"))
    })
  )
}

const failure = (provider: EmailProvider, detail: string, cause?: unknown): EmailSignInError =>
  new EmailSignInError({
    provider: provider.id,
    detail,
    retryable: true,
    ...(cause === undefined ? {} : { cause })
  })

/** The failure of a mailer, with the provider that it does not know, and without what the mail says. */
const withCause = (mail: LinkMail, failed: unknown): EmailSignInError =>
  isAuthError(failed) && failed._tag === "EmailSignInError"
    ? failure(
        mail.provider,
        withoutValues(failed.message, [mail]),
        failed.cause === undefined || failed.cause instanceof NetworkFailure
          ? failed.cause
          : keptOf(failed.cause, [mail])
      )
    : failure(mail.provider, "The mailer failed", keptOf(failed, [mail]))

const compose = ({ identifier, provider, theme, url }: LinkMail, from: string | undefined) =>
  signInMail({
    identifier,
    from: provider.from ?? from ?? `no-reply@${senderHost(url)}`,
    url,
    maxAge: provider.maxAge,
    theme
  })

/** A name that can stand in an address. */
const senderHost = (url: string): string => {
  const { hostname } = new URL(url)
  return /^[a-z0-9.-]+$/.test(hostname) ? hostname : "localhost"
}

/** A function of the application or of an Auth.js provider: it gets what Auth.js gives it. */
const byApplication = (
  mail: LinkMail,
  send: NonNullable<EmailProvider["sendVerificationRequest"]>
): Effect.Effect<void, EmailSignInError> => {
  const { expires, identifier, provider, request, theme, token, url } = mail
  return fromAnswer("sendVerificationRequest", () =>
    send({
      identifier,
      url,
      expires,
      token,
      provider: { ...provider.source, id: provider.id, name: provider.name, ...addresses(mail) },
      theme: { logo: "", brandColor: "", buttonText: "", ...theme },
      request
    })
  ).pipe(
    Effect.mapError((cause) =>
      failure(provider, "sendVerificationRequest failed", keptOf(cause, [mail, ...secretsIn(provider.source)]))
    ),
    Effect.asVoid
  )
}

/** Where the sign-in of this provider starts and ends, as its functions know it. */
const addresses = (mail: LinkMail) => {
  const { provider, url } = mail
  const { origin, pathname } = new URL(url)
  return { signinUrl: `${baseOf(mail)}/signin/${provider.id}`, callbackUrl: `${origin}${pathname}` }
}

/** The address of the endpoints. */
const baseOf = ({ provider, url }: LinkMail): string => {
  const { origin, pathname } = new URL(url)
  const end = `/callback/${provider.id}`
  return `${origin}${pathname.endsWith(end) ? pathname.slice(0, -end.length) : ""}`
}
