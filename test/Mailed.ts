/**
 * A site with sign-in by email under the clock of the test: a store in memory, a mailer that keeps mails, and what each was
 * asked, in order.
 */
import * as Effect from "effect/Effect"
import { makeMemory as makeStore } from "../src/Adapter.ts"
import type { Options } from "../src/config/Settings.ts"
import { AdapterError } from "../src/Errors.ts"
import * as Mailer from "../src/Mailer.ts"
import { Email, type EmailOptions } from "../src/Provider/Email.ts"
import type { Services } from "../src/composition/Services.ts"
import type { AdapterMethod, AdapterShape } from "../src/storage/AdapterShape.ts"
import { browser as newBrowser, type Browser, config, type Log, settled, world } from "./Browser.ts"
import type { MemoryProvider } from "./MemoryProvider.ts"
import { site } from "./Visitor.ts"

/** Where answers lead. */
export const sent = `${site}/auth/verify-request?provider=email&type=email`
export const verification = `${site}/auth/error?error=Verification`
export const invalidAddress = `${site}/auth/signin?error=EmailSignin&code=email_invalid`
export const unsent = `${site}/auth/signin?error=EmailSignin`

export const linkCookie = "__Host-authjs.link"
export const form = { "content-type": "application/x-www-form-urlencoded" }

/** Until whatever was begun waits for the clock, or for nothing that will come. */
export const still = Effect.forEach(Array.from({ length: 20 }), () => settled, { discard: true })

export interface Mailed {
  readonly options: Options
  readonly store: AdapterShape
  readonly mailer: ReturnType<typeof Mailer.capture>
  /** Names of the methods of the store and of the mailer, as they were called. */
  readonly calls: Array<string>
  /** A call of this method fails, once. With `late` it is done first. */
  readonly failOnce: (method: AdapterMethod, late?: "late") => void
  readonly log: Log
  /** Runs a program at this site. */
  readonly at: <A, E>(program: Effect.Effect<A, E, Services>, provider?: MemoryProvider) => Effect.Effect<A, unknown>
  /** The link of the last mail. */
  readonly link: Effect.Effect<URL>
  readonly mails: Effect.Effect<ReadonlyArray<Mailer.CapturedMail>>
}

export const mailed = (given: { readonly provider?: EmailOptions; readonly more?: Partial<Options> } = {}): Mailed => {
  const memory = makeStore()
  const calls: Array<string> = []
  const faults = new Map<string, "early" | "late">()
  const store = new Proxy(memory, {
    get: (target, name: keyof AdapterShape) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function" || name === "transaction") return member
      return (...parameters: ReadonlyArray<unknown>) =>
        Effect.suspend(() => {
          calls.push(name)
          const fault = faults.get(name)
          faults.delete(name)
          const down = Effect.fail(new AdapterError({ method: name, reason: "unavailable", detail: "down" }))
          const done = Reflect.apply(member, target, parameters) as Effect.Effect<unknown, AdapterError>
          return fault === undefined ? done : fault === "early" ? down : Effect.andThen(done, down)
        })
    }
  })
  const kept = Mailer.capture()
  const mailer = {
    ...kept,
    send: (mail: Mailer.Mail) =>
      Effect.suspend(() => {
        calls.push("send")
        return kept.send(mail)
      })
  }
  const options = config({ providers: [Email(given.provider)], adapter: store, mailer, ...given.more })
  const log: Log = { entries: [] }
  return {
    options,
    store,
    mailer,
    calls,
    log,
    failOnce: (method, late) => void faults.set(method, late ?? "early"),
    at: (program, provider) => Effect.provide(program, world(options, provider, log)),
    link: Effect.map(kept.mails, (mails) => new URL(mails.at(-1)?.url ?? "https://there-is.no/mail")),
    mails: kept.mails
  }
}

/** Asks for a link. */
export const ask = (visitor: Browser, email: string, fields: Readonly<Record<string, string>> = {}) =>
  visitor.submit("/auth/signin/email", { email, ...fields })

/** The hidden fields of the form on a page. */
export const fieldsOf = (body: string): Record<string, string> =>
  Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"')
    ])
  )

/** Opens a link and presses the button of the page. */
export const press = Effect.fnUntraced(function* (visitor: Browser, link: URL) {
  const page = yield* visitor.get(link)
  return yield* visitor.send("POST", link.pathname, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fieldsOf(page.body)).toString()
  })
})

export { newBrowser as browser }
