/**
 * Reads the members of email providers, those of Auth.js and our own presets alike.
 *
 * A preset says by its member `transport` how its mails are sent. An Auth.js provider sends them itself, with
 * `sendVerificationRequest`; so may any object of the application.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as EmailAddress from "../../models/EmailAddress.ts"
import { InvalidConfiguration } from "../../Errors.ts"
import { loadPackage } from "../../internal/LoadPackage.ts"
import { withoutPrototype } from "../../internal/OwnProperty.ts"
import { variablePrefix } from "../../internal/ProviderVariables.ts"
import { isLine, longest } from "../../internal/Text.ts"
import { unseen } from "../../internal/RedactedView.ts"
import { nameProvider, type Definition } from "./Definition.ts"
import type { Members } from "../../internal/Merge.ts"
import { functionOf, maybe } from "./MemberSchemas.ts"
import type { EmailProvider, MailServiceName, MailTransport } from "./Provider.ts"

/** Default lifetime of a link, in seconds (OWASP ASVS 6.5.5). */
const tenMinutes = 600

const text = maybe(Schema.String)

const EmailMembers = Schema.Struct({
  from: text,
  maxAge: maybe(Schema.Number.check(Schema.isFinite(), Schema.isGreaterThan(0))),
  secret: text,
  consumeOn: maybe(Schema.Literals(["get", "post"])),
  normalizeIdentifier: functionOf<NonNullable<EmailProvider["normalizeIdentifier"]>>(),
  generateVerificationToken: functionOf<NonNullable<EmailProvider["generateVerificationToken"]>>(),
  sendVerificationRequest: functionOf<NonNullable<EmailProvider["sendVerificationRequest"]>>(),
  transport: Schema.optional(Schema.Unknown),
  server: Schema.optional(Schema.Unknown),
  nodemailer: functionOf<() => Promise<unknown>>(),
  apiKey: text,
  region: maybe(Schema.String),
  transactionalId: text
})
type EmailMembers = typeof EmailMembers.Type

const decode = Schema.decodeUnknownResult(EmailMembers)

const services: { readonly [Name in MailServiceName]: string } = {
  resend: "Resend",
  sendgrid: "SendGrid",
  postmark: "Postmark",
  mailgun: "Mailgun",
  forwardemail: "Forward Email",
  loops: "Loops"
}

const isService = (name: unknown): name is MailServiceName => typeof name === "string" && Object.hasOwn(services, name)

/** Is this a server that mails can be handed to? @internal */
export const isServer = (server: unknown): server is string | object =>
  typeof server === "string" ? server !== "" : typeof server === "object" && server !== null

const keyOf = (apiKey: EmailMembers["apiKey"]): Redacted.Redacted | undefined =>
  apiKey ? Redacted.make(apiKey, { label: "apiKey" }) : undefined

const keyVariable = ({ id }: Definition): string => `${variablePrefix(id)}KEY`

const loadByName = () => loadPackage("nodemailer")

/** How a preset sends, or what it lacks to; `undefined` for objects that are no preset. */
const transportOf = (definition: Definition, read: EmailMembers): MailTransport | string | undefined => {
  const { nodemailer, server, transport } = read
  if (transport === "smtp")
    return isServer(server)
      ? unseen({ _tag: "Smtp" as const, server, nodemailer: nodemailer ?? loadByName })
      : "a server"
  if (!isService(transport)) return undefined
  const apiKey = keyOf(read.apiKey)
  if (apiKey === undefined) return `an apiKey (or ${keyVariable(definition)})`
  const transactionalId = read.transactionalId ?? undefined
  if (transport === "loops" && transactionalId === undefined) return "a transactionalId"
  const region = read.region?.toLowerCase() === "eu" ? "eu" : "us"
  return { _tag: "Http", service: transport, apiKey, name: definition.name, region, transactionalId }
}

