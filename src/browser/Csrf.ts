/**
 * The double-submit token that protects every state-changing action: the browser holds it in a cookie beside a proof that
 * needs the secret, and sends it back in the form.
 *
 * The cookie has the format of Auth.js, `token|proof` with `proof` = SHA-256 of the token followed by the secret, and is
 * good on both sides. The 64 hexadecimal digits of this library's token have a structure: a mark, the time of issue, 128
 * random bits, and a hash of the user. So a token expires after a day. After a sign-in the library refuses a token that was
 * issued before it or to another user. Comparisons take constant time.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { type AuthRequest, field } from "../http/AuthRequest.ts"
import { type ResponseCookie, set } from "../http/Cookie.ts"
import { singleValueOf } from "../http/CookieHeader.ts"
import { MissingCsrf } from "../Errors.ts"
import { addresses } from "../internal/Mismatch.ts"
import * as Row from "../internal/ServiceRow.ts"
import { equalText, hex, sha256 } from "../crypto/Sha256.ts"

/**
 * A token for a form, with the cookie to set when the browser has none that is good.
 *
 * @category models
 * @since 0.1.0
 */
export interface CsrfToken {
  readonly token: string
  readonly cookies: ReadonlyArray<ResponseCookie>
}

/**
 * Issues and checks CSRF tokens. `subject` names the user of the session, and is `undefined` for a signed-out visitor.
 *
 * @category services
 * @since 0.1.0
 */
export class Csrf extends Context.Service<
  Csrf,
  {
    /** The token of the request's cookie when it is valid for the subject, otherwise a fresh one. */
    readonly token: (request: AuthRequest["Service"], subject: string | undefined) => Effect.Effect<CsrfToken>
    /** Fails unless the request carries the token of its cookie. That it comes from this site is {@link foreignPage}. */
    readonly verify: (request: AuthRequest["Service"], subject: string | undefined) => Effect.Effect<void, MissingCsrf>
  }
>()("effect-doorman/browser/Csrf") {
  /**
   * Tokens under the configured secrets.
   *
   * @since 0.1.0
   */
  static readonly make = (
    settings: Settings["Service"],
    { randomBytes }: SecureRandom.SecureRandom["Service"]
  ): Csrf["Service"] => {
    const [current, ...earlier] = proofSecrets(settings.secrets.map(Redacted.value))

    const proven = (token: string, proof: string): boolean =>
      equalText(sha256(token + current, "hex"), proof) ||
      earlier.some((secret) => equalText(sha256(token + secret, "hex"), proof))

    /** The token of the cookie, when it is authentic, fresh and the subject's; `now` in milliseconds. */
    const read = (request: AuthRequest["Service"], subject: string | undefined, now: number): string | undefined => {
      const { name } = cookiesFor(settings, request.url).csrfToken
      const value = singleValueOf(request.cookies, name)
      if (value === undefined || value.length !== 129 || value.charCodeAt(64) !== bar) return undefined
      const token = value.slice(0, 64)
      if (!proven(token, value.slice(65))) return undefined
      if (!token.startsWith(mark)) return token
      const age = minutes(now) - Number.parseInt(token.slice(8, 16), 16)
      if (!(age >= -5 && age <= maxAge)) return undefined
      return equalText(token.slice(48), binding(token, subject)) ? token : undefined
    }

    const issue = (
      request: AuthRequest["Service"],
      subject: string | undefined,
      now: number
    ): Effect.Effect<CsrfToken> =>
      Effect.map(randomBytes(16), (bytes) => {
        const head = mark + minutes(now).toString(16).padStart(8, "0") + hex(bytes)
        const token = head + binding(head, subject)
        const value = `${token}|${sha256(token + current, "hex")}`
        return { token, cookies: [set(cookiesFor(settings, request.url).csrfToken, value)] }
      })

    return Csrf.of({
      token: (request, subject) =>
        Clock.clockWith((clock) => {
          const now = clock.currentTimeMillisUnsafe()
          const token = read(request, subject, now)
          return token === undefined ? issue(request, subject, now) : Effect.succeed({ token, cookies: [] })
        }),
      verify: (request, subject) =>
        Clock.clockWith((clock) => {
          const token = read(request, subject, clock.currentTimeMillisUnsafe())
          if (token === undefined) return refuse("There is no valid token cookie")
          return equalText(token, field(request, "csrfToken") ?? "")
            ? Effect.void
            : refuse("The token of the body is not that of the cookie")
        })
    })
  }

  /** @internal */
  static readonly row: Row.Row<Csrf, Csrf["Service"], Settings | SecureRandom.SecureRandom> = Row.row(Csrf, (context) =>
    Csrf.make(Context.get(context, Settings), Context.get(context, SecureRandom.SecureRandom))
  )

  /** The service as a layer. @since 0.1.0 */
  static readonly layer: Layer.Layer<Csrf, never, Settings | SecureRandom.SecureRandom> = Row.layer(Csrf.row)
}

