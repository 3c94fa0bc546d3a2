/**
 * Seals and opens values that a browser keeps for the server: encrypted, authenticated, bound to a purpose and a time.
 *
 * Every purpose has a key of its own, derived from the secret and a salt (RFC 5869), so that a value sealed for one cookie
 * opens in no other. The format is that of Auth.js session tokens. With `node:crypto` nothing suspends.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Settings } from "../config/Settings.ts"
import * as Jwe from "../crypto/Jwe.ts"
import { isDerived, type Keyring, keyring } from "../crypto/Keyring.ts"
import * as Row from "../internal/ServiceRow.ts"
import { span } from "../telemetry/Signals.ts"

/**
 * The result of a sealed value: its claims, or the reason of its refusal.
 *
 * @category models
 * @since 0.1.0
 */
export type Opened = Jwe.Opened

/**
 * Seals and opens.
 *
 * @category services
 * @since 0.1.0
 */
export class Seal extends Context.Service<
  Seal,
  {
    /** Seals claims for a purpose; they open for `maxAge` seconds. */
    readonly seal: (salt: string, claims: Readonly<Record<string, unknown>>, maxAge: number) => Effect.Effect<string>
    /** Opens what was sealed for that purpose. Never fails: a foreign or damaged value is a reason, not an error. */
    readonly open: (salt: string, token: string) => Effect.Effect<Opened>
  }
>()("effect-doorman/browser/Seal") {
  /**
   * Keys from the configured secrets, derived once for each purpose.
   *
   * @since 0.1.0
   */
  static readonly make = (
    { jwt }: Settings["Service"],
    { randomBytes }: SecureRandom.SecureRandom["Service"]
  ): Seal["Service"] => {
    const secrets = jwt.secrets.map(Redacted.value)
    const rings = new Map<string, Keyring>()
    const ringOf = (salt: string): Keyring => {
      const cached = rings.get(salt)
      if (cached !== undefined) return cached
      const ring = keyring(secrets, salt)
      rings.set(salt, ring)
      return ring
    }
    return Seal.of({
      seal: (salt, claims, maxAge) =>
        Effect.flatMap(Effect.all([randomBytes(Jwe.sealRandomLength), Clock.currentTimeMillis]), ([bytes, now]) => {
          const ring = ringOf(salt)
          return deriving(ring, () => Jwe.seal(ring, claims, { now: now / 1000, maxAge, random: () => bytes }))
        }),
      open: (salt, token) => openIn(ringOf(salt), token, jwt.acceptA256GCM)
    })
  }

  /** @internal */
  static readonly row: Row.Row<Seal, Seal["Service"], Settings | SecureRandom.SecureRandom> = Row.row(Seal, (context) =>
    Seal.make(Context.get(context, Settings), Context.get(context, SecureRandom.SecureRandom))
  )

  /** The service as a layer. @since 0.1.0 */
  static readonly layer: Layer.Layer<Seal, never, Settings | SecureRandom.SecureRandom> = Row.layer(Seal.row)
}

/**
 * Opens a sealed value with other secrets than those of the configuration.
 *
 * @category combinators
 * @since 0.1.0
 */
export const openWith = (
  secrets: ReadonlyArray<string>,
  salt: string,
  token: string,
  acceptA256GCM: boolean
): Effect.Effect<Opened> => Effect.suspend(() => openIn(keyring(secrets, salt), token, acceptA256GCM))

const openIn = (ring: Keyring, token: string, acceptA256GCM: boolean): Effect.Effect<Opened> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    deriving(ring, () => Jwe.open(ring, token, { now: now / 1000, acceptA256GCM }))
  )

/** The first use of a ring derives its key, which takes longer than the use itself: a span shows it. */
const deriving = <A>(ring: Keyring, use: () => A | Promise<A>): Effect.Effect<A> =>
  isDerived(ring)
    ? toEffect(use())
    : Effect.suspend(() => toEffect(use())).pipe(
        span("effect-doorman.derive", { attributes: () => ({ "effect-doorman.purpose": ring.salt }) })
      )

/** A result that is there already, or a promise of the codec, which does not reject. */
const toEffect = <A>(result: A | Promise<A>): Effect.Effect<A> =>
  result instanceof Promise ? Effect.promise(() => result) : Effect.succeed(result)
