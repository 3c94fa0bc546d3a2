/**
 * Mails of a site that is being developed and has no mailer: they are printed on the terminal and kept in this process, for the page
 * `{base}/mailbox`. The address of that page carries a random key of the process, and only the terminal shows it.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { stageOf } from "../config/Production.ts"
import { hex } from "../crypto/Sha256.ts"
import { line } from "../internal/ConsoleLine.ts"
import { type CapturedMail, Mailer, plainMail } from "../Mailer.ts"

/** The mails of the process: plain data, because bundles may hold this module several times. */
interface Kept {
  readonly key: string
  readonly mails: Array<CapturedMail>
}

const place: unique symbol = Symbol.for("effect-doorman/mailbox")

const randomBytes = SecureRandom.randomBytesUnsafe

/** Most mails that are kept; the oldest go first. */
const capacity = 100

/** The mailbox of this process. */
export const mailbox = (): Kept => {
  const holder: typeof globalThis & { [place]?: Kept } = globalThis
  return (holder[place] ??= { key: hex(randomBytes(16)), mails: [] })
}

/** Is a site at this address being developed, by `NODE_ENV` or, where that is not set, by its host? */
export const isDeveloped = (site: URL): boolean => stageOf(site) === "development"

/** Sends mails to the terminal and to the mailbox of this process. `base` is the address of the endpoints. */
export const developmentMailer = (base: string): Mailer["Service"] =>
  Mailer.of({
    send: (mail) =>
      Effect.map(Clock.currentTimeMillis, (sentAt) => {
        const { key, mails } = mailbox()
        const captured = { ...plainMail(mail), sentAt }
        mails.push(captured)
        if (mails.length > capacity) mails.shift()
        line("info", `Mail to ${captured.to}: ${captured.subject}`)
        line("info", captured.url)
        line("info", `All mails of this process: ${base}/mailbox?key=${key}`)
      })
  })