const refuse = (detail: string): Effect.Effect<never, MissingCsrf> => Effect.fail(new MissingCsrf({ detail }))

/** The origin of this site and the origin that the browser states: together they reveal a proxy that hides the host. */
const elsewhere = ({ headers, url }: AuthRequest["Service"]): string => {
  const from = headers.get("origin") ?? headers.get("referer")
  return addresses(url.origin, from !== null && URL.canParse(from) ? new URL(from).origin : from)
}

const bar = 124
/** First four bytes of our tokens; those of Auth.js are random throughout. */
const mark = "d00a4a57"
/** Minutes for which a token is good. */
const maxAge = 24 * 60

const minutes = (milliseconds: number): number => Math.floor(milliseconds / 60_000)

/** Whom a token was issued to: eight bytes that need no secret, because the proof covers them. */
const binding = (token: string, subject: string | undefined): string =>
  subject === undefined ? noSubject : sha256(`csrf ${token.slice(0, 48)} ${subject}`, "hex").slice(0, 16)

const noSubject = "0".repeat(16)

/**
 * The suffix of the token in a proof: the secret, or a list of them joined by commas. The first is the one that Auth.js
 * uses with the same configuration; the others are those of configurations before a rotation.
 */
const proofSecrets = (secrets: ReadonlyArray<string>): readonly [string, ...Array<string>] => {
  const all = secrets.join(",")
  return secrets.length === 1
    ? [all]
    : [all, ...new Set(secrets.flatMap((secret, index) => [secret, secrets.slice(index).join(",")]))]
}

/**
 * Did a page of another site send this? Browsers say so themselves (Fetch Metadata, `Sec-Fetch-Site`), older ones by
 * `Origin` or `Referer`. A request that says nothing is not from a browser page.
 *
 * @category guards
 * @since 0.1.0
 */
export const isCrossSite = (request: AuthRequest["Service"]): boolean => {
  const site = request.headers.get("sec-fetch-site")
  if (site !== null) return site === "cross-site"
  const origin = request.headers.get("origin")
  const from = origin === null || origin === "null" ? request.headers.get("referer") : origin
  if (from === null) return false
  return !URL.canParse(from) || new URL(from).host !== request.url.host
}

/**
 * Why a request that a page of another site sent is refused; `undefined` for every other request. Every action that changes
 * something passes this gate, whatever checks the CSRF token, unless its protocol posts across sites.
 *
 * Server code may copy the headers of a navigation that came from another site (`fromServer`). A browser sends `Origin` with
 * every form (Fetch section 3.2), so without one the application itself asks.
 *
 * @category guards
 * @since 0.1.0
 */
export const foreignPage = (request: AuthRequest["Service"]): MissingCsrf | undefined =>
  isCrossSite(request) && !(request.fromServer === true && !request.headers.has("origin"))
    ? new MissingCsrf({ detail: `The request comes from another site${elsewhere(request)}` })
    : undefined
