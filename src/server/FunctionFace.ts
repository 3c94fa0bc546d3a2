/**
 * The boundary between the application and the functions `Auth` and `createAuth`.
 *
 * These entries hold a copy of Effect of their own, and an application may have another one. A `Redacted`, an Effect or a service
 * works in the copy that made it alone. So the application gives and gets plain values and promises, and this is the one module
 * that turns them into what the engine uses. Everything else that the application answers goes through `internal/Answer.ts`, which
 * refuses Effects here.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { storeBehind } from "../authjs/AuthJsAdapter.ts"
import { isShape } from "../config/Bindings.ts"
import { withChanges } from "../config/Environment.ts"
import type { Options } from "../config/Options.ts"
import { fatal, type Problem } from "../config/Problem.ts"
import type { MailerOfBoth, PlainMailer } from "../models/PlainMailer.ts"
import { EmailSignInError, InvalidConfiguration, isAuthError } from "../Errors.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { memberOf, ownMember } from "../internal/OwnProperty.ts"
import { Mailer, plainMail } from "../Mailer.ts"

/** Options as the engine reads them, and what cannot be used of those that the application wrote. */
interface Accepted {
  readonly options: Options
  readonly problems: ReadonlyArray<Problem>
}

/** Data that means the same in every copy of Effect. An interface such as `Redacted` has no index signature, so it is refused. */
type PlainData =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | ReadonlyArray<PlainData>
  | { readonly [name: string]: PlainData }

/**
 * Marks what goes to a function of the application: with a member that is no plain data it does not compile.
 *
 * @category combinators
 * @since 0.1.0
 */
export const toApplication = <A extends { readonly [Name in keyof A]: PlainData }>(data: A): A => data

const isOfBoth = (mailer: object): mailer is MailerOfBoth =>
  "sendPlain" in mailer && typeof memberOf(mailer, "sendPlain") === "function"

const isPlainMailer = (mailer: object): mailer is PlainMailer =>
  "send" in mailer && typeof memberOf(mailer, "send") === "function"

const toMailer = (mailer: PlainMailer | MailerOfBoth): Mailer["Service"] =>
  Mailer.of({
    from: mailer.from,
    package: mailer.package,
    send: (mail) =>
      Effect.mapError(
        fromAnswer("mailer.send", () =>
          isOfBoth(mailer)
            ? mailer.sendPlain(toApplication(plainMail(mail)))
            : mailer.send(toApplication(plainMail(mail)))
        ),
        (cause) =>
          isAuthError(cause) && cause._tag === "EmailSignInError"
            ? cause
            : new EmailSignInError({ detail: "The mailer failed", retryable: true, cause })
      )
  })

const effectAdapter = new InvalidConfiguration({
  field: "adapter",
  detail: "adapter is an object of Effects, and Auth and createAuth take an adapter of promises",
  fix: "Give sqlite or postgres of effect-doorman/sqlite and effect-doorman/postgres, or Adapter.toPromises(adapter)."
})

/**
 * Options that an application of functions wrote, as the engine reads them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromFunctions = (options: Options): Accepted => {
  const mailer = ownMember(options, "mailer")
  const adapter = ownMember(options, "adapter")
  const store = typeof adapter === "object" && adapter !== null ? storeBehind(adapter) : undefined
  const isOfEffects = typeof adapter === "object" && adapter !== null && store === undefined && isShape(adapter)
  const isMailer = typeof mailer === "object" && mailer !== null && (isOfBoth(mailer) || isPlainMailer(mailer))
  return {
    options: withChanges(options, {
      ...(isMailer ? { mailer: toMailer(mailer) } : {}),
      ...(store === undefined ? {} : { adapter: store })
    }),
    problems: isOfEffects ? [fatal(effectAdapter)] : []
  }
}
