/**
 * Tokens of providers, encrypted in the database.
 *
 * A stored token is a mark followed by a compact JWE (RFC 7516, "dir", A256CBC-HS512) with a key derived from a secret of
 * the application. Inside stands, beside the token, whose it is: moved to another row or column it does not open. Secrets
 * rotate: the newest seals, each opens. Text without the mark is a token from before and is read as it is.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { secretProblem } from "../config/SecretStrength.ts"
import { WeakSecret } from "../Errors.ts"
import { ivLength } from "../crypto/KeyFormat.ts"
import { keyring } from "../crypto/Keyring.ts"
import { openText, sealText } from "../crypto/Jwe.ts"
import { reveal } from "../internal/Reveal.ts"

/**
 * Where a token lives: provider, id of the account there, and column.
 *
 * @category models
 * @since 0.1.0
 */
export type Place = readonly [provider: string, providerAccountId: string, column: string]

/**
 * Seals and opens.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenCipher {
  readonly seal: (place: Place, token: string) => Effect.Effect<string>
  /** `None` when none of the secrets opens it, or it belongs elsewhere. */
  readonly open: (place: Place, stored: string) => Effect.Effect<Option.Option<string>>
}

/**
 * The secrets of an application, newest first.
 *
 * @category models
 * @since 0.1.0
 */
export type Secrets = string | Redacted.Redacted<string> | ReadonlyArray<string | Redacted.Redacted<string>>

const mark = "jwe:"
const salt = "effect-doorman/sql/provider-tokens"

const Content = Schema.fromJsonString(
  Schema.Struct({ token: Schema.String, place: Schema.Tuple([Schema.String, Schema.String, Schema.String]) })
)
const decodeContent = Schema.decodeUnknownOption(Content)

/**
 * Is this stored text sealed?
 *
 * @category guards
 * @since 0.1.0
 */
export const isSealed = (stored: string): boolean => stored.startsWith(mark)

/** A result that is there already, or a promise that does not reject. */
const toEffect = <A>(result: A | Promise<A>): Effect.Effect<A> =>
  result instanceof Promise ? Effect.promise(() => result) : Effect.succeed(result)

/** Why a secret is refused. A secret that another copy of Effect redacted cannot be read here. */
const problemOf = (secret: unknown): string | undefined =>
  typeof secret === "string" ? secretProblem(secret) : "a Redacted that cannot be opened"

/**
 * Encrypts with keys of these secrets. Fails with secrets that protect nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  given: Secrets,
  { randomBytes }: SecureRandom["Service"]
): Effect.fn.Return<TokenCipher, WeakSecret> {
  const secrets = (typeof given === "string" || Redacted.isRedacted(given) ? [given] : given).map((secret) =>
    reveal(secret)
  )
  const problem = secrets.length === 0 ? "an empty list" : secrets.map(problemOf).find((found) => found !== undefined)
  if (problem !== undefined) return yield* new WeakSecret({ detail: `encryptTokens.secret: ${problem}` })
  const ring = keyring(secrets, salt)
  return {
    seal: (place, token) =>
      Effect.flatMap(randomBytes(ivLength), (random) =>
        Effect.map(toEffect(sealText(ring, random, JSON.stringify({ token, place }))), (sealed) => mark + sealed)
      ),
    open: (place, stored) =>
      Effect.map(toEffect(openText(ring, stored.slice(mark.length))), (plaintext) =>
        decodeContent(plaintext).pipe(
          Option.filter((content) => content.place.every((part, index) => part === place[index])),
          Option.map(({ token }) => token)
        )
      )
  }
})