const readMembers = (definition: Definition, members: Members): Result.Result<EmailMembers, InvalidConfiguration> =>
  Result.mapError(
    Result.map(decode(withoutPrototype(members)), (read) => withoutPrototype(read)),
    (error) => invalid(definition, `: ${error.message.replaceAll(/\s+/g, " ")}`)
  )

const invalid = (
  definition: Definition,
  what: string,
  more: { readonly option?: string; readonly fix?: string; readonly variable?: string } = {}
): InvalidConfiguration => {
  const { option, ...rest } = more
  return new InvalidConfiguration({
    provider: definition.id,
    field: `providers.${definition.id}${option === undefined ? "" : `.${option}`}`,
    detail: `${nameProvider(definition.position, definition.id)}${what}`,
    ...rest
  })
}

/** Reads an email provider. @internal */
export const emailProvider = (
  definition: Definition,
  members: Members
): Result.Result<EmailProvider, InvalidConfiguration> =>
  Result.map(readMembers(definition, members), (read): EmailProvider => {
    const transport = transportOf(definition, read)
    return {
      _tag: "Email",
      type: "email",
      id: definition.id,
      name: definition.name,
      style: definition.style,
      from: read.from ?? undefined,
      maxAge: read.maxAge ?? tenMinutes,
      secret: typeof read.secret === "string" ? Redacted.make(read.secret, { label: "secret" }) : undefined,
      consumeOn: read.consumeOn ?? "post",
      normalizeIdentifier: read.normalizeIdentifier ?? undefined,
      generateVerificationToken: read.generateVerificationToken ?? undefined,
      sendVerificationRequest: read.sendVerificationRequest ?? undefined,
      transport: typeof transport === "string" ? undefined : transport,
      source: unseen(members)
    }
  })

/** A sender, which is the application's choice: an address of any kind, or a name with one in angle brackets, without anything that a header could trip over. */
const isSender = (from: string): boolean => {
  const [, name = "", address = from] = /^([^<>]*)<([^<>]*)>$/.exec(from.trim()) ?? []
  return isLine(name, longest.text) && Result.isSuccess(EmailAddress.parseTrusted(address))
}

/** What a provider without a mailer lacks. */
const withoutTransport = (definition: Definition, lacking: string | undefined): InvalidConfiguration => {
  const variable = keyVariable(definition)
  if (lacking === undefined)
    return invalid(definition, " cannot send mail: give it sendVerificationRequest, or the configuration a mailer.", {
      fix: "Give the provider sendVerificationRequest, or the configuration a mailer."
    })
  const isKey = lacking.includes(variable)
  return invalid(definition, ` lacks ${lacking}, and the configuration has no mailer.`, {
    option: isKey ? "apiKey" : lacking.replace("a ", ""),
    fix: `Give the provider ${lacking}, or the configuration a mailer.`,
    ...(isKey ? { variable } : {})
  })
}

/** The problems of an email provider. `hasMailer` is `undefined` when the rest of the configuration is unknown. @internal */
export const emailProblems = (
  definition: Definition,
  members: Members,
  hasMailer: boolean | undefined
): ReadonlyArray<InvalidConfiguration> => {
  const read = readMembers(definition, members)
  if (Result.isFailure(read)) return [read.failure]
  const { from, secret, sendVerificationRequest } = read.success
  const problems: Array<InvalidConfiguration> = []
  if (typeof from === "string" && typeof sendVerificationRequest !== "function" && !isSender(from))
    problems.push(
      invalid(definition, " has a from that is neither an address nor a name with one in angle brackets.", {
        option: "from"
      })
    )
  if (secret === "")
    problems.push(
      invalid(definition, " has an empty secret.", {
        option: "secret",
        fix: "Remove it, so that the secret of the configuration counts, or set it."
      })
    )
  const transport = transportOf(definition, read.success)
  if (hasMailer === false && typeof sendVerificationRequest !== "function" && typeof transport !== "object")
    problems.push(withoutTransport(definition, transport))
  return problems
}
