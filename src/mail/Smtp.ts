/**
 * Sends mail over SMTP with Nodemailer, an optional peer dependency that is loaded with the first mail.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { reveal } from "../internal/Reveal.ts"
import type { MailerOfBoth } from "../models/PlainMailer.ts"
import { Mailer, ofBoth } from "../Mailer.ts"
import { isPlainObject } from "../internal/Merge.ts"
import { revealMembers } from "../Provider/internal/PlainMembers.ts"
import { ofServer } from "./SmtpServer.ts"

/**
 * Where mails go.
 *
 * @category models
 * @since 0.1.0
 */
export interface SmtpOptions {
  /**
   * A connection URL such as `smtps://user:password@mail.example.com`, as a string or redacted, or the options of a Nodemailer
   * SMTP transport, whose password may be redacted.
   */
  readonly server: string | Redacted.Redacted | object
  /** The sender of providers that name none. */
  readonly from?: string | undefined
}

/**
 * Makes a mailer of an SMTP server.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ from, server }: SmtpOptions): Mailer["Service"] & MailerOfBoth =>
  ofBoth(ofServer(() => import("nodemailer"), plainServer(server), from))

const plainServer = (server: SmtpOptions["server"]): string | object => {
  const plain = reveal<string | object>(server)
  return isPlainObject(plain) ? revealMembers(plain) : plain
}

/**
 * A mailer of an SMTP server, as a layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: SmtpOptions): Layer.Layer<Mailer> => Layer.sync(Mailer, () => make(options))
