/**
 * Reads the members of e-mail providers, those of Auth.js and our own presets alike.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidConfiguration } from "../Errors.ts"
import { called, type Definition } from "./Definition.ts"
import type { Members } from "./Merge.ts"
import type { EmailProvider } from "./Provider.ts"

/** Seconds for which a link is good, where nobody says otherwise (OWASP ASVS 6.5.5). */
const tenMinutes = 600

// What a function of the application takes and answers cannot be seen from outside; its declared type is believed.
const functionOf = <F>() =>
  Schema.optional(
    Schema.NullOr(Schema.declare((value): value is F => typeof value === "function", { expected: "a function" }))
  )

const EmailMembers = Schema.Struct({
  from: Schema.optional(Schema.NullOr(Schema.String)),
  maxAge: Schema.optional(Schema.NullOr(Schema.Number.check(Schema.isFinite(), Schema.isGreaterThan(0)))),
  secret: Schema.optional(Schema.NullOr(Schema.String)),
  consumeOn: Schema.optional(Schema.Literals(["get", "post"])),
  normalizeIdentifier: functionOf<NonNullable<EmailProvider["normalizeIdentifier"]>>(),
  generateVerificationToken: functionOf<NonNullable<EmailProvider["generateVerificationToken"]>>(),
  sendVerificationRequest: functionOf<NonNullable<EmailProvider["sendVerificationRequest"]>>()
})

const decode = Schema.decodeUnknownResult(EmailMembers)

/** Reads an e-mail provider. @internal */
export const emailProvider = (
  definition: Definition,
  members: Members
): Result.Result<EmailProvider, InvalidConfiguration> =>
  Result.map(
    Result.mapError(
      decode(members),
      (error) =>
        new InvalidConfiguration({
          provider: definition.id,
          detail: `${called(definition.position, definition.id)}: ${error.message.replaceAll(/\s+/g, " ")}`
        })
    ),
    (read): EmailProvider => ({
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
      transport: undefined,
      source: members
    })
  )

/** What is wrong with an e-mail provider. `hasMailer` is `undefined` when the rest of the configuration is not known. @internal */
export const emailProblems = (
  definition: Definition,
  members: Members,
  hasMailer: boolean | undefined
): ReadonlyArray<InvalidConfiguration> =>
  hasMailer === false && typeof members["sendVerificationRequest"] !== "function"
    ? [
        new InvalidConfiguration({
          provider: definition.id,
          detail: `${called(definition.position, definition.id)} has no way to send mail: give it sendVerificationRequest, or the configuration a mailer.`
        })
      ]
    : []
